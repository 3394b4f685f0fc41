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
   * Called to close the overlay. Returns false when it stays open, for example for a form that first asks for
   * confirmation.
   */
  onClose: CloseLayer;
  title: ReactNode;
  closeLabel: string;
  children: ReactNode;
}

/**
 * How a site presents overlays: `floating` in the centre or beside its button, `sheet` from the bottom edge.
 */
export type OverlayLook = 'floating' | 'sheet';

const MOTION = { duration: 120 };
const SCRIM = { color: 'var(--scrim)', backgroundOpacity: 1 };

let locks = 0;

/**
 * Locks the scroll position of the page and reserves the width of the scroll bar against layout shift. The UI
 * library's own lock would insert a style element.
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
 * Returns the focus to the element that opened the overlay, even when a screen unmounts the overlay
 * immediately.
 */
function useFocusReturn(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    return () => {
      // Deferred until the overlay is unmounted, because it keeps the focus inside until then.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && before instanceof HTMLElement && before.isConnected)
          before.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}

/** Close functions of the open overlays, the topmost last. */
const openOverlays: CloseLayer[] = [];

/**
 * Closes the topmost overlay on Escape. The UI library's own handlers are off: each overlay has one, so a
 * press that opens a question above a dialog would reach the question as well and close it at once.
 */
function closeByEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return;
  // The focused element handles Escape itself, such as the search field of an open list.
  if (event.target instanceof Element && event.target.hasAttribute('data-mantine-stop-propagation')) return;
  openOverlays.at(-1)?.();
}

/** Calls `onClose` when Escape is pressed while the overlay is open and the topmost one. */
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

/** Moves the focus into a dialog in a window of its own, where the UI library does not. */
function focusInOtherWindow(header: HTMLElement | null): void {
  if (header === null || header.ownerDocument === document) return;
  const dialog = header.closest<HTMLElement>('[role="dialog"]');
  (dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog)?.focus();
}

/**
 * A dialog in the centre of the page. Escape, a click outside and Back close it; the focus returns to its
 * previous element.
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

/** A sheet that slides up from the bottom edge, for phones. */
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

/** An overlay shared by both sites: a dialog or a bottom sheet, depending on `look`. */
export function Over({ look, width = 440, ...rest }: OverProps) {
  return look === 'sheet' ? <Sheet {...rest} /> : <Dialog {...rest} width={width} />;
}
