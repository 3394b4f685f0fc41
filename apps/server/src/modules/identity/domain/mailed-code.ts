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

/**
 * Which budget of mails a code is taken from. Each has its own part of an hour's mails, so that whoever exhausts one
 * leaves the others as they were: registrations, logins and resets asked for by strangers, and all codes of owners.
 */
export type CodeBudget = 'registration' | 'access' | 'owners';

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
  /** Codes per hour, by budget: together what the mail service is asked to send at most. */
  budgets: {
    registration: 1_000,
    access: 1_000,
    owners: 1_000,
  },
  /** So many of a stranger's budget are given without work. */
  freeHour: 300,
  /** What one network address, and one network, get at most of what is left: for owners, */
  ownerShares: {
    origin: 1 / 30,
    network: 1 / 8,
  },
  /** for strangers without work, of the free part, */
  freeShares: {
    origin: 1 / 10,
    network: 1 / 6,
  },
  /** and for strangers who have worked, of the whole budget, beside what they had without work. */
  workedShares: {
    origin: 1 / 50,
    network: 1 / 40,
  },
  /** So many codes an hour a worked-for share never falls below while anything is left. */
  workedLeast: 2,
  /** Zero bits that are demanded from the given use on: of the budget, or of the largest share of one caller. */
  workSteps: [
    { from: 0.85, bits: 20 },
    { from: 0.7, bits: 19 },
    { from: 0.5, bits: 18 },
    { from: 0.3, bits: 17 },
    { from: 0, bits: 16 },
  ],
  /** A challenge is accepted while it demands at most so many bits less than one that is made now. */
  workTolerance: 1,
  challengeMs: 3 * MINUTE_MS,
  ticketMs: 10 * MINUTE_MS,
} as const;

/** The codes asked for so far, as far as they count for the next one. */
export interface AskedCodes {
  readonly budget: CodeBudget;
  /** When this address had one of this purpose and lane, newest first, within a day. */
  readonly byAddress: readonly Instant[];
  /** Whether short ones of these were guessed at until they were dead, or strangers have no guesses left. */
  readonly isGuessedAt: boolean;
  /** Of this budget, from the caller's network address and network: without work, and with. */
  readonly byOriginLastHour: number;
  readonly byNetworkLastHour: number;
  readonly workedByOriginLastHour: number;
  readonly workedByNetworkLastHour: number;
  readonly byOriginToAddressLastDay: number;
  /** Of this budget, by everybody. */
  readonly ofBudgetLastHour: number;
}

/** The budget that a code of this purpose and lane is counted in. */
export function budgetOf(lane: Lane, purpose: Purpose): CodeBudget {
  if (lane !== 'stranger') return 'owners';
  return purpose === 'register' ? 'registration' : 'access';
}

export function isForVisitors(purpose: Purpose): boolean {
  return FOR_VISITORS.has(purpose);
}

/**
 * What is answered to a request for a code: `send` it, demand `work` of so many bits first, or refuse it.
 * `workedBits` is the difficulty of the challenge that the caller has solved; undefined for none. The same for addresses
 * we know and those we do not. However many ask for an address, its owner waits ten minutes at most, and has then been
 * mailed a code that is still good.
 */
export function codeDecision(
  asked: AskedCodes,
  now: Instant,
  workedBits: number | undefined,
): { readonly send: true } | { readonly work: number } | { readonly refused: Refusal } {
  const [newest] = asked.byAddress;
  const waitMs = isCrowded(asked, now) ? CODE_RULES.validMs : CODE_RULES.waitS * SECOND_MS;
  if (newest !== undefined && now - newest < waitMs) {
    const seconds = Math.ceil((newest + waitMs - now) / SECOND_MS);
    return { refused: refusal('rateLimited', 'l.code_wait', { seconds: String(seconds) }) };
  }
  if (isWithinShares(asked)) return { send: true };
  if (!isWithinWorkedShares(asked)) return { refused: refusal('rateLimited', 'l.code_budget') };
  const bits = workDemanded(asked);
  return workedBits !== undefined && workedBits >= bits - CODE_RULES.workTolerance
    ? { send: true }
    : { work: bits };
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
 * Whether a request is within what its caller gets without work. The shares shrink with what is left: a few addresses,
 * however fast, leave room for one that has asked for little.
 */
function isWithinShares(asked: AskedCodes): boolean {
  const { budget, byOriginLastHour, byNetworkLastHour, ofBudgetLastHour } = asked;
  const isOwner = budget === 'owners';
  const total = isOwner ? CODE_RULES.budgets.owners : CODE_RULES.freeHour;
  const shares = isOwner ? CODE_RULES.ownerShares : CODE_RULES.freeShares;
  const left = total - ofBudgetLastHour;
  return (
    byOriginLastHour < Math.min(CODE_RULES.perOriginHour, left * shares.origin) &&
    byNetworkLastHour < Math.min(CODE_RULES.perNetworkHour, left * shares.network) &&
    (isOwner || asked.byOriginToAddressLastDay < CODE_RULES.perOriginToAddressDay)
  );
}

/** Whether a stranger who has worked gets a code; owners are never asked to work. */
function isWithinWorkedShares(asked: AskedCodes): boolean {
  if (asked.budget === 'owners' || asked.byOriginToAddressLastDay >= CODE_RULES.perOriginToAddressDay)
    return false;
  const { origin, network } = workedSharesOf(CODE_RULES.budgets[asked.budget] - asked.ofBudgetLastHour);
  return asked.workedByOriginLastHour < origin && asked.workedByNetworkLastHour < network;
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
 * The zero bits that are demanded for the next code: more with the use of the budget, and more for an address or a
 * network that has itself had much of what one of them can have.
 */
function workDemanded(asked: AskedCodes): number {
  const total = CODE_RULES.budgets[asked.budget];
  const whole = workedSharesOf(total);
  const use = Math.max(
    asked.ofBudgetLastHour / total,
    asked.workedByOriginLastHour / whole.origin,
    asked.workedByNetworkLastHour / whole.network,
  );
  return CODE_RULES.workSteps.find(({ from }) => use >= from)!.bits;
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
