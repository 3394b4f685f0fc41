import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/** What a mailed code is for. `reset` is only for a forgotten login password. */
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
 * Category of a caller who requests or enters a mailed code. `own`: the signed-in user, for an action of the account.
 * For registration, login and reset, `known` is the signed-in owner, or a network from which somebody was signed in to
 * the account before; `stranger` is everybody else. Codes and budgets are separate per category, so that strangers
 * cannot use up those of the owner.
 */
export type Lane = 'own' | 'known' | 'stranger';

/** Purposes for which a visitor who is not signed in can have a code mailed. */
const FOR_VISITORS: ReadonlySet<Purpose> = new Set(['register', 'login', 'reset']);

/**
 * Hourly budget against which a mailed code counts; when one budget is used up, the others remain. `registration` and
 * `access` (login and reset): requests by strangers. `owners`: requests of the categories `own` and `known`.
 */
export type CodeBudget = 'registration' | 'access' | 'owners';

export const CODE_RULES = {
  digits: 6,
  /** Number of digits of a mailed code that cannot be guessed; `digitsOfNext` determines when it is used. */
  longDigits: 16,
  validMs: 10 * MINUTE_MS,
  /**
   * Number of attempts at a short mailed code, after which it accepts no more. Attempts by strangers at a code that was
   * not requested by a stranger have a count of their own, so that they cannot invalidate it for its requester.
   */
  tries: 5,
  /** Greatest number of attempts by strangers at short codes of one address and purpose in any 24 hours. */
  strangerGuessesDay: 50,
  /**
   * Seconds that must pass before another code of the same purpose is mailed to the same address for the same category
   * of caller.
   */
  waitS: 60,
  /**
   * Numbers of codes of one purpose mailed to an address within an hour and within a day, for one category of caller.
   * When one is reached, the next code is sent only after the previous one has expired, so that the owner always has a
   * valid code.
   */
  quickPerHour: 5,
  quickPerDay: 10,
  perOriginHour: 20,
  perNetworkHour: 100,
  /**
   * A stranger's request is refused if this number of codes, of all purposes, was mailed to the email address
   * in the last 24 hours at the request of the same IP address.
   */
  perOriginToAddressDay: 10,
  /** Greatest number of codes that are mailed per hour, by budget. */
  budgets: {
    registration: 1_000,
    access: 1_000,
    owners: 1_000,
  },
  /**
   * Number of codes of a stranger budget (`registration` or `access`), mailed within the last hour with or
   * without proof of work, from which on every stranger needs proof of work.
   */
  freeHour: 300,
  /**
   * For owners: the fractions of the codes left in the hourly budget up to which one IP address (`origin`), and one
   * network, can request codes.
   */
  ownerShares: {
    origin: 1 / 30,
    network: 1 / 8,
  },
  /**
   * For strangers without proof of work: the fractions of the codes left of `freeHour` up to which one IP address
   * (`origin`), and one network, can request codes.
   */
  freeShares: {
    origin: 1 / 10,
    network: 1 / 6,
  },
  /**
   * For strangers with proof of work: the fractions of the codes left in the whole hourly budget up to which one IP
   * address (`origin`), and one network, can request codes. Codes without proof of work do not count towards them.
   */
  workedShares: {
    origin: 1 / 50,
    network: 1 / 40,
  },
  /**
   * Number of codes per hour that an IP address or a network can request with proof of work at least, as long as any
   * code of the budget is left.
   */
  workedLeast: 2,
  /**
   * Required zero bits of a proof of work, by usage: the used fraction of the hourly budget, of the IP address's share
   * with proof of work or of the network's share, whichever is greatest.
   */
  workSteps: [
    { from: 0.85, bits: 20 },
    { from: 0.7, bits: 19 },
    { from: 0.5, bits: 18 },
    { from: 0.3, bits: 17 },
    { from: 0, bits: 16 },
  ],
  /** Number of bits by which a proof-of-work solution may be easier than the current difficulty. */
  workTolerance: 1,
  challengeMs: 3 * MINUTE_MS,
  ticketMs: 10 * MINUTE_MS,
} as const;

