import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Caller, SignedInCaller } from '../../platform/http/route.ts';
import { addressGroup, addressNetwork } from '../../platform/limits/address-group.ts';
import type { Account } from './account-repository.ts';
import type { SentSolution } from './challenges.ts';
import { boundTo, type ConfirmedAction, type ActionWords } from './confirmed-action.ts';
import { isForVisitors, type Lane, type Purpose } from './domain/mailed-code.ts';
import type { Proving } from './mailed-codes.ts';
import type { IdentityParts } from './parts.ts';
import type { NoticeName } from './words/shape.ts';

/**
 * Id in place of the owner's for an email address without an account, so that the same queries run for addresses with
 * and without one.
 */
const NOBODY = '00000000-0000-0000-0000-000000000000' as UserId;

/** An email address that a mailed code has to prove, and the account with this address; undefined if there is none. */
export interface ClassifiedRequest {
  readonly proving: Proving;
  readonly account: Account | undefined;
}

/**
 * Determines the category of the caller, by which limits on codes are counted. For registration, login and reset, a
 * caller is `known` if the caller is signed in to the account, or if a session of the account came from the caller's
 * range of IP addresses; otherwise the caller is a `stranger`. Codes for other purposes are only for the signed-in owner
 * (`own`): visitors are refused with `l.session_ended`, and an address other than that of the account is refused with
 * `l.email_invalid`, except for the purpose `bind`.
 */
export async function classifyRequest(
  parts: IdentityParts,
  email: string,
  purpose: Purpose,
  caller: Caller,
): Promise<ClassifiedRequest> {
  if (!isForVisitors(purpose) && caller.session === undefined)
    throw new Refused(refusal('sessionEnded', 'l.session_ended'));
  const account = await parts.accounts.byEmail(email);
  const hasBeenHere = await parts.sessions.hasBeenAt(account?.id ?? NOBODY, caller.address);
  const isOwner = caller.session !== undefined && caller.session.userId === account?.id;
  // A code of the purpose `bind` may be requested for a new address, which normally belongs to no account.
  if (!isForVisitors(purpose) && !isOwner && purpose !== 'bind')
    throw new Refused(refusal('invalidField', 'l.email_invalid', { field: 'email' }));
  const lane: Lane = isForVisitors(purpose) ? (isOwner || hasBeenHere ? 'known' : 'stranger') : 'own';
  return { proving: { email, purpose, lane }, account };
}

/**
 * Options of `sendCode`: the text of the request's endpoint and fields to which the code is bound (`about`),
 * the description of the request in the mail, and the caller's proof of work.
 */
interface CodeOptions {
  readonly about?: string | undefined;
  readonly actionWords?: ActionWords | undefined;
  readonly work?: SentSolution | undefined;
}

/**
 * Mails a code, or a notice if a code would be useless, to an address. A visitor gets the same answer whether
 * or not the address has an account: `wait`, the number of seconds until the next code can be requested.
 */
export async function sendCode(
  parts: IdentityParts,
  email: string,
  purpose: Purpose,
  caller: Caller,
  options: CodeOptions = {},
): Promise<{ wait: number }> {
  const { proving, account } = await classifyRequest(parts, email, purpose, caller);
  return parts.codes.send({
    ...proving,
    locale: caller.locale,
    origin: addressGroup(caller.address),
    network: addressNetwork(caller.address),
    instead: insteadOf(purpose, account, caller),
    ...options,
  });
}

/**
 * Mails a code that confirms one request with exactly these fields. `shown` is the description of the request
 * in the mail. Returns the number of seconds until the next code can be requested (`wait`).
 */
export function sendActionCode(
  parts: IdentityParts,
  email: string,
  act: ConfirmedAction,
  caller: Caller,
  shown: ActionWords | undefined,
): Promise<{ wait: number }> {
  const purpose = act.endpoint.access.mailCode;
  if (purpose === undefined) throw new Error(`${act.endpoint.path} demands no code`);
  return sendCode(parts, email, purpose, caller, { about: boundTo(act), actionWords: shown });
}

/**
 * Mails a code that confirms an action to the caller's own address, as `sendActionCode` does. Refuses a
 * session whose account no longer exists.
 */
export async function sendOwnActionCode(
  parts: IdentityParts,
  caller: SignedInCaller,
  act: ConfirmedAction,
  shown?: ActionWords,
): Promise<{ wait: number }> {
  const account = await parts.accounts.byId(caller.session.userId);
  if (account === undefined) throw new Refused(refusal('sessionEnded', 'l.session_ended'));
  return sendActionCode(parts, account.email, act, caller, shown);
}

/**
 * The notice that is mailed instead of a code which would be useless; undefined if the code is useful. Registration
 * needs an address without an account, binding needs one without an account or the caller's own, and other purposes
 * need an existing account.
 */
function insteadOf(purpose: Purpose, account: Account | undefined, caller: Caller): NoticeName | undefined {
  if (purpose === 'register') return account === undefined ? undefined : 'alreadyRegistered';
  if (purpose !== 'bind') return account === undefined ? 'noAccount' : undefined;
  return account === undefined || account.id === caller.session?.userId ? undefined : 'addressTaken';
}

/**
 * Exchanges a correct mailed code, which is then used up, for a ticket, which authorizes one later request within
 * `CODE_RULES.ticketMs`. Refuses a wrong code.
 */
export async function exchangeCode(
  parts: IdentityParts,
  email: string,
  purpose: Purpose,
  code: string,
  caller: Caller,
): Promise<{ ticket: string }> {
  const { proving } = await classifyRequest(parts, email, purpose, caller);
  return parts.codes.exchange(proving, code);
}
