/** An instant in milliseconds since 1970-01-01 UTC. Domain code receives instants as parameters and reads no clock. */
export type Instant = number & { readonly __instant: unique symbol };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Converts an integer number of milliseconds to an instant. Throws a RangeError for any other number. */
export function instant(milliseconds: number): Instant {
  if (!Number.isSafeInteger(milliseconds)) throw new RangeError(`not an instant: ${milliseconds}`);
  return milliseconds as Instant;
}

/** Returns the instant that lies `milliseconds` after `from`, or before it if `milliseconds` is negative. */
export function later(from: Instant, milliseconds: number): Instant {
  return instant(from + milliseconds);
}

/** Returns 00:00:00 UTC of the day that contains `at`. */
export function startOfDay(at: Instant): Instant {
  return instant(Math.floor(at / DAY_MS) * DAY_MS);
}

/** Formats an instant for sentences, in UTC and without seconds: `2026-03-01 14:05`. */
export function minuteText(at: Instant): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** Formats the end of a waiting time for sentences, in UTC and rounded up to the next minute. */
export function untilText(at: Instant): string {
  return minuteText(instant(Math.ceil(at / MINUTE_MS) * MINUTE_MS));
}
