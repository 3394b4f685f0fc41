import { DAY_MS } from '@exchange/core/time.ts';
import type { Translate } from '../i18n/words.ts';
import type { RecurringPlan } from './recurring.ts';

/** Name of a day of the week in a language; 1 is Monday. */
export function weekdayName(day: number, locale: string): string {
  // 1970-01-05, a Monday, from which the weekdays are counted.
  const monday = 4 * DAY_MS;
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
    monday + (day - 1) * DAY_MS,
  );
}

/** The schedule of a recurring buy in words, with its time zone. */
export function scheduleText(
  { frequency, weekday = 1, monthDay = 1, time, timeZone }: RecurringPlan,
  t: Translate<'recurring'>,
  locale: string,
): string {
  const zone = timeZone.replaceAll('_', ' ');
  if (frequency === 'week') return t('everyWeek', { day: weekdayName(weekday, locale), time, zone });
  if (frequency === 'month') return t('everyMonth', { day: monthDay, time, zone });
  return t('everyDay', { time, zone });
}
