import { percentOfFraction } from '@exchange/core/percent.ts';
import {
  camelToWords,
  formatValue,
  type Row,
  type RowsDescription,
} from '@exchange/web-kit/console/calls.ts';
import { withPairNames } from './pair-names.ts';
import { headingOf } from './words.ts';

const pad = (part: number) => String(part).padStart(2, '0');

/** Formats a time in milliseconds UTC in the operator's time zone: `2026-11-24 23:09:28`. */
export function localTime(at: number): string {
  const date = new Date(at);
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':')}`;
}

/** Returns the name of the operator's time zone, such as `Asia/Tokyo`. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const MINUTE_MS = 60_000;
const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

/**
 * Formats a duration in milliseconds with its two largest units from days, hours and minutes, rounded down:
 * `25 min`, `3 h 5 min`, `2 d 4 h`. A negative duration is `0 min`.
 */
export function spanText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / MINUTE_MS));
  if (minutes < HOUR_MIN) return `${minutes} min`;
  if (minutes < DAY_MIN) return `${Math.floor(minutes / HOUR_MIN)} h ${minutes % HOUR_MIN} min`;
  return `${Math.floor(minutes / DAY_MIN)} d ${Math.floor((minutes % DAY_MIN) / HOUR_MIN)} h`;
}

/**
 * Returns the time since which a row has been waiting for a decision, in milliseconds UTC; undefined if the
 * list has no column for it or the row has no value in it.
 */
export function waitingSince({ since }: Pick<RowsDescription, 'since'>, row: Row): number | undefined {
  const at = since === undefined ? undefined : row[since];
  return typeof at === 'number' ? at : undefined;
}

/**
 * Returns the time that the row which waits longest has waited, as a text; empty when no row has a waiting
 * time.
 */
export function longestWait(
  description: Pick<RowsDescription, 'since'>,
  rows: readonly Row[],
  now: number,
): string {
  const since = rows.flatMap((row) => waitingSince(description, row) ?? []);
  return since.length === 0 ? '' : spanText(now - Math.min(...since));
}

/**
 * Returns the time by which the exchange promised the user an answer about the row, in milliseconds UTC;
 * undefined without such a promise.
 */
export function promisedTime({ promised }: Pick<RowsDescription, 'promised'>, row: Row): number | undefined {
  const at = promised === undefined ? undefined : row[promised];
  return typeof at === 'number' ? at : undefined;
}

/**
 * Returns the urgency of a pending row: `overdue` once it has waited for the whole promised time, `late` from
 * half of it on, undefined before. Both times are in milliseconds; without a promise in the row, the promised
 * time is one day.
 */
export function urgencyOf(
  waited: number,
  allowed: number = DAY_MIN * MINUTE_MS,
): 'overdue' | 'late' | undefined {
  if (waited >= allowed) return 'overdue';
  return waited >= allowed / 2 ? 'late' : undefined;
}

const NUMBER = /^(-?)(\d+)(\.\d+)?$/;
const PLACES_MAX = 8;

/**
 * Formats a number with thousands separators; of a number with more than eight decimals, the zeros at its end are left
 * out. Other text stays unchanged.
 */
export function formatNumber(text: string): string {
  const [, sign = '', whole = '', places = ''] = NUMBER.exec(text) ?? [];
  if (whole === '') return text;
  const shownPlaces = places.length > PLACES_MAX + 1 ? places.replace(/\.?0+$/, '') : places;
  return sign + whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') + shownPlaces;
}

/** Formats a rate in percent: `0.00022` becomes `0.022 %`; other text stays unchanged. */
export function percentOf(text: string): string {
  return NUMBER.test(text) ? `${percentOfFraction(text)} %` : text;
}

/**
 * Adds thousands separators to the numbers of a sentence, leaving dates, hashes and similar text unchanged.
 */
export function formatNumbersIn(text: string): string {
  return text.replaceAll(/(?<![\w.:-])\d{4,}(?:\.\d+)?(?![\w:-]|\.\w)/g, formatNumber);
}

/** Converts an internal name to words: `seconds.won` becomes `Seconds: won`. */
export function nameInWords(text: string): string {
  const [first = '', ...rest] = text.split('.');
  const group = headingOf(first);
  return rest.length === 0 ? group : `${group}: ${camelToWords(rest.join(' '))}`;
}

const LONG = 22;
const ENDS = 6;

/** Shortens a long id or address by leaving out its middle; sentences and email addresses stay complete. */
export function shorten(text: string): string {
  return isId(text) ? `${text.slice(0, ENDS)}…${text.slice(-ENDS)}` : text;
}

/**
 * Returns the values of an object in one short text: long ids are shortened, and pair symbols are replaced by
 * pair names.
 */
export function summarize(object: Row): string {
  return withPairNames(
    Object.values(object)
      .map((value) => shorten(formatValue(value)))
      .join(' · '),
  );
}

/**
 * True for a text longer than `LONG` characters of letters, digits, `_`, `:` and `-` only, such as an id, address or
 * hash.
 */
export function isId(text: string): boolean {
  return text.length > LONG && /^[\w:-]+$/.test(text);
}

/**
 * Parses a text that is a JSON object; undefined for a value that is no text, for a text that does not start
 * with `{`, and for malformed JSON.
 */
export function parseObject(text: unknown): Row | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Row;
  } catch {
    // The log truncates long entries. Truncated JSON cannot be parsed, so it is displayed as text.
    return undefined;
  }
}
