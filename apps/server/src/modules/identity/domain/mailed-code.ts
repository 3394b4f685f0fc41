import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/** What a code proves the address for. `reset` is the forgotten password: it opens nothing else. */
export type Purpose =
  | 'register'
  | 'login'
  | 'bind'
  | 'withdraw'
  | 'address'
  | 'tradePassword'
  | 'password'
  | 'reset';

/**
 * Who asks for a code: its owner, signed in; somebody on a network where the account has been signed in; or
 * anybody. Codes and their budgets are kept apart, so that strangers use up nothing of an owner's.
 */
export type Lane = 'own' | 'known' | 'stranger';

/** Purposes that somebody without a session may ask a code for. */
const FOR_VISITORS: ReadonlySet<Purpose> = new Set(['register', 'login', 'reset']);

export const CODE_RULES = {
  digits: 6,
  /** Of a code that cannot be guessed, mailed while somebody is guessing or asking all the time. */
  longDigits: 16,
  validMs: 10 * MINUTE_MS,
  /** Wrong ones, by those who asked for it and as many by others, until a short code is dead. */
  tries: 5,
  /** At short codes of one address and purpose, by strangers, within a day of asking. */
  strangerGuessesDay: 50,
  /** Until the next one of the same purpose to the same address. */
  waitS: 60,
  /** From so many on the next comes only when the last has expired: there is always one that is good. */
  quickPerHour: 5,
  quickPerDay: 10,
  perOriginHour: 20,
  perNetworkHour: 100,
  /** From one stranger's network address to one mailbox, of all purposes. */
  perOriginToAddressDay: 10,
  everybodyHour: 1_000,
  /** The rest is kept for owners. */
  strangersHour: 800,
  /** One network address, and one network, get no more than this part of what is left. */
  originShare: 1 / 30,
  networkShare: 1 / 8,
  ticketMs: 10 * MINUTE_MS,
} as const;

/** The codes asked for so far, as far as they count for the next one. */
export interface AskedCodes {
  readonly lane: Lane;
  /** When this address had one of this purpose and lane, newest first, within a day. */
  readonly byAddress: readonly Instant[];
  /** Whether short ones of these were guessed at until they were dead, or strangers have no guesses left. */
  readonly isGuessedAt: boolean;
  /** By strangers, or by owners, whichever asks. */
  readonly byOriginLastHour: number;
  readonly byNetworkLastHour: number;
  readonly byOriginToAddressLastDay: number;
  readonly byStrangersLastHour: number;
  readonly byEverybodyLastHour: number;
}

export function isForVisitors(purpose: Purpose): boolean {
  return FOR_VISITORS.has(purpose);
}

/**
 * Why no code is sent now, or undefined. The same for addresses we know and those we do not. However many ask
 * for an address, its owner waits ten minutes at most, and has then been mailed a code that is still good.
 */
export function codeProblem(asked: AskedCodes, now: Instant): Refusal | undefined {
  const [newest] = asked.byAddress;
  const waitMs = isCrowded(asked, now) ? CODE_RULES.validMs : CODE_RULES.waitS * SECOND_MS;
  if (newest !== undefined && now - newest < waitMs) {
    const seconds = Math.ceil((newest + waitMs - now) / SECOND_MS);
    return refusal('rateLimited', 'l.code_wait', { seconds: String(seconds) });
  }
  return isWithinShares(asked) ? undefined : refusal('rateLimited', 'l.code_budget');
}

/** How many digits the next code has: more than anybody can guess once somebody tries, or keeps asking. */
export function digitsOfNext(asked: AskedCodes, now: Instant): number {
  return asked.isGuessedAt || isCrowded(asked, now) ? CODE_RULES.longDigits : CODE_RULES.digits;
}

function isCrowded({ byAddress }: AskedCodes, now: Instant): boolean {
  const within = (ms: number) => byAddress.filter((at) => now - at < ms).length;
  return within(HOUR_MS) >= CODE_RULES.quickPerHour || within(DAY_MS) >= CODE_RULES.quickPerDay;
}

/**
 * The shares shrink with what is left of everybody's budget: a few addresses, however fast, leave room for one
 * that has asked for little.
 */
function isWithinShares(asked: AskedCodes): boolean {
  const left = CODE_RULES.everybodyHour - asked.byEverybodyLastHour;
  const leftToLane =
    asked.lane === 'stranger' ? Math.min(left, CODE_RULES.strangersHour - asked.byStrangersLastHour) : left;
  const ofOrigin = Math.min(CODE_RULES.perOriginHour, leftToLane * CODE_RULES.originShare);
  const ofNetwork = Math.min(CODE_RULES.perNetworkHour, leftToLane * CODE_RULES.networkShare);
  return (
    asked.byOriginLastHour < ofOrigin &&
    asked.byNetworkLastHour < ofNetwork &&
    (asked.lane !== 'stranger' || asked.byOriginToAddressLastDay < CODE_RULES.perOriginToAddressDay)
  );
}

/** An open code as far as the next try at it is concerned. */
export interface TriedCode {
  readonly lane: Lane;
  readonly digits: number;
  readonly tries: number;
  readonly strangerTries: number;
}

/**
 * Which count a try at a code uses up, or undefined where none is left. A long code is never used up. Those
 * who asked for a short one have five tries that nobody else can take; strangers have theirs apart.
 */
export function countOfTry(
  code: TriedCode,
  by: Lane,
  strangerGuesses: number,
): 'tries' | 'strangerTries' | undefined {
  const count = by === 'stranger' && code.lane !== 'stranger' ? 'strangerTries' : 'tries';
  if (code.digits > CODE_RULES.digits) return count;
  if (by === 'stranger' && strangerGuesses >= CODE_RULES.strangerGuessesDay) return undefined;
  return code[count] < CODE_RULES.tries ? count : undefined;
}
