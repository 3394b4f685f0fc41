import { DAY_MS, MINUTE_MS, type Instant } from '@exchange/core/time.ts';

export const ALERT_LETTERS = {
  /** What is told sooner after a letter than this is gathered for the next. */
  gatherMs: 10 * MINUTE_MS,
  /** To one user in any 24 hours. */
  perDay: 20,
  /** One letter names so many; of more it gives the number. */
  namedMost: 20,
} as const;

/** Whether a user may be sent a letter now, by when the letters of the last day went out, newest first. */
export function mayWrite(letters: readonly Instant[], now: Instant): boolean {
  const [newest] = letters;
  if (newest !== undefined && now - newest < ALERT_LETTERS.gatherMs) return false;
  return letters.filter((at) => now - at < DAY_MS).length < ALERT_LETTERS.perDay;
}
