import { useEffect, useRef, type RefObject } from 'react';
import { useHistoryLayer } from './overlay-history.ts';

interface Dismissed {
  readonly isOpen: boolean;
  readonly onDismiss: () => void;
  /** What belongs to the menu: its button, and its panel where that is not inside the same element. */
  readonly areas: readonly RefObject<HTMLElement | null>[];
  /** Takes the focus where Escape closes the menu. */
  readonly button: RefObject<HTMLElement | null>;
}

/**
 * Closes a menu, popover or picker: by a press outside of it, by Escape, when the focus moves elsewhere, and by Back.
 * No way depends on the focus alone, since Safari gives a pressed button none: the menu then never loses it, and keys
 * arrive at the page.
 */
export function useDismiss({ isOpen, onDismiss, areas, button }: Dismissed): void {
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
    // On its way down, so that nothing on the page can stop it.
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
    // Focus that goes nowhere has not moved on: a press on plain text, on a button in Safari or into another window does
    // that. What has the focus must not vanish while the browser is still moving it: Chromium crashes.
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
