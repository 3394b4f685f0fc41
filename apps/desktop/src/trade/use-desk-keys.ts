import type { Side } from '@exchange/core/pair.ts';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useShortcutsOn } from '../keyboard/shortcuts-on.ts';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import type { BookViewControl } from './use-book-view.ts';

/** The keys of the trading screen. They move the focus and change what is shown; none places an order. */
export function useDeskKeys({ isCompact, setCompact }: BookViewControl) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const searchBox = useRef<HTMLInputElement>(null);
  const closeHelp = useCallback(() => setHelpOpen(false), []);
  const shortcuts = useMemo(
    () => ({
      '/': () => searchBox.current?.focus(),
      '?': () => setHelpOpen(true),
      b: () => focusTicket('buy'),
      s: () => focusTicket('sell'),
      k: () => setCompact(!isCompact),
    }),
    [isCompact, setCompact],
  );
  useShortcuts(shortcuts, useShortcutsOn());
  return { searchBox, isHelpOpen, closeHelp };
}

/** Puts the cursor into the first input of one side of the ticket. */
function focusTicket(side: Side): void {
  document.querySelector<HTMLInputElement>(`form[data-side="${side}"] input:not(:disabled)`)?.focus();
}
