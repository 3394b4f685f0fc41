import { DAY_MS, MINUTE_MS, SECOND_MS, later, type Instant } from '@exchange/core/time.ts';

export const SIGN_IN_RULES = {
  windowMs: 15 * MINUTE_MS,
  accountFailures: 5,
  originFailures: 20,
  firstDelayMs: 15 * SECOND_MS,
  longestDelayMs: 15 * MINUTE_MS,
  /**
   * Failed sign-ins that an account accepts in any 24 hours: half is available at once, the rest is
   * replenished over time.
   */
  accountFailuresDay: 100,
} as const;

const AT_ONCE = SIGN_IN_RULES.accountFailuresDay / 2;
/** Milliseconds after which one sign-in attempt is replenished; also the longest wait. */
export const GROWS_BACK_MS = DAY_MS / AT_ONCE;

/** Failed sign-ins of one account or from one network address. */
export interface Failures {
  /** Failures since the last quiet period (account) or in the current window (IP address). */
  readonly recent: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** For accounts: the time at which the daily number of attempts is fully replenished. */
  readonly wholeAt: Instant;
}

/**
 * Wait before the next attempt at an account, in ms: none for up to four failures, then 15 s, doubling with each
 * failure up to 15 minutes. After 15 quiet minutes the count restarts. At most 100 failures fit into any 24 hours,
 * which limits the wait to 28.8 minutes.
 */
export function accountDelayMs(failures: Failures | undefined, now: Instant): number {
  if (failures === undefined) return 0;
  const dailyDelay = failures.wholeAt + GROWS_BACK_MS - now - DAY_MS;
  const recentDelay = isForgiven(failures, now) ? 0 : failures.lastAt + penaltyMs(failures) - now;
  return Math.max(0, dailyDelay, recentDelay);
}

/** The counters after one more failed sign-in of the account. */
export function withAccountFailure(failures: Failures | undefined, now: Instant): Failures {
  const start = failures === undefined || failures.wholeAt < now ? now : failures.wholeAt;
  const wholeAt = later(start, GROWS_BACK_MS);
  if (failures === undefined || isForgiven(failures, now)) {
    return { recent: 1, firstAt: now, lastAt: now, wholeAt };
  }
  return { recent: failures.recent + 1, firstAt: failures.firstAt, lastAt: now, wholeAt };
}

/**
 * Wait before the next sign-in from an IP address, in ms: until the end of its 15-minute window,
 * once it has 20 failures.
 */
export function originDelayMs(failures: Failures | undefined, now: Instant): number {
  if (failures === undefined || failures.recent < SIGN_IN_RULES.originFailures) return 0;
  return Math.max(0, failures.firstAt + SIGN_IN_RULES.windowMs - now);
}

/** The counters after one more failed sign-in from the network address. */
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
