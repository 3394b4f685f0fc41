import { useEffect, useRef, type RefObject } from 'react';
import { useHistoryLayer } from './overlay-history.ts';

interface DismissOptions {
  readonly isOpen: boolean;
  readonly onDismiss: () => void;
  /** Elements that belong to the menu: its button, and its panel when that is rendered elsewhere. */
  readonly areas: readonly RefObject<HTMLElement | null>[];
  /** The button that receives the focus when Escape closes the menu. */
  readonly button: RefObject<HTMLElement | null>;
}

/**
 * Closes a menu, popover or picker on a press outside, on Escape, when the focus moves elsewhere, and on
 * Back. Presses and keys are handled independently of the focus, because Safari does not focus a pressed
 * button.
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
    // Elements of another window are no instances of this window's `Node`.
    const isInside = (target: EventTarget | null): boolean =>
      target !== null &&
      'nodeType' in target &&
      latest.current.areas.some(({ current }) => current?.contains(target as Node) === true);
    // The listener runs in the capture phase, so that no other handler on the page can stop the event.
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
    // A blur without a new target is not a move: presses on plain text, on a button in Safari or in another
    // window cause it. Removing the focused element during the blur crashes Chromium, so closing is deferred.
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
