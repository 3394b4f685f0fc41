import { ASSET_DIGITS, formatDecimal, type DecimalStyle } from './format.ts';

/**
 * Kinds of figures, which determine the number of decimals:
 * - `exact`: typed or agreed values (amounts, limits, minimums, network fees, confirmations); cut off only
 *   after the eighth decimal.
 * - `sum`: a balance, a hold, or what a trade paid or brought.
 * - `fee`: a fee, often far smaller than a sum.
 * - `worth`: a value in USDT.
 */
export type FigureKind = 'exact' | 'sum' | 'fee' | 'worth';

interface Rule {
  readonly least: number;
  /** Maximum number of decimals, unless `significant` requires more. */
  readonly most: number;
  /**
   * Number of significant digits of a figure that are not cut off even if they require more decimals than
   * `most`; but never more than 8 decimals are shown.
   */
  readonly significant?: number;
  /** Maximum total of integer digits and decimals; surplus decimals are cut off. */
  readonly inAll?: number;
}

/** Coins whose figures are shown like money, usually with two decimals. */
const MONEY = new Set(['USDT', 'USDC']);

/**
 * Numbers of decimals by kind of figure, for USDT and USDC (`money`) and for every other coin. Prices and amounts of
 * orders use the digits of their pair instead (`market/digits.ts`).
 */
const RULES: Readonly<Record<FigureKind, { readonly money: Rule; readonly coin: Rule }>> = {
  exact: {
    money: { least: 2, most: ASSET_DIGITS },
    coin: { least: 0, most: ASSET_DIGITS },
  },
  sum: {
    money: { least: 2, most: 2, significant: 2 },
    coin: { least: 0, most: ASSET_DIGITS, inAll: 10 },
  },
  fee: {
    money: { least: 2, most: 2, significant: 4 },
    coin: { least: 0, most: ASSET_DIGITS, inAll: 10 },
  },
  worth: {
    money: { least: 2, most: 2 },
    coin: { least: 2, most: 2 },
  },
};

/**
 * Minimum and maximum number of decimals to show for a figure of a coin; an unknown coin is treated like coins other
 * than USDT and USDC.
 */
export function decimalsOf(
  value: string,
  kind: FigureKind,
  coin: string | undefined,
): Required<DecimalStyle> {
  const rule = RULES[kind][coin !== undefined && MONEY.has(coin) ? 'money' : 'coin'];
  const [, whole = '', fraction = ''] = /^-?0*(\d*)\.?(\d*)$/.exec(value) ?? [];
  const zeros = whole === '' ? /^0*/.exec(fraction)![0].length : 0;
  const significantPlaces = zeros === fraction.length ? 0 : zeros + (rule.significant ?? 0) - whole.length;
  const remainingDigits = rule.inAll === undefined ? ASSET_DIGITS : Math.max(0, rule.inAll - whole.length);
  const maxDigits = Math.min(ASSET_DIGITS, remainingDigits, Math.max(rule.most, significantPlaces));
  return { minDigits: Math.min(rule.least, maxDigits), maxDigits };
}

/**
 * Number of decimals for which layouts reserve width, by kind of figure and coin; a figure of kind `sum` or `fee` below
 * 0.01 may have more.
 */
export function maxDecimals(kind: FigureKind, coin: string): number {
  const rule = RULES[kind][MONEY.has(coin) ? 'money' : 'coin'];
  return rule.significant === undefined ? rule.most : Math.max(rule.most, rule.significant + 1);
}

/** Formats a figure of a coin without its unit: `1234.5` of USDT is `1,234.50`. */
export function formatFigure(
  value: string,
  locale: string,
  kind: FigureKind,
  coin: string | undefined,
): string {
  return formatDecimal(value, locale, decimalsOf(value, kind, coin));
}

/** No-break space, so that a figure and its unit stay on the same line. */
export const UNIT_SPACE = '\u00A0';

/** Joins a figure and its unit with a no-break space: `46 USDT`. */
export function withUnit(figure: string, unit: string): string {
  return unit === '' ? figure : figure + UNIT_SPACE + unit;
}
