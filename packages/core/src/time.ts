/** Milliseconds since 1970-01-01 UTC. Pure code is handed one; only the clock makes one. */
export type Instant = number & { readonly __instant: unique symbol };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Brands a whole number of milliseconds; anything else throws. */
export function instant(milliseconds: number): Instant {
  if (!Number.isSafeInteger(milliseconds)) throw new RangeError(`not an instant: ${milliseconds}`);
  return milliseconds as Instant;
}

/** The instant `milliseconds` later (or earlier, when negative). */
export function later(from: Instant, milliseconds: number): Instant {
  return instant(from + milliseconds);
}

/** 00:00:00 UTC of the day that `at` lies in. */
export function startOfDay(at: Instant): Instant {
  return instant(Math.floor(at / DAY_MS) * DAY_MS);
}

/** A moment as sentences print it, to the minute and in UTC: `2026-03-01 14:05`. */
export function minuteText(at: Instant): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** The same for what lasts until then: no earlier than it ends. */
export function untilText(at: Instant): string {
  return minuteText(instant(Math.ceil(at / MINUTE_MS) * MINUTE_MS));
}
