import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/** Purpose of a mailed code. `reset` is for a forgotten password only. */
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
 * Category of a caller who requests or enters a mailed code. `own`: the signed-in user, for an action of the
 * account. For registration, sign-in and reset, `known`: the signed-in owner, or a network on which the
 * account was signed in before; `stranger`: everybody else. Codes and budgets are separate per category, so
 * strangers cannot use up the owner's.
 */
export type Lane = 'own' | 'known' | 'stranger';

/** Purposes of mailed codes that are available without a session. */
const FOR_VISITORS: ReadonlySet<Purpose> = new Set(['register', 'login', 'reset']);

/**
 * Hourly budget that a mailed code counts against; exhausting one leaves the others: registrations
 * and sign-ins (including resets) by strangers, and all codes for owners.
 */
export type CodeBudget = 'registration' | 'access' | 'owners';

export const CODE_RULES = {
  digits: 6,
  /**
   * Length of an unguessable mailed code, used while codes of the address are being guessed or
   * requested excessively.
   */
  longDigits: 16,
  validMs: 10 * MINUTE_MS,
  /**
   * Wrong attempts after which a short mailed code is invalid; counted separately for its requester
   * and for others.
   */
  tries: 5,
  /** Attempts by strangers at short codes of one address and purpose, in any 24 hours. */
  strangerGuessesDay: 50,
  /** Seconds until the next mailed code of the same purpose for the same address. */
  waitS: 60,
  /**
   * When this many codes were mailed to an address within an hour or a day, the next code is sent only after the
   * previous one has expired, so that the owner always has a valid code.
   */
  quickPerHour: 5,
  quickPerDay: 10,
  perOriginHour: 20,
  perNetworkHour: 100,
  /**
   * Greatest number of mailed codes in any 24 hours, of all purposes, from one stranger's IP address to one
   * mailbox.
   */
  perOriginToAddressDay: 10,
  /** Greatest number of mailed codes per hour, by budget. */
  budgets: {
    registration: 1_000,
    access: 1_000,
    owners: 1_000,
  },
  /** Part of a stranger's hourly code budget that is available without proof of work. */
  freeHour: 300,
  /**
   * Maximum share of the remaining code budget per IP address (`origin`) and per network, for
   * owners.
   */
  ownerShares: {
    origin: 1 / 30,
    network: 1 / 8,
  },
  /**
   * Maximum share of the free code budget per IP address and network, for strangers without proof
   * of work.
   */
  freeShares: {
    origin: 1 / 10,
    network: 1 / 6,
  },
  /**
   * Maximum share of the whole code budget per IP address and network, for strangers with proof of
   * work, in addition to the free shares.
   */
  workedShares: {
    origin: 1 / 50,
    network: 1 / 40,
  },
  /**
   * Minimum size of a share with proof of work, in mailed codes per hour, while any budget is left.
   */
  workedLeast: 2,
  /**
   * Required difficulty of the proof of work in zero bits, by the used fraction of the budget or of
   * the caller's largest share.
   */
  workSteps: [
    { from: 0.85, bits: 20 },
    { from: 0.7, bits: 19 },
    { from: 0.5, bits: 18 },
    { from: 0.3, bits: 17 },
    { from: 0, bits: 16 },
  ],
  /**
   * A proof-of-work solution may be easier than the current difficulty by at most this many bits.
   */
  workTolerance: 1,
  challengeMs: 3 * MINUTE_MS,
  ticketMs: 10 * MINUTE_MS,
} as const;

/** Counts of earlier requests for mailed codes, which limit the next code. */
export interface CodeRequestCounts {
  readonly budget: CodeBudget;
  /** Times of mailed codes for this address, purpose and category in the last 24 hours, newest first. */
  readonly byAddress: readonly Instant[];
  /** Whether short codes were guessed until invalid, or strangers have used up their attempts. */
  readonly isGuessedAt: boolean;
  /**
   * Number of mailed codes of this budget from the caller's IP address and network, without and
   * with proof of work.
   */
  readonly byOriginLastHour: number;
  readonly byNetworkLastHour: number;
  readonly workedByOriginLastHour: number;
  readonly workedByNetworkLastHour: number;
  readonly byOriginToAddressLastDay: number;
  /** Number of codes of this budget that were mailed to all callers together in the last hour. */
  readonly ofBudgetLastHour: number;
}

/** The hourly code budget for a purpose and caller category. */
export function budgetOf(lane: Lane, purpose: Purpose): CodeBudget {
  if (lane !== 'stranger') return 'owners';
  return purpose === 'register' ? 'registration' : 'access';
}

export function isForVisitors(purpose: Purpose): boolean {
  return FOR_VISITORS.has(purpose);
}

