/**
 * Formatting of numbers and times. Amounts are exact decimal text: surplus decimals are cut off, not rounded, and
 * amounts are not converted to floating-point numbers.
 */

type DecimalText = Intl.StringNumericLiteral;

export interface DecimalStyle {
  readonly minDigits?: number;
  /** Maximum number of decimals, by default `ASSET_DIGITS`; further decimals are cut off. */
  readonly maxDigits?: number;
}

/** Number of decimals of balances and fees of every coin; also the default maximum for other amounts. */
export const ASSET_DIGITS = 8;
/** Maximum number of decimals of any amount, used to show an amount without cutting it. */
const ALL_DIGITS = 18;

// Formatters of numbers and of times are cached, because creating one is far slower than formatting with it.
const formats = new Map<string, Intl.NumberFormat>();
const momentFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * Groups the digits of a decimal by thousands and cuts off surplus decimals: `1234.5678` with at most 2 decimals is
 * `1,234.56`.
 */
export function formatDecimal(value: string, locale: string, style: DecimalStyle = {}): string {
  const maxDigits = style.maxDigits ?? ASSET_DIGITS;
  const minDigits = Math.min(style.minDigits ?? 0, maxDigits);
  return numberFormat(locale, {
    minimumFractionDigits: minDigits,
    maximumFractionDigits: maxDigits,
    signDisplay: 'negative',
  })
    .format(value as DecimalText)
    .replace('-', '−');
}

/**
 * If the display of an amount with `digits` decimals cuts off decimals other than zero, the formatted amount with all
 * its decimals; otherwise undefined.
 */
export function fullAmountIfCut(value: string, locale: string, digits = ASSET_DIGITS): string | undefined {
  const cut = value.split('.')[1]?.slice(digits) ?? '';
  return /[1-9]/.test(cut) ? formatDecimal(value, locale, { maxDigits: ALL_DIGITS }) : undefined;
}

/**
 * Maximum number of cached texts of formatted prices. An order book and its trade list have several hundred prices and
 * amounts, most of which repeat between updates.
 */
const PRICES_KEPT = 4_000;
const prices = new Map<string, string>();

/** Formats a price with exactly as many decimals as its pair has. */
export function formatPrice(value: string, locale: string, digits: number): string {
  if (prices.size > PRICES_KEPT) prices.clear();
  return cachedFormat(prices, `${locale} ${digits} ${value}`, () =>
    formatDecimal(value, locale, { minDigits: digits, maxDigits: digits }),
  );
}

const RATE_DIGITS = 7;

/**
 * Formats an exchange rate without trailing zeros; further decimals are cut off. A rate of at least one has at most
 * seven digits in total, except that two decimals are always permitted. A smaller rate has at most eight decimals.
 */
export function formatRate(rate: string, locale: string): string {
  const whole = rate.split('.')[0]!.replace(/^0+/, '').length;
  const maxDigits = whole === 0 ? ASSET_DIGITS : Math.max(2, RATE_DIGITS - whole);
  return formatDecimal(rate, locale, { maxDigits });
}

/**
 * Formats a fraction as a percentage with `digits` decimals (two by default), cut off: `0.01239` is `1.23%`;
 * signed: `+1.23%`, `−0.50%`, `0.00%`.
 */
export function formatPercent(
  fraction: string,
  locale: string,
  style: { signed?: boolean; digits?: number } = {},
): string {
  const digits = style.digits ?? 2;
  const text = numberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: style.signed === true ? 'exceptZero' : 'negative',
  }).format(fraction as DecimalText);
  return text.replace('-', '−');
}

const COMPACT_DIGITS = 2;
/** Number of digits of 10,000, the first unit of large numbers in Korean. */
const TEN_THOUSANDS_DIGITS = 5;

/**
 * Abbreviates a large amount: `12345678` is `12.34M`, in Chinese `1,234.56万`. With `ticks` the result always has two
 * decimals, so that a live figure does not change its length: `193` is `193.00`. In Korean, Chinese and Japanese,
 * figures below ten thousand are not abbreviated: `1998` is `1,998`. With `narrow`, an abbreviated figure of
 * four integer digits has no thousands separator: `1234.56万`.
 */
