import type { Instant } from '@exchange/core/time.ts';
import type { MailMessage } from '../../platform/mail/mail.ts';
import type { Invited } from './domain.ts';

/** What an invited operator is told, in English as their console speaks: the code, and until when it lets them begin. */
export function invitationMail(
  { name, roles, email }: Invited,
  { code, until }: { readonly code: string; readonly until: Instant },
): MailMessage {
  const lines = [
    `You are invited to the operators’ console as “${name}” (${roles.join(', ')}).`,
    `Open the console, choose “Set up an account with a one-time code” and enter this code:`,
    code,
    `It works until ${minuteOf(until)} or your first sign-in. Whoever invited you does not know it, and nobody will ask you for it.`,
    'If you did not expect this invitation, do not use the code, and tell an owner of the console.',
  ];
  return {
    ...{ to: email, purpose: 'operator.invitation', order: 'first', code },
    ...{ subject: 'Your invitation to the operators’ console', text: `${lines.join('\n\n')}\n` },
  };
}

/** What goes to the address that an operator had, when they are invited at another one. */
export function movedMail({ name }: Invited, email: string): MailMessage {
  const lines = [
    `The operator “${name}” of the console was reset, and is invited at another address than this one.`,
    'Password and authenticator that were used so far are void. If you did not ask for this, tell an owner of the console at once.',
  ];
  return {
    ...{ to: email, purpose: 'operator.moved', order: 'first' },
    ...{ subject: 'Your operator account was reset', text: `${lines.join('\n\n')}\n` },
  };
}

function minuteOf(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
