import { readStored, store } from '../storage.ts';

/**
 * Storage key of the ids of accounts that have completed all first steps, kept on this device to save
 * requests.
 */
const KEY = 'start-done';
const ACCOUNTS_MAX = 10;

function storedAccounts(): readonly string[] {
  return (readStored(KEY) ?? '').split(' ').filter(Boolean);
}

/** Stores that an account has completed all first steps. */
export function rememberStartDone(userId: string): void {
  if (!isStartDone(userId)) store(KEY, [userId, ...storedAccounts()].slice(0, ACCOUNTS_MAX).join(' '));
}

/** True when the account is stored as having completed all first steps. */
export function isStartDone(userId: string): boolean {
  return storedAccounts().includes(userId);
}
