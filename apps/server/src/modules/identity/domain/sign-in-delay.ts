import { DAY_MS, MINUTE_MS, SECOND_MS, later, type Instant } from '@exchange/core/time.ts';

export const SIGN_IN_RULES = {
  windowMs: 15 * MINUTE_MS,
  accountFailures: 5,
  originFailures: 20,
  firstDelayMs: 15 * SECOND_MS,
  longestDelayMs: 15 * MINUTE_MS,
  /** In any 24 hours: half of them at once, the others as that half grows back. */
  accountFailuresDay: 100,
} as const;

const AT_ONCE = SIGN_IN_RULES.accountFailuresDay / 2;
/** Also the longest that anybody ever waits. */
export const GROWS_BACK_MS = DAY_MS / AT_ONCE;

/** Failed sign-ins of one kind at one account, or from one address. */
export interface Failures {
  /** Since the last quiet (of an account), or within the present window (of an address). */
  readonly recent: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** Of an account: when the day's budget would be whole again. */
  readonly wholeAt: Instant;
}

/**
 * How long an account has to wait before its next try: nothing up to four failures, then 15 s, doubled with
 * each further one up to 15 minutes. Quiet of 15 minutes after the wait forgives all. However they are spread,
 * any 24 hours hold a hundred failures at most; the wait that keeps them apart is 28.8 minutes at most.
 */
export function accountDelayMs(failures: Failures | undefined, now: Instant): number {
  if (failures === undefined) return 0;
  const ofDay = failures.wholeAt + GROWS_BACK_MS - now - DAY_MS;
  const ofRecent = isForgiven(failures, now) ? 0 : failures.lastAt + penaltyMs(failures) - now;
  return Math.max(0, ofDay, ofRecent);
}

/** The account's count with one more failure. */
export function withAccountFailure(failures: Failures | undefined, now: Instant): Failures {
  const from = failures === undefined || failures.wholeAt < now ? now : failures.wholeAt;
  const wholeAt = later(from, GROWS_BACK_MS);
  if (failures === undefined || isForgiven(failures, now)) {
    return { recent: 1, firstAt: now, lastAt: now, wholeAt };
  }
  return { recent: failures.recent + 1, firstAt: failures.firstAt, lastAt: now, wholeAt };
}

/** How long an address has to wait: until its window of 15 minutes with 20 failures is over. */
export function originDelayMs(failures: Failures | undefined, now: Instant): number {
  if (failures === undefined || failures.recent < SIGN_IN_RULES.originFailures) return 0;
  return Math.max(0, failures.firstAt + SIGN_IN_RULES.windowMs - now);
}

/** The address's count with one more failure. */
export function withOriginFailure(failures: Failures | undefined, now: Instant): Failures {
  if (failures === undefined || now - failures.firstAt >= SIGN_IN_RULES.windowMs) {
    return { recent: 1, firstAt: now, lastAt: now, wholeAt: now };
  }
  return { ...failures, recent: failures.recent + 1, lastAt: now };
}

function penaltyMs(failures: Failures): number {
  const beyond = failures.recent - SIGN_IN_RULES.accountFailures;
  if (beyond < 0) return 0;
  return Math.min(SIGN_IN_RULES.firstDelayMs * 2 ** Math.min(beyond, 20), SIGN_IN_RULES.longestDelayMs);
}

function isForgiven(failures: Failures, now: Instant): boolean {
  return now - failures.lastAt >= penaltyMs(failures) + SIGN_IN_RULES.windowMs;
}
