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
    const dismiss = (): void => latest.current.onDismiss();
    const isInside = (target: EventTarget | null): boolean =>
      target instanceof Node &&
      latest.current.areas.some(({ current }) => current?.contains(target) === true);
    // The listener runs in the capture phase, so that no other handler on the page can stop the event.
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (!isInside(target)) dismiss();
      },
      { capture: true, signal },
    );
    document.addEventListener(
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
    document.addEventListener(
      'focusout',
      ({ target, relatedTarget }) => {
        if (relatedTarget !== null && isInside(target) && !isInside(relatedTarget)) setTimeout(dismiss);
      },
      { signal },
    );
    return () => listeners.abort();
  }, [isOpen, button]);
}
