import { useEffect, useRef, type RefObject } from 'react';
import { useHistoryLayer } from './overlay-history.ts';

interface DismissOptions {
  readonly isOpen: boolean;
  readonly onDismiss: () => void;
  /** Elements that belong to the menu: its button, and its panel if the panel is not inside the button's element. */
  readonly areas: readonly RefObject<HTMLElement | null>[];
  /** The button to which the focus returns when Escape closes the menu. */
  readonly button: RefObject<HTMLElement | null>;
}

/**
 * Closes a menu, popover or picker when the user presses outside it, presses Escape or Back, or moves the focus
 * elsewhere. Presses and keys are observed on the whole document, whatever has the focus, because Safari does not focus
 * a pressed button.
 */
export function useDismiss({ isOpen, onDismiss, areas, button }: DismissOptions): void {
  const latest = useRef({ onDismiss, areas });
  useEffect(() => {
    latest.current = { onDismiss, areas };
  });
  useHistoryLayer(isOpen, onDismiss);
  useEffect(() => {
    if (!isOpen) return undefined;
    const listeners = new AbortController();
    const { signal } = listeners;
    // A menu of a panel in a window of its own belongs to that window's document.
    const menuDocument = button.current?.ownerDocument ?? document;
    const dismiss = (): void => latest.current.onDismiss();
    // `nodeType` is checked instead of `instanceof Node`, because elements of another window are no instances
    // of this window's `Node`.
    const isInside = (target: EventTarget | null): boolean =>
      target !== null &&
      'nodeType' in target &&
      latest.current.areas.some(({ current }) => current?.contains(target as Node) === true);
    // The listener runs in the capture phase, so that no other handler of the page can stop the event before.
    menuDocument.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (!isInside(target)) dismiss();
      },
      { capture: true, signal },
    );
    menuDocument.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        button.current?.focus();
        dismiss();
      },
      { signal },
    );
    // A focus loss without a new focused element does not close the menu, because a press on plain text, on a button in
    // Safari or in another window causes it. Closing is deferred, because Chromium crashes if the focused element is
    // removed during the event.
    menuDocument.addEventListener(
      'focusout',
      ({ target, relatedTarget }) => {
        if (relatedTarget !== null && isInside(target) && !isInside(relatedTarget)) setTimeout(dismiss);
      },
      { signal },
    );
    return () => listeners.abort();
  }, [isOpen, button]);
}
