/**
 * How numbers and times are written. Amounts are exact decimal text and stay so: they are cut, never
 * rounded up, and never pass through a floating-point number.
 */

type DecimalText = Intl.StringNumericLiteral;

export interface DecimalStyle {
  /** Decimals always shown. */
  readonly minDigits?: number;
  /** Decimals shown at most; the rest is cut. */
  readonly maxDigits?: number;
}

/** What accounts keep of every coin: balances and fees are shown with exactly these decimals, others with at most as many. */
export const ASSET_DIGITS = 8;
/** No amount of the exchange has more decimals. */
const ALL_DIGITS = 18;

// Making a format takes many times as long as using it.
const formats = new Map<string, Intl.NumberFormat>();
const momentFormats = new Map<string, Intl.DateTimeFormat>();

/** A decimal, grouped by thousands and cut to its digits: `1234.5678` at 2 digits is `1,234.56`. */
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

/** All of an amount that `digits` decimals do not show in full; undefined where they do. */
export function wholeOfCut(value: string, locale: string, digits = ASSET_DIGITS): string | undefined {
  const cut = value.split('.')[1]?.slice(digits) ?? '';
  return /[1-9]/.test(cut) ? formatDecimal(value, locale, { maxDigits: ALL_DIGITS }) : undefined;
}

/** A book and its deals are some hundred prices and amounts, most of which stay from one change to the next. */
const PRICES_KEPT = 4_000;
const prices = new Map<string, string>();

/** A price with exactly the pair's digits. */
export function formatPrice(value: string, locale: string, digits: number): string {
  if (prices.size > PRICES_KEPT) prices.clear();
  return kept(prices, `${locale} ${digits} ${value}`, () =>
    formatDecimal(value, locale, { minDigits: digits, maxDigits: digits }),
  );
}

const RATE_DIGITS = 7;

/** How much of one coin another is worth: at least one, cut to seven digits in all, below it to eight decimals. */
export function formatRate(rate: string, locale: string): string {
  const whole = rate.split('.')[0]!.replace(/^0+/, '').length;
  const maxDigits = whole === 0 ? ASSET_DIGITS : Math.max(2, RATE_DIGITS - whole);
  return formatDecimal(rate, locale, { maxDigits });
}

/** A fraction as a percentage, cut: `0.01239` is `1.23%`; signed: `+1.23%`, `−0.50%`, `0.00%`. */
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
/** Digits of ten thousand, the first unit by which Korean counts large figures. */
const TEN_THOUSANDS_DIGITS = 5;

/**
 * A large amount in short: `12345678` is `12.34M`, in Chinese `1,234.56万`. What ticks keeps all its decimals, so
 * that it does not change its length: `193` is `193.00`. Below ten thousand Korean figures are written out, as Chinese and
 * Japanese ones are: `1998` is `1,998`.
 */
export function formatCompact(
  value: string,
  locale: string,
  style: { ticks?: boolean; narrow?: boolean } = {},
): string {
  // The formats of the browsers shorten to thousands in Korean (`1.99천`), which nobody reads on an exchange.
  const isWritten = locale.startsWith('ko') && wholeDigitsOf(value) < TEN_THOUSANDS_DIGITS;
  return numberFormat(locale, {
    notation: isWritten ? 'standard' : 'compact',
    // Units of ten thousand leave four digits before them, which are grouped like any others where there is room.
    useGrouping: style.narrow === true && !isWritten ? 'min2' : 'always',
    minimumFractionDigits: style.ticks === true ? COMPACT_DIGITS : 0,
    maximumFractionDigits: COMPACT_DIGITS,
    signDisplay: 'negative',
  })
    .format(value as DecimalText)
    .replace('-', '−');
}

/** An amount in a narrow column: with exactly `digits` decimals, and in short from a million up. */
export function formatNarrow(value: string, locale: string, digits: number): string {
  return wholeDigitsOf(value) > 6
    ? formatCompact(value, locale, { ticks: true, narrow: true })
    : formatPrice(value, locale, digits);
}

/** The digits before the point, without sign and leading zeros. */
function wholeDigitsOf(value: string): number {
  return value.replace(/^-?0*/, '').split('.')[0]!.length;
}

/** −1, 0 or 1 of decimal text, without parsing it as a number. */
export function signOf(value: string): -1 | 0 | 1 {
  if (!/[1-9]/.test(value)) return 0;
  return value.startsWith('-') ? -1 : 1;
}

/** −1, 0 or 1 of a fraction as its percentage of `digits` decimals shows it: cut to nothing, it has no sign. */
export function signOfPercent(fraction: string, digits = 2): -1 | 0 | 1 {
  const [whole = '', decimals = ''] = fraction.split('.');
  return signOf(`${whole}.${decimals.slice(0, digits + 2)}`);
}

/** The way a percentage has gone, for its colour; undefined is as good as none. */
export function wayOfPercent(fraction: string | undefined): 'up' | 'down' | 'flat' {
  const sign = fraction === undefined ? 0 : signOfPercent(fraction);
  return sign > 0 ? 'up' : sign < 0 ? 'down' : 'flat';
}

/** `second` is `minute` to the second; neither says the year, which `dated` does. `day` writes the month out. */
export type MomentStyle = 'time' | 'minute' | 'second' | 'date' | 'day' | 'dated' | 'full';

const MOMENTS: Readonly<Record<MomentStyle, Intl.DateTimeFormatOptions>> = {
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

/** A moment (milliseconds UTC) in local time. */
export function formatMoment(
  atMs: number,
  locale: string,
  style: MomentStyle = 'full',
  zone?: string,
): string {
  return momentFormat(locale, MOMENTS[style], zone).format(atMs);
}

/** A moment in local time with its distance from UTC, for the hover: `11/21/2026, 08:00:00 GMT+8`. */
export function formatMomentWithOffset(atMs: number, locale: string, zone?: string): string {
  return momentFormat(locale, MOMENT_WITH_OFFSET, zone).format(atMs);
}

function momentFormat(
  locale: string,
  style: Intl.DateTimeFormatOptions,
  zone: string | undefined,
): Intl.DateTimeFormat {
  return kept(momentFormats, `${locale} ${zone ?? ''} ${JSON.stringify(style)}`, () => {
    return new Intl.DateTimeFormat(locale, { ...style, ...(zone === undefined ? {} : { timeZone: zone }) });
  });
}

/** A whole number of things, grouped by thousands: `12,345`. */
export function formatCount(count: number, locale: string): string {
  return numberFormat(locale, {}).format(count);
}

/** The format of these options in a language, made once for the whole page; what does not fit its digits is cut. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(formats, `${locale} ${JSON.stringify(options)}`, () => {
    return new Intl.NumberFormat(locale, { ...options, roundingMode: 'trunc' });
  });
}

function kept<Format>(known: Map<string, Format>, key: string, make: () => Format): Format {
  let format = known.get(key);
  if (format === undefined) known.set(key, (format = make()));
  return format;
}
