import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Caller, SignedInCaller } from '../../platform/http/route.ts';
import { addressGroup, addressNetwork } from '../../platform/limits/address-group.ts';
import type { Account } from './account-repository.ts';
import type { SentSolution } from './challenges.ts';
import { boundTo, type Act, type ActWords } from './acts.ts';
import { isForVisitors, type Lane, type Purpose } from './domain/mailed-code.ts';
import type { Proving } from './mailed-codes.ts';
import type { IdentityParts } from './parts.ts';
import type { NoticeName } from './words/shape.ts';

/** Stands for the owner of an address that nobody has, so that looking takes the same steps. */
const NOBODY = '00000000-0000-0000-0000-000000000000' as UserId;

/** An address that a caller wants to prove, and whose it is. */
export interface Asked {
  readonly proving: Proving;
  readonly account: Account | undefined;
}

/**
 * Who asks: everything that is counted about codes is counted apart for strangers and for those who are, or have
 * been, signed in. A code for a change of one's own account is for its owner: refuses others with
 * `l.session_ended`, and an owner who names another's address.
 */
export async function askedBy(
  parts: IdentityParts,
  email: string,
  purpose: Purpose,
  caller: Caller,
): Promise<Asked> {
  if (!isForVisitors(purpose) && caller.session === undefined)
    throw new Refused(refusal('sessionEnded', 'l.session_ended'));
  const account = await parts.accounts.byEmail(email);
  const hasBeenHere = await parts.sessions.hasBeenAt(account?.id ?? NOBODY, caller.address);
  const isOwner = caller.session !== undefined && caller.session.userId === account?.id;
  // A code that binds a new address goes to that address.
  if (!isForVisitors(purpose) && !isOwner && purpose !== 'bind')
    throw new Refused(refusal('invalidField', 'l.email_invalid', { field: 'email' }));
  const lane: Lane = isForVisitors(purpose) ? (isOwner || hasBeenHere ? 'known' : 'stranger') : 'own';
  return { proving: { email, purpose, lane }, account };
}

/** What a code is good for alone, and the work that its caller shows. */
interface CodeOptions {
  readonly about?: string | undefined;
  readonly shown?: ActWords | undefined;
  readonly work?: SentSolution | undefined;
}

/** Mails a code to an address in its stored spelling; the answer is the same whoever has it. */
export async function sendCode(
  parts: IdentityParts,
  email: string,
  purpose: Purpose,
  caller: Caller,
  options: CodeOptions = {},
): Promise<{ wait: number }> {
  const { proving, account } = await askedBy(parts, email, purpose, caller);
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
 * Mails a code that confirms one call with these fields alone, and says so.  `shown` is what the mail calls it.
 */
export function sendActCode(
  parts: IdentityParts,
  email: string,
  act: Act,
  caller: Caller,
  shown: ActWords | undefined,
): Promise<{ wait: number }> {
  const purpose = act.endpoint.access.mailCode;
  if (purpose === undefined) throw new Error(`${act.endpoint.path} demands no code`);
  return sendCode(parts, email, purpose, caller, { about: boundTo(act), shown });
}

/** As `sendActCode`, to the caller's own address. */
export async function sendOwnActCode(
  parts: IdentityParts,
  caller: SignedInCaller,
  act: Act,
  shown?: ActWords,
): Promise<{ wait: number }> {
  const account = await parts.accounts.byId(caller.session.userId);
  if (account === undefined) throw new Refused(refusal('sessionEnded', 'l.session_ended'));
  return sendActCode(parts, account.email, act, caller, shown);
}

/** Who registers has no account yet; who binds an address takes one that is free, or shows that theirs is theirs. */
function insteadOf(purpose: Purpose, account: Account | undefined, caller: Caller): NoticeName | undefined {
  if (purpose === 'register') return account === undefined ? undefined : 'alreadyRegistered';
  if (purpose !== 'bind') return account === undefined ? 'noAccount' : undefined;
  return account === undefined || account.id === caller.session?.userId ? undefined : 'addressTaken';
}

/** Exchanges a right code for a ticket. */
export async function exchangeCode(
  parts: IdentityParts,
  email: string,
  purpose: Purpose,
  code: string,
  caller: Caller,
): Promise<{ ticket: string }> {
  const { proving } = await askedBy(parts, email, purpose, caller);
  return parts.codes.exchange(proving, code);
}
