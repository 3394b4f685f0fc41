import { readStored, store } from '../storage.ts';

/**
 * Local storage key of the code in the last opened invitation link; the code is removed after a registration.
 */
const INVITATION_KEY = 'Invitation-Code';
const CODE = /^[0-9A-Za-z]{1,20}$/;

/** Stores the code of an invitation link for a later registration; does nothing for an invalid code. */
export function storeInvitation(code: string): void {
  if (CODE.test(code)) store(INVITATION_KEY, code);
}

/** Returns the invitation code in the browser's local storage; an empty text if it contains no valid code. */
export function storedInvitation(): string {
  const code = readStored(INVITATION_KEY) ?? '';
  return CODE.test(code) ? code : '';
}

/** Removes the stored invitation code after registration. */
export function removeInvitation(): void {
  store(INVITATION_KEY, null);
}
