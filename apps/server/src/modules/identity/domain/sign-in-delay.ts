import { HOUR_MS, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';

export const SIGN_IN_RULES = {
  windowMs: 15 * MINUTE_MS,
  accountFailures: 5,
  originFailures: 20,
  firstDelayMs: 15 * SECOND_MS,
  longestDelayMs: 15 * MINUTE_MS,
  /** So many in a row stop sign-in for a day, or until the password is reset by mail. */
  hardStop: 100,
  hardStopMs: 24 * HOUR_MS,
} as const;

/** Failed sign-ins of one account or from one address. */
export interface Failures {
  /** Since the last quiet (of an account), or within the present window (of an address). */
  readonly recent: number;
  /** Since the last success. */
  readonly consecutive: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
}

/**
 * How long an account has to wait before its next try: nothing up to four failures, then 15 s, doubled with
 * each further one up to 15 minutes. Quiet of 15 minutes after the wait forgives all, so a stranger can
 * slow an owner down but never lock him out for good.
 */
export function accountDelayMs(failures: Failures | undefined, now: Instant): number {
  if (failures === undefined || isForgiven(failures, now)) return 0;
  return Math.max(0, failures.lastAt + penaltyMs(failures) - now);
}

/** The account's count with one more failure. */
export function withAccountFailure(failures: Failures | undefined, now: Instant): Failures {
  const consecutive = (failures?.consecutive ?? 0) + 1;
  if (failures === undefined || isForgiven(failures, now)) {
    return { recent: 1, consecutive, firstAt: now, lastAt: now };
  }
  return { recent: failures.recent + 1, consecutive, firstAt: failures.firstAt, lastAt: now };
}

/** How long an address has to wait: until its window of 15 minutes with 20 failures is over. */
export function originDelayMs(failures: Failures | undefined, now: Instant): number {
  if (failures === undefined || failures.recent < SIGN_IN_RULES.originFailures) return 0;
  return Math.max(0, failures.firstAt + SIGN_IN_RULES.windowMs - now);
}

/** The address's count with one more failure. */
export function withOriginFailure(failures: Failures | undefined, now: Instant): Failures {
  if (failures === undefined || now - failures.firstAt >= SIGN_IN_RULES.windowMs) {
    return { recent: 1, consecutive: 1, firstAt: now, lastAt: now };
  }
  const { recent, consecutive, firstAt } = failures;
  return { recent: recent + 1, consecutive: consecutive + 1, firstAt, lastAt: now };
}

function penaltyMs(failures: Failures): number {
  if (failures.consecutive >= SIGN_IN_RULES.hardStop) return SIGN_IN_RULES.hardStopMs;
  const beyond = failures.recent - SIGN_IN_RULES.accountFailures;
  if (beyond < 0) return 0;
  return Math.min(SIGN_IN_RULES.firstDelayMs * 2 ** Math.min(beyond, 20), SIGN_IN_RULES.longestDelayMs);
}

function isForgiven(failures: Failures, now: Instant): boolean {
  return now - failures.lastAt >= penaltyMs(failures) + SIGN_IN_RULES.windowMs;
}
