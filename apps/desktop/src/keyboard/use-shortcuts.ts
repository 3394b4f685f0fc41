import { useEffect } from 'react';

export interface Shortcuts {
  readonly '/'?: () => void;
  readonly '?'?: () => void;
  readonly Escape?: () => void;
}

const TYPED_INTO = 'input, textarea, select, [contenteditable="true"]';

/**
 * Listens for the page's shortcuts. While somebody types, only Escape counts; with a modifier key nothing
 * does. None of them places an order.
 */
export function useShortcuts(shortcuts: Shortcuts, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const isTyping = event.target instanceof Element && event.target.matches(TYPED_INTO);
      if (isTyping && event.key !== 'Escape') return;
      const act = shortcuts[event.key as keyof Shortcuts];
      if (act === undefined) return;
      if (event.key !== 'Escape') event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [shortcuts, isOn]);
}
