import { recall, remember } from '@exchange/web-kit/storage.ts';
import { useSyncExternalStore } from 'react';

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
