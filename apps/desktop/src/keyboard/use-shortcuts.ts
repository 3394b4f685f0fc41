import { readStored, store } from '@exchange/web-kit/storage.ts';
import { useEffect, useSyncExternalStore } from 'react';

/** The function that each key calls; keys have the names of `KeyboardEvent.key`, letters in lower case. */
type Shortcuts = Readonly<Partial<Record<'/' | '?' | 'b' | 's' | 'k' | 'Escape', () => void>>>;

const TYPED_INTO = 'input, textarea, select, [contenteditable="true"]';
const OPEN_DIALOG = '[role="dialog"]';

/**
 * Hook that calls a shortcut's function when its key is pressed while the component is mounted and `isOn` is
 * true, and prevents the browser's default action except for Escape. While an input, a menu or editable text
 * has the focus only Escape works; with Ctrl, Meta or Alt pressed, while a dialog is open, and for a key that
 * another listener has handled, no shortcut works.
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
