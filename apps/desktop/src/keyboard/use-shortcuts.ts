import { recall, remember } from '@exchange/web-kit/storage.ts';
import { useEffect, useSyncExternalStore } from 'react';

/** What to do by the key that is pressed, as the browser names it. */
type Shortcuts = Readonly<Partial<Record<'/' | '?' | 'b' | 's' | 'k' | 'Escape', () => void>>>;

const TYPED_INTO = 'input, textarea, select, [contenteditable="true"]';
const OPEN_DIALOG = '[role="dialog"]';

/**
 * Listens for the page's shortcuts. While somebody types, only Escape counts; with a modifier key or below an
 * open dialog nothing does. None of them places an order.
 */
export function useShortcuts(shortcuts: Shortcuts, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const isTyping = event.target instanceof Element && event.target.matches(TYPED_INTO);
      if (isTyping && event.key !== 'Escape') return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const act = shortcuts[key as keyof Shortcuts];
      // What a dialog covers is not steered from above it.
      if (act === undefined || document.querySelector(OPEN_DIALOG) !== null) return;
      if (event.key !== 'Escape') event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [shortcuts, isOn]);
}

const KEY = 'shortcuts';
const watchers = new Set<() => void>();
let isOn = recall(KEY) !== '0';

/** Whether this device's person wants keyboard shortcuts; they are on until switched off. */
export function useShortcutsOn(): boolean {
  return useSyncExternalStore(watch, () => isOn);
}

/** Switches them on or off and remembers it. */
export function setShortcutsOn(next: boolean): void {
  isOn = next;
  remember(KEY, next ? '1' : '0');
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
