import { instant, MINUTE_MS, type Instant } from './time.ts';

/** What a device can be notified of by push; chosen for each device. */
export const PUSH_KINDS = [
  'fills',
  'alerts',
  'seconds',
  'deposits',
  'withdrawals',
  'signIns',
  'risk',
] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** Greatest number of devices of an account that receive pushes. */
export const PUSH_DEVICES_MAX = 10;
const DAY_MINUTES = 1_440;

/** Hours of every day in which a device receives no pushes, in the time zone that is stored with the device. */
export interface QuietHours {
  /** First minute of the day, 0 to 1439. */
  readonly from: number;
  /** First minute after the quiet hours, 0 to 1439. Less than `from` when they pass midnight. */
  readonly to: number;
  /** An IANA time zone, e.g. `Asia/Seoul`. */
  readonly timeZone: string;
}

/**
 * The end of the quiet hours that contain an instant; undefined outside of them. It is a time of the user's clock, also
 * when that clock is put forward or back in between.
 *
 * @throws RangeError for an unknown time zone
 */
export function quietUntil(quiet: QuietHours, at: Instant): Instant | undefined {
  const { from, to, timeZone } = quiet;
  const length = minutesBetween(from, to);
  const passed = minutesBetween(from, minuteOfDay(at, timeZone));
  if (passed >= length) return undefined;
  const expected = wholeMinute(at) + (length - passed) * MINUTE_MS;
  // A clock that was changed in between shows an earlier or a later time then.
  const early = minutesBetween(minuteOfDay(instant(expected), timeZone), to);
  const correction = early > DAY_MINUTES / 2 ? early - DAY_MINUTES : early;
  return instant(expected + correction * MINUTE_MS);
}

function minutesBetween(from: number, to: number): number {
  return (to - from + DAY_MINUTES) % DAY_MINUTES;
}

function wholeMinute(at: Instant): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

function minuteOfDay(at: Instant, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const numberOf = (type: string) =>
    Number.parseInt(parts.find((part) => part.type === type)?.value ?? '0', 10);
  return numberOf('hour') * 60 + numberOf('minute');
}