/**
 * Decides a request for a mailed code: `send`, require `work` of the given bits, or refuse. `workedBits` is
 * the difficulty of the solved challenge, if any. The decision is the same for known and unknown addresses.
 * Requests of others for the same address make its owner wait at most ten minutes, during which the code
 * mailed last is valid; a used-up budget or share can refuse the owner for longer.
 */
export function codeDecision(
  counts: CodeRequestCounts,
  now: Instant,
  workedBits: number | undefined,
): { readonly send: true } | { readonly work: number } | { readonly refused: Refusal } {
  const [newest] = counts.byAddress;
  const waitMs = isCrowded(counts, now) ? CODE_RULES.validMs : CODE_RULES.waitS * SECOND_MS;
  if (newest !== undefined && now - newest < waitMs) {
    const seconds = Math.ceil((newest + waitMs - now) / SECOND_MS);
    return { refused: refusal('rateLimited', 'l.code_wait', { seconds: String(seconds) }) };
  }
  if (isWithinShares(counts)) return { send: true };
  if (!isWithinWorkedShares(counts)) return { refused: refusal('rateLimited', 'l.code_budget') };
  const bits = workDemanded(counts);
  return workedBits !== undefined && workedBits >= bits - CODE_RULES.workTolerance
    ? { send: true }
    : { work: bits };
}

/**
 * Number of digits of the next mailed code; long if codes of the address are being guessed or
 * requested excessively.
 */
export function digitsOfNext(counts: CodeRequestCounts, now: Instant): number {
  return counts.isGuessedAt || isCrowded(counts, now) ? CODE_RULES.longDigits : CODE_RULES.digits;
}

function isCrowded({ byAddress }: CodeRequestCounts, now: Instant): boolean {
  const countWithin = (ms: number) => byAddress.filter((at) => now - at < ms).length;
  return countWithin(HOUR_MS) >= CODE_RULES.quickPerHour || countWithin(DAY_MS) >= CODE_RULES.quickPerDay;
}

/**
 * Whether a code request fits the caller's share without proof of work. Shares shrink with the
 * remaining budget, so a few fast callers leave room for others.
 */
function isWithinShares(counts: CodeRequestCounts): boolean {
  const { budget, byOriginLastHour, byNetworkLastHour, ofBudgetLastHour } = counts;
  const isOwner = budget === 'owners';
  const total = isOwner ? CODE_RULES.budgets.owners : CODE_RULES.freeHour;
  const shares = isOwner ? CODE_RULES.ownerShares : CODE_RULES.freeShares;
  const left = total - ofBudgetLastHour;
  return (
    byOriginLastHour < Math.min(CODE_RULES.perOriginHour, left * shares.origin) &&
    byNetworkLastHour < Math.min(CODE_RULES.perNetworkHour, left * shares.network) &&
    (isOwner || counts.byOriginToAddressLastDay < CODE_RULES.perOriginToAddressDay)
  );
}

/** Whether a code request with proof of work fits the stranger's share. */
function isWithinWorkedShares(counts: CodeRequestCounts): boolean {
  if (counts.budget === 'owners' || counts.byOriginToAddressLastDay >= CODE_RULES.perOriginToAddressDay)
    return false;
  const { origin, network } = workedSharesOf(CODE_RULES.budgets[counts.budget] - counts.ofBudgetLastHour);
  return counts.workedByOriginLastHour < origin && counts.workedByNetworkLastHour < network;
}

function workedSharesOf(left: number): { readonly origin: number; readonly network: number } {
  if (left <= 0) return { origin: 0, network: 0 };
  const { workedShares, workedLeast } = CODE_RULES;
  return {
    origin: Math.max(workedLeast, left * workedShares.origin),
    network: Math.max(workedLeast, left * workedShares.network),
  };
}

/**
 * Zero bits of proof of work required for the next mailed code. Grows with the use of the budget
 * and of the caller's own share.
 */
function workDemanded(counts: CodeRequestCounts): number {
  const total = CODE_RULES.budgets[counts.budget];
  const shares = workedSharesOf(total);
  const use = Math.max(
    counts.ofBudgetLastHour / total,
    counts.workedByOriginLastHour / shares.origin,
    counts.workedByNetworkLastHour / shares.network,
  );
  return CODE_RULES.workSteps.find(({ from }) => use >= from)!.bits;
}

/** An open mailed code, with the attempts made at it. */
export interface TriedCode {
  readonly lane: Lane;
  readonly digits: number;
  readonly tries: number;
  readonly strangerTries: number;
}

/**
 * The counter that an attempt at a mailed code uses, or undefined if no attempts are left. Long
 * codes have no limit. For short codes, the requester and strangers have separate counters.
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
