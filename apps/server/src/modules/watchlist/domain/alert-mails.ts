import { DAY_MS, MINUTE_MS, type Instant } from '@exchange/core/time.ts';

export const ALERT_MAILS = {
  /**
   * Minimum time in milliseconds between two alert emails to a user; alerts in between are
   * combined.
   */
  gatherMs: 10 * MINUTE_MS,
  /** Maximum number of emails to one user in any 24 hours. */
  perDay: 20,
  /** Maximum number of alerts listed in an email; further alerts are only counted. */
  listedMax: 20,
} as const;

/**
 * Returns whether an alert email may be sent to a user now: the latest one is at least `gatherMs` ago, and
 * fewer than `perDay` were sent within the last 24 hours. `emails` are the times of the sent ones, newest
 * first.
 */
export function mayEmail(emails: readonly Instant[], now: Instant): boolean {
  const [newest] = emails;
  if (newest !== undefined && now - newest < ALERT_MAILS.gatherMs) return false;
  return emails.filter((at) => now - at < DAY_MS).length < ALERT_MAILS.perDay;
}
