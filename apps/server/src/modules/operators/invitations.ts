import { createHash } from 'node:crypto';
import { normaliseEmail } from '@exchange/core/email.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Mail, MailMessage } from '../../platform/mail/mail.ts';
import { systemRandom } from '../../platform/secrets/random.ts';
import { LIFETIMES, NAME, type Invitation } from './domain.ts';
import { replaceRecoveryCodes } from './sign-in-repository.ts';
import * as rows from './repository.ts';

const SET_UP_BYTES = 15;
const FIRST_OWNER = { name: 'owner', roles: ['owner'], email: null } as const;

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly mail: Mail;
}

/**
 * Invitations of operators with one-time set-up codes. A code is mailed only to the invited person, so that neither the
 * inviter nor the approver can use it. The code of the first owner is printed by the server at its start. Only digests
 * of the codes are stored.
 */
export class Invitations {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Creates the set-up code of the first owner, which the server prints at start. If the first owner's account
   * exists, it loses all credentials and sessions.
   */
  inviteFirstOwner(): Promise<string> {
    return this.parts.database.transaction(async (tx) => (await this.admit(tx, FIRST_OWNER)).code);
  }

  /**
   * Adds an operator, or resets an existing one with the new roles: enables the operator, invalidates the credentials
   * and sessions, and mails a one-time set-up code. If the email address of an existing operator changes, the previous
   * address gets a mail too.
   */
  async invite(invited: Invitation): Promise<void> {
    const { database, mail } = this.parts;
    await database.transaction(async (tx) => {
      const existing = await rows.operatorRow(tx, invited.name);
      const admitted = await this.admit(tx, invited);
      await mail.write(tx, invitationMail(invited, admitted));
      const previousEmail = existing?.email ?? invited.email;
      if (previousEmail !== invited.email) await mail.write(tx, movedMail(invited, previousEmail));
    });
  }

  private async admit(tx: Tx, { name, roles, email }: Omit<Invitation, 'email'> & { email: string | null }) {
    const now = instant(this.parts.clock.now());
    const expiresAt: Instant = instant(now + LIFETIMES.setUp);
    const code = systemRandom.bytes(SET_UP_BYTES).toString('hex');
    await rows.insertOperator(tx, { name, roles: [...roles], created_at: BigInt(now) });
    await rows.changeOperator(tx, name, {
      roles: [...roles],
      email,
      password_hash: null,
      totp: null,
      totp_step: null,
      is_disabled: false,
      confirmed_at: null,
      set_up_hash: setUpDigest(code),
      set_up_until: BigInt(expiresAt),
    });
    await replaceRecoveryCodes(tx, name, []);
    await rows.endSessionsOf(tx, name);
    return { code, expiresAt };
  }
}

/** SHA-256 of a one-time set-up code; only this digest is stored, and an entered code is found by it. */
export function setUpDigest(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

/** Returns the name of a new operator; throws `Refused` if it is malformed. */
export function parseNewName(text: string): string {
  if (NAME.test(text)) return text;
  throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'name', value: text }));
}

/** Returns the normalized email address of an invitation; throws `Refused` if it is malformed. */
export function parseEmail(text: string): string {
  if (text.trim() === '') throw new Refused(refusal('invalidField', 'l.field_required', { field: 'email' }));
  const email = normaliseEmail(text);
  if (email !== undefined) return email;
  throw new Refused(refusal('invalidField', 'l.email_invalid', { field: 'email' }));
}

/** The mail to an invited operator, in English like the console, with the code and its expiry. */
function invitationMail(
  { name, roles, email }: Invitation,
  { code, expiresAt }: { readonly code: string; readonly expiresAt: Instant },
): MailMessage {
  const lines = [
    `You are invited to the operators’ console as “${name}” (${roles.join(', ')}).`,
    `Open the console, choose “Set up an account with a one-time code” and enter this code:`,
    code,
    `It works until ${minuteOf(expiresAt)} or your first sign-in. Whoever invited you does not know it, and nobody will ask you for it.`,
    'If you did not expect this invitation, do not use the code, and tell an owner of the console.',
  ];
  return {
    to: email,
    purpose: 'operator.invitation',
    order: 'first',
    code,
    subject: 'Your invitation to the operators’ console',
    text: `${lines.join('\n\n')}\n`,
  };
}

/** The mail to the previous email address of an operator who was invited again with another address. */
function movedMail({ name }: Invitation, email: string): MailMessage {
  const lines = [
    `The operator “${name}” of the console was reset, and is invited at another address than this one.`,
    'Password and authenticator that were used so far are void. If you did not ask for this, tell an owner of the console at once.',
  ];
  return {
    to: email,
    purpose: 'operator.moved',
    order: 'first',
    subject: 'Your operator account was reset',
    text: `${lines.join('\n\n')}\n`,
  };
}

function minuteOf(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
