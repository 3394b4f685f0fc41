import { DAY_MS, MINUTE_MS, type Instant } from '@exchange/core/time.ts';

export const ALERT_MAILS = {
  /** What triggers sooner after an email than this is gathered for the next. */
  gatherMs: 10 * MINUTE_MS,
  /** To one user in any 24 hours. */
  perDay: 20,
  /** One message names so many; of more it gives the number. */
  namedMost: 20,
} as const;

/** Whether a user may be sent an email now, by when the emails of the last day went out, newest first. */
export function mayWrite(emails: readonly Instant[], now: Instant): boolean {
  const [newest] = emails;
  if (newest !== undefined && now - newest < ALERT_MAILS.gatherMs) return false;
  return emails.filter((at) => now - at < DAY_MS).length < ALERT_MAILS.perDay;
}
