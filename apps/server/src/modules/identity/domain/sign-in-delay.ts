import { DAY_MS, MINUTE_MS, SECOND_MS, later, type Instant } from '@exchange/core/time.ts';

export const SIGN_IN_RULES = {
  windowMs: 15 * MINUTE_MS,
  accountFailures: 5,
  originFailures: 20,
  firstDelayMs: 15 * SECOND_MS,
  longestDelayMs: 15 * MINUTE_MS,
  /**
   * Greatest number of failed attempts of one kind at an account in any 24 hours. Half of them are available at once;
   * the others become available over time.
   */
  accountFailuresDay: 100,
} as const;

const AT_ONCE = SIGN_IN_RULES.accountFailuresDay / 2;
/** Milliseconds after which one more attempt becomes available; also the longest wait. */
export const GROWS_BACK_MS = DAY_MS / AT_ONCE;

/** Failed attempts of one kind at an account, such as logins by strangers, or failed logins from one IP address. */
export interface Failures {
  /**
   * Number of failures: for an account since its count last restarted (see `accountDelayMs`), for an IP address in its
   * current 15-minute window.
   */
  readonly recent: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** For an account: the time at which all attempts of the daily number are available again. */
  readonly wholeAt: Instant;
}

/**
 * Milliseconds to wait before the next attempt of one kind at an account: none after up to four failures, then 15 s,
 * doubled with each further failure up to 15 minutes. After 15 minutes without a failed attempt since the end of the
 * wait, the count restarts. As at most 100 failures fit into any 24 hours, the wait can grow to 28.8 minutes.
 */
export function accountDelayMs(failures: Failures | undefined, now: Instant): number {
  if (failures === undefined) return 0;
  const dailyDelay = failures.wholeAt + GROWS_BACK_MS - now - DAY_MS;
  const recentDelay = isForgiven(failures, now) ? 0 : failures.lastAt + penaltyMs(failures) - now;
  return Math.max(0, dailyDelay, recentDelay);
}

/** The counter of an account after one more failed attempt. */
export function withAccountFailure(failures: Failures | undefined, now: Instant): Failures {
  const start = failures === undefined || failures.wholeAt < now ? now : failures.wholeAt;
  const wholeAt = later(start, GROWS_BACK_MS);
  if (failures === undefined || isForgiven(failures, now)) {
    return { recent: 1, firstAt: now, lastAt: now, wholeAt };
  }
  return { recent: failures.recent + 1, firstAt: failures.firstAt, lastAt: now, wholeAt };
}

/**
 * Milliseconds to wait before the next login from an IP address: after 20 failures until the end of the address's
 * 15-minute window, otherwise none.
 */
export function originDelayMs(failures: Failures | undefined, now: Instant): number {
  if (failures === undefined || failures.recent < SIGN_IN_RULES.originFailures) return 0;
  return Math.max(0, failures.firstAt + SIGN_IN_RULES.windowMs - now);
}

/** The counter of an IP address after one more failed login. */
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
