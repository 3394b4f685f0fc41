import { instant, MINUTE_MS, type Instant } from './time.ts';

/** Kinds of events of which push messages can notify a device. The user chooses them for each device. */
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

/** Maximum number of a user's devices that receive push messages. The registration of a further device is refused. */
export const PUSH_DEVICES_MAX = 10;
const DAY_MINUTES = 1_440;

/**
 * Period of every day in which a device receives no push messages; they are sent at its end. The minutes are
 * in the time zone that is stored with the device.
 */
export interface QuietHours {
  /** The first minute of the quiet hours, counted from midnight (0 to 1439). */
  readonly from: number;
  /**
   * The first minute after the quiet hours, counted from midnight (0 to 1439). It is less than `from` if the quiet
   * hours end on the next day.
   */
  readonly to: number;
  /** Name of an IANA time zone, e.g. `Asia/Seoul`. */
  readonly timeZone: string;
}

/**
 * Returns the end of the quiet hours that contain an instant; undefined if the instant is outside of the quiet hours.
 * If the user's clock is put forward or back during the quiet hours, they still end at the minute `to` of that clock.
 *
 * @throws RangeError for an unknown time zone
 */
export function quietUntil(quiet: QuietHours, at: Instant): Instant | undefined {
  const { from, to, timeZone } = quiet;
  const length = minutesBetween(from, to);
  const passed = minutesBetween(from, minuteOfDay(at, timeZone));
  if (passed >= length) return undefined;
  const expected = wholeMinute(at) + (length - passed) * MINUTE_MS;
  // If the user's clock is put forward or back between `at` and the expected end, it does not show the minute `to` at
  // the expected end. The result is corrected by the difference.
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
