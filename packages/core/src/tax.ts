import { DAY_MS } from './time.ts';

/**
 * Methods that determine which purchased coins count as sold: `fifo` the oldest first, `average` all of them at their
 * average cost.
 */
export const TAX_METHODS = ['fifo', 'average'] as const;
export type TaxMethod = (typeof TAX_METHODS)[number];

/**
 * Sections of a tax report besides trades. Income: interest of fixed-term products, mining income, and rewards for
 * invitations. Results: gains and losses, shown separately, of seconds contracts and of leveraged funds.
 */
export const INCOME_SECTIONS = ['interest', 'mining', 'rebate'] as const;
export const RESULT_SECTIONS = ['seconds', 'fund'] as const;
export const TAX_SECTIONS = [...INCOME_SECTIONS, ...RESULT_SECTIONS] as const;
export type TaxSection = (typeof TAX_SECTIONS)[number];

/** The currency in which tax reports state all values. */
export const TAX_CURRENCY = 'USDT';

/** Maximum number of transfers for which a user can enter a cost in the tax report. */
export const ENTERED_COSTS_MAX = 5_000;

/** The time zone of tax years of users who have chosen none. */
export const DEFAULT_TAX_ZONE = 'UTC';

/** The instants of a tax year: from `from` to before `until`, both in milliseconds since 1970-01-01 UTC. */
export interface TaxPeriod {
  readonly from: number;
  readonly until: number;
}

/**
 * Maximum number of entries in each of the two caches, of the starts of years and of date formats. They are limited
 * because the name of a time zone has many valid spellings.
 */
const KNOWN_MAX = 1_000;
const knownStarts = new Map<string, number>();
const knownFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the first instant of a year in a time zone, in milliseconds since 1970-01-01 UTC. `zone` is an IANA name, such
 * as `Asia/Tokyo`. Throws a RangeError for an unknown time zone.
 */
export function startOfYear(year: number, zone: string): number {
  const utc = Date.UTC(year, 0, 1);
  if (zone === DEFAULT_TAX_ZONE) return utc;
  const key = `${year} ${zone}`;
  const known = knownStarts.get(key);
  if (known !== undefined) return known;
  const format = formatOf(zone);
  // Clocks differ from UTC by less than a day, so the start is between these two instants.
  let before = utc - DAY_MS;
  let start = utc + DAY_MS;
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (Number.parseInt(format.format(middle), 10) < year) before = middle;
    else start = middle;
  }
  if (knownStarts.size >= KNOWN_MAX) knownStarts.clear();
  knownStarts.set(key, start);
  return start;
}

/** Returns the year in a time zone that contains an instant, in milliseconds since 1970-01-01 UTC. */
export function yearOf(at: number, zone: string): number {
  const year = new Date(at).getUTCFullYear();
  if (at >= startOfYear(year + 1, zone)) return year + 1;
  return at < startOfYear(year, zone) ? year - 1 : year;
}

/** Returns the first instant of a year in a time zone (`from`), and that of the next year (`until`). */
export function periodOfYear(year: number, zone: string): TaxPeriod {
  return { from: startOfYear(year, zone), until: startOfYear(year + 1, zone) };
}

/** Returns a format that converts an instant to its year in a time zone. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = knownFormats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { timeZone: zone, year: 'numeric' });
  if (knownFormats.size >= KNOWN_MAX) knownFormats.clear();
  knownFormats.set(zone, format);
  return format;
}
