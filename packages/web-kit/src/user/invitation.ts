import { recall, remember } from '../storage.ts';

/** The code of the invitation link that was opened last on this device; there is none once an account was opened. */
const INVITATION_KEY = 'Invitation-Code';
const CODE = /^[0-9A-Za-z]{1,20}$/;

/** Stores the code of an invitation link, so that it is still there after a look around; ignores what is no code. */
export function storeInvitation(code: string): void {
  if (CODE.test(code)) remember(INVITATION_KEY, code);
}

/** Returns the stored code, or an empty text. */
export function storedInvitation(): string {
  const code = recall(INVITATION_KEY) ?? '';
  return CODE.test(code) ? code : '';
}

/** Removes the code: it has been used. */
export function removeInvitation(): void {
  remember(INVITATION_KEY, null);
}
