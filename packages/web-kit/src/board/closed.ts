import { useSyncExternalStore } from 'react';
import { onRemembered, recall, remember } from '../storage.ts';

const KEY = 'Board-Closed';
/** More than a home screen ever shows; the oldest are forgotten first. */
const MOST = 100;
const followers = new Set<() => void>();

/** What somebody closed on this device: an entry's next version is shown again. */
function closedText(): string {
  return recall(KEY) ?? '';
}

/** How an entry is remembered. */
export function markOf({ code, version }: { readonly code: string; readonly version: number }): string {
  return `${code}@${version}`;
}

/** Closes an entry for good on this device. */
export function close(entry: { readonly code: string; readonly version: number }): void {
  const known = closedText().split(' ').filter(Boolean);
  const mark = markOf(entry);
  if (!known.includes(mark)) remember(KEY, [...known, mark].slice(-MOST).join(' '));
  for (const tell of followers) tell();
}

/** The marks of what was closed here. */
export function useClosed(): ReadonlySet<string> {
  return new Set(useSyncExternalStore(follow, closedText).split(' '));
}

function follow(changed: () => void): () => void {
  followers.add(changed);
  const stop = onRemembered(KEY, changed);
  return () => {
    followers.delete(changed);
    stop();
  };
}
