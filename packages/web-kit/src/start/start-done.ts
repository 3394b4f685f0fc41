import { recall, remember } from '../storage.ts';

/** Which accounts have done all steps, as this device has seen; the account itself knows, but asking it costs reads. */
const KEY = 'start-done';
const ACCOUNTS_MOST = 10;

function accounts(): readonly string[] {
  return (recall(KEY) ?? '').split(' ').filter(Boolean);
}

/** Remembers on this device that an account has done all steps. */
export function rememberStartDone(userId: string): void {
  if (!isStartDone(userId)) remember(KEY, [userId, ...accounts()].slice(0, ACCOUNTS_MOST).join(' '));
}

/** Whether an account is known to have done all steps. */
export function isStartDone(userId: string): boolean {
  return accounts().includes(userId);
}
