import { minuteText, type Instant } from '@exchange/core/time.ts';

/** Returns a time as text for emails and messages, e.g. `2026-03-01 14:05 UTC`. */
export function timeText(at: Instant): string {
  return `${minuteText(at)} UTC`;
}