/** The numbers of earlier requests for mailed codes on which the decision about the next request depends. */
export interface CodeRequestCounts {
  readonly budget: CodeBudget;
  /**
   * Times at which codes for this address, purpose and category of caller were mailed in the last 24 hours, newest
   * first.
   */
  readonly byAddress: readonly Instant[];
  /**
   * True if, in the last 24 hours, a short code for this address, purpose and category of caller became
   * invalid because of wrong attempts, or if strangers have used up their daily attempts for this address and
   * purpose.
   */
  readonly isGuessedAt: boolean;
  /**
   * Numbers of codes of this budget that were mailed in the last hour at the request of the caller's IP address and
   * network, without and with proof of work.
   */
  readonly byOriginLastHour: number;
  readonly byNetworkLastHour: number;
  readonly workedByOriginLastHour: number;
  readonly workedByNetworkLastHour: number;
  readonly byOriginToAddressLastDay: number;
  /** Number of codes of this budget that were mailed in the last hour at the request of all callers together. */
  readonly ofBudgetLastHour: number;
}

/** The name of the hourly budget to which mailed codes for this category of caller and this purpose count. */
export function budgetOf(lane: Lane, purpose: Purpose): CodeBudget {
  if (lane !== 'stranger') return 'owners';
  return purpose === 'register' ? 'registration' : 'access';
}

export function isForVisitors(purpose: Purpose): boolean {
  return FOR_VISITORS.has(purpose);
}

/**
 * Decides about a request for a mailed code: `send` it, require proof of `work` with a number of bits, or refuse.
 * `workedBits` is the difficulty of the challenge that the caller solved; undefined if none was solved. The decision is
 * the same for addresses with and without an account. Requests by others for the same address delay its owner by at
 * most ten minutes, during which the last mailed code is valid; a used-up budget or share can refuse the owner for
 * longer.
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
 * Number of digits of the next mailed code: `longDigits` if `isGuessedAt` is true, or if `quickPerHour` codes in the
 * last hour or `quickPerDay` in the last 24 hours were mailed to the address for the same purpose and category of
 * caller; otherwise `digits`.
 */
export function digitsOfNext(counts: CodeRequestCounts, now: Instant): number {
  return counts.isGuessedAt || isCrowded(counts, now) ? CODE_RULES.longDigits : CODE_RULES.digits;
}

function isCrowded({ byAddress }: CodeRequestCounts, now: Instant): boolean {
  const countWithin = (ms: number) => byAddress.filter((at) => now - at < ms).length;
  return countWithin(HOUR_MS) >= CODE_RULES.quickPerHour || countWithin(DAY_MS) >= CODE_RULES.quickPerDay;
}

/**
 * True if a request for a code fits the caller's share without proof of work. The shares become smaller with the
 * remaining budget, so that a few fast callers leave room for others.
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

/**
 * True if a stranger can have another code mailed with proof of work: the caller's IP address has requested
 * fewer than `perOriginToAddressDay` codes for this email address in the last 24 hours, and the IP address
 * and its network have not used up their shares of the hourly budget. False for the budget `owners`, which
 * has no proof of work.
 */
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
 * Number of zero bits of proof of work that the next mailed code requires. It grows with the used fraction of the
 * hourly budget of all callers, of the IP address's share or of its network's share, whichever is greatest.
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

/**
 * A mailed code that is neither closed nor expired, with the numbers of attempts made at it. `strangerTries` counts
 * attempts by strangers at a code that a known caller or the owner requested; `tries` counts all other attempts.
 */
export interface TriedCode {
  readonly lane: Lane;
  readonly digits: number;
  readonly tries: number;
  readonly strangerTries: number;
}

/**
 * The counter that an attempt at a mailed code increments; undefined if no attempts are left. Attempts at long codes
 * are not limited. For short codes, strangers have a separate counter, unless a stranger requested the code, and a
 * daily limit.
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