export function formatCompact(
  value: string,
  locale: string,
  style: { ticks?: boolean; narrow?: boolean } = {},
): string {
  // Browsers abbreviate thousands in Korean (`1.99천`), which is unusual on exchanges, so Korean figures below ten
  // thousand are not abbreviated.
  const isWritten = locale.startsWith('ko') && wholeDigitsOf(value) < TEN_THOUSANDS_DIGITS;
  return numberFormat(locale, {
    notation: isWritten ? 'standard' : 'compact',
    // A figure in units of ten thousand can have four integer digits; a separator groups them, except in narrow
    // columns.
    useGrouping: style.narrow === true && !isWritten ? 'min2' : 'always',
    minimumFractionDigits: style.ticks === true ? COMPACT_DIGITS : 0,
    maximumFractionDigits: COMPACT_DIGITS,
    signDisplay: 'negative',
  })
    .format(value as DecimalText)
    .replace('-', '−');
}

/** Formats an amount for a narrow column: below one million with exactly `digits` decimals, otherwise abbreviated. */
export function formatNarrow(value: string, locale: string, digits: number): string {
  return wholeDigitsOf(value) > 6
    ? formatCompact(value, locale, { ticks: true, narrow: true })
    : formatPrice(value, locale, digits);
}

/** Number of a decimal's integer digits without leading zeros. */
function wholeDigitsOf(value: string): number {
  return value.replace(/^-?0*/, '').split('.')[0]!.length;
}

/** Sign of a decimal text: -1, 0 or 1; does not convert the text to a floating-point number. */
export function signOf(value: string): -1 | 0 | 1 {
  if (!/[1-9]/.test(value)) return 0;
  return value.startsWith('-') ? -1 : 1;
}

/**
 * Sign of a fraction as it appears when displayed as a percentage with `digits` decimals: -1, 0 or 1. The result is 0
 * if all displayed digits are zero, even if the fraction is not.
 */
export function signOfPercent(fraction: string, digits = 2): -1 | 0 | 1 {
  const [whole = '', decimals = ''] = fraction.split('.');
  return signOf(`${whole}.${decimals.slice(0, digits + 2)}`);
}

/**
 * Direction of a price change that is displayed as a percentage, which determines its colour; `flat` if all displayed
 * digits are zero, and for undefined.
 */
export function directionOfPercent(fraction: string | undefined): 'up' | 'down' | 'flat' {
  const sign = fraction === undefined ? 0 : signOfPercent(fraction);
  return sign > 0 ? 'up' : sign < 0 ? 'down' : 'flat';
}

/**
 * Styles of dates and times. `minute` and `second` have no year, `dated` is `minute` with the year, `day` contains the
 * name of the month.
 */
export type TimeStyle = 'time' | 'minute' | 'second' | 'date' | 'day' | 'dated' | 'full';

const MOMENTS: Readonly<Record<TimeStyle, Intl.DateTimeFormatOptions>> = {
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  minute: { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  second: {
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
  date: { year: 'numeric', month: '2-digit', day: '2-digit' },
  day: { year: 'numeric', month: 'long', day: 'numeric' },
  dated: {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
  full: {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
};

const MOMENT_WITH_OFFSET: Intl.DateTimeFormatOptions = { ...MOMENTS.full, timeZoneName: 'shortOffset' };

/** Formats a time (milliseconds UTC) in the time zone `zone`, by default in that of the device. */
export function formatTime(atMs: number, locale: string, style: TimeStyle = 'full', zone?: string): string {
  return momentFormat(locale, MOMENTS[style], zone).format(atMs);
}

/**
 * Formats a time (milliseconds UTC) with its UTC offset, in the time zone `zone`, by default in that of the device:
 * `11/21/2026, 08:00:00 GMT+8`.
 */
export function formatTimeWithOffset(atMs: number, locale: string, zone?: string): string {
  return momentFormat(locale, MOMENT_WITH_OFFSET, zone).format(atMs);
}

function momentFormat(
  locale: string,
  style: Intl.DateTimeFormatOptions,
  zone: string | undefined,
): Intl.DateTimeFormat {
  return cachedFormat(momentFormats, `${locale} ${zone ?? ''} ${JSON.stringify(style)}`, () => {
    return new Intl.DateTimeFormat(locale, { ...style, ...(zone === undefined ? {} : { timeZone: zone }) });
  });
}

/** Formats an integer count, grouped by thousands: `12,345`. */
export function formatCount(count: number, locale: string): string {
  return numberFormat(locale, {}).format(count);
}

/** Returns a number formatter that cuts off surplus digits; formatters are cached. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return cachedFormat(formats, `${locale} ${JSON.stringify(options)}`, () => {
    return new Intl.NumberFormat(locale, { ...options, roundingMode: 'trunc' });
  });
}

function cachedFormat<Format>(cache: Map<string, Format>, key: string, make: () => Format): Format {
  let format = cache.get(key);
  if (format === undefined) cache.set(key, (format = make()));
  return format;
}
