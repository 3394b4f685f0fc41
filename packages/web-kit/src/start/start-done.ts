import { readStored, store } from '../storage.ts';

/**
 * Storage key of the IDs of the accounts, at most `ACCOUNTS_MAX`, that have completed all first steps; stored on this
 * device, so that the accounts' data need not be fetched again.
 */
const KEY = 'start-done';
const ACCOUNTS_MAX = 10;

function storedAccounts(): readonly string[] {
  return (readStored(KEY) ?? '').split(' ').filter(Boolean);
}

/** Stores on this device that an account has completed all first steps. */
export function rememberStartDone(userId: string): void {
  if (!isStartDone(userId)) store(KEY, [userId, ...storedAccounts()].slice(0, ACCOUNTS_MAX).join(' '));
}

/** Returns true if this device has stored that the account has completed all first steps. */
export function isStartDone(userId: string): boolean {
  return storedAccounts().includes(userId);
}
