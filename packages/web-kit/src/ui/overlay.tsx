import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import { Drawer, Modal } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useHistoryLayer, type CloseLayer } from './overlay-history.ts';
import css from './overlay.module.css';

interface OverlayProps {
  isOpen: boolean;
  /**
   * Called to close the overlay. Returns false if the overlay stays open, for example because a form asks the user for
   * confirmation first.
   */
  onClose: CloseLayer;
  title: ReactNode;
  closeLabel: string;
  children: ReactNode;
}

/**
 * How a site shows overlays: `floating` in the centre of the page or beside their button, `sheet` at the bottom edge.
 */
export type OverlayLook = 'floating' | 'sheet';

const MOTION = { duration: 120 };
const SCRIM = { color: 'var(--scrim)', backgroundOpacity: 1 };

let locks = 0;

/**
 * While `isOpen` is true, the page cannot be scrolled, and the width of its scroll bar is reserved, so that the layout
 * does not shift. The UI library's own lock is not used, because it would insert a style element.
 */
function useScrollLock(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const { documentElement: root } = document;
    if (locks++ === 0) {
      root.style.setProperty('--scroll-bar', `${window.innerWidth - root.clientWidth}px`);
      root.dataset['locked'] = '';
    }
    return () => {
      if (--locks === 0) delete root.dataset['locked'];
    };
  }, [isOpen]);
}

/**
 * When an overlay closes, returns the focus to the element that had it before the overlay opened, even if the
 * screen unmounts the overlay immediately. Does nothing if another element has the focus by then, or if the
 * earlier element no longer exists.
 */
function useFocusReturn(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    return () => {
      // The focus is returned after the overlay is unmounted, because until then the overlay keeps the focus
      // inside.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && before instanceof HTMLElement && before.isConnected)
          before.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}

/** The close functions of the open overlays; the topmost overlay is the last. */
const openOverlays: CloseLayer[] = [];

/**
 * Closes the topmost overlay when Escape is pressed, except while an input method composes text and in elements that
 * handle Escape themselves. The UI library's own handlers are switched off, because each overlay has one: when a key
 * press opens a question above a dialog, the handler of the question would get the same press and close it at once.
 */
function closeByEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return;
  // The overlay stays open: elements with the attribute `data-mantine-stop-propagation`, such as the search
  // field of an open list, handle Escape themselves.
  if (event.target instanceof Element && event.target.hasAttribute('data-mantine-stop-propagation')) return;
  openOverlays.at(-1)?.();
}

/**
 * Calls `onClose` when Escape is pressed while this overlay is open and is the topmost one; see `closeByEscape` for the
 * exceptions.
 */
function useEscape(isOpen: boolean, onClose: CloseLayer): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (): unknown => latest.current();
    if (openOverlays.push(close) === 1) window.addEventListener('keydown', closeByEscape, true);
    return () => {
      openOverlays.splice(openOverlays.indexOf(close), 1);
      if (openOverlays.length === 0) window.removeEventListener('keydown', closeByEscape, true);
    };
  }, [isOpen]);
}

/**
 * Ref callback of a dialog's header: moves the focus into the dialog if it is shown in a browser window of
 * its own, because the UI library moves the focus only within the main window.
 */
function focusInOtherWindow(header: HTMLElement | null): void {
  if (header === null || header.ownerDocument === document) return;
  const dialog = header.closest<HTMLElement>('[role="dialog"]');
  (dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog)?.focus();
}

/**
 * A dialog in the centre of the page. Escape, a press outside and Back close it; the focus then returns to the element
 * that had it before.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  closeLabel,
  children,
  width = 440,
}: OverlayProps & { width?: number }) {
  useHistoryLayer(isOpen, onClose);
  useEscape(isOpen, onClose);
  useScrollLock(isOpen);
  useFocusReturn(isOpen);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={() => void onClose()}
      lockScroll={false}
      closeOnEscape={false}
      size={width}
      centered
      transitionProps={{ ...MOTION, transition: 'fade-up' }}
      classNames={{ content: css.dialog }}
    >
      <Modal.Overlay {...SCRIM} />
      <Modal.Content>
        <div className={css.header} ref={focusInOtherWindow}>
          <Modal.Title className={css.title}>{title}</Modal.Title>
          <Modal.CloseButton className={css.close} aria-label={closeLabel} />
        </div>
        <Modal.Body className={css.dialogBody}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** A sheet that slides in from the bottom edge of the screen, for phones. */
export function Sheet({ isOpen, onClose, title, closeLabel, children }: OverlayProps) {
  useHistoryLayer(isOpen, onClose);
  useEscape(isOpen, onClose);
  useScrollLock(isOpen);
  useFocusReturn(isOpen);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={() => void onClose()}
      lockScroll={false}
      closeOnEscape={false}
      position="bottom"
      size="auto"
      transitionProps={MOTION}
      classNames={{ content: css.sheet }}
    >
      <Drawer.Overlay {...SCRIM} />
      <Drawer.Content>
        <div className={css.header}>
          <Drawer.Title className={css.title}>{title}</Drawer.Title>
          <Drawer.CloseButton className={css.close} aria-label={closeLabel} />
        </div>
        <Drawer.Body className={css.sheetBody}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

interface OverProps extends OverlayProps {
  readonly look: OverlayLook;
  readonly width?: number;
}

/** An overlay that components of both sites use: a dialog or a bottom sheet, depending on `look`. */
export function Over({ look, width = 440, ...rest }: OverProps) {
  return look === 'sheet' ? <Sheet {...rest} /> : <Dialog {...rest} width={width} />;
}
