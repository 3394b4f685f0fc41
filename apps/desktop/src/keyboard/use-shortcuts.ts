import { readStored, store } from '@exchange/web-kit/storage.ts';
import { useEffect, useSyncExternalStore } from 'react';

/** Functions by the key that triggers them, as the browser names the key (`KeyboardEvent.key`). */
type Shortcuts = Readonly<Partial<Record<'/' | '?' | 'b' | 's' | 'k' | 'Escape', () => void>>>;

const TYPED_INTO = 'input, textarea, select, [contenteditable="true"]';
const OPEN_DIALOG = '[role="dialog"]';

/**
 * Registers keyboard shortcuts while the page is mounted and `isOn` is true. While a text field has the focus only
 * Escape works; with Ctrl, Meta or Alt pressed, or while a dialog is open, no shortcut works.
 */
export function useShortcuts(shortcuts: Shortcuts, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const isTyping = event.target instanceof Element && event.target.matches(TYPED_INTO);
      if (isTyping && event.key !== 'Escape') return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const act = shortcuts[key as keyof Shortcuts];
      if (act === undefined || document.querySelector(OPEN_DIALOG) !== null) return;
      if (event.key !== 'Escape') event.preventDefault();
      act();
    };
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [shortcuts, isOn]);
}

const KEY = 'shortcuts';
const watchers = new Set<() => void>();
let isOn = readStored(KEY) !== '0';

export function useShortcutsOn(): boolean {
  return useSyncExternalStore(watch, () => isOn);
}

/** Enables or disables the keyboard shortcuts, and stores the choice on this device. */
export function setShortcutsOn(next: boolean): void {
  isOn = next;
  store(KEY, next ? '1' : '0');
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
