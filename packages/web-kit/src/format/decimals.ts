import { ASSET_DIGITS, formatDecimal, type DecimalStyle } from './format.ts';

/**
 * What a figure of a coin is:
 * - `exact`: what was typed or is agreed to (amounts, limits, minimums, fees of networks, confirmations); nothing is cut.
 * - `sum`: what an account holds, an order sets aside, a trade paid or brought.
 * - `fee`: what is paid for something, often far less than a sum.
 * - `worth`: what something is worth in USDT.
 */
export type FigureKind = 'exact' | 'sum' | 'fee' | 'worth';

interface Rule {
  /** Decimals always shown. */
  readonly least: number;
  /** Decimals shown at most, where that leaves `significant` digits. */
  readonly most: number;
  /** Significant digits that a small figure keeps, with more decimals than `most` if need be (at most 8). */
  readonly significant?: number;
  /** Digits in all, before and behind the point, beyond which decimals are cut. */
  readonly inAll?: number;
}

/** Coins that are shown like money: with two decimals. */
const MONEY = new Set(['USDT', 'USDC']);

/** The one rule of decimals. Prices and amounts of orders have those of their pair instead (`market/digits.ts`). */
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

/** The decimals that a figure of a coin is shown with; of an unknown coin like those of any but USDT. */
export function decimalsOf(
  value: string,
  kind: FigureKind,
  coin: string | undefined,
): Required<DecimalStyle> {
  const rule = RULES[kind][coin !== undefined && MONEY.has(coin) ? 'money' : 'coin'];
  const [, whole = '', fraction = ''] = /^-?0*(\d*)\.?(\d*)$/.exec(value) ?? [];
  const zeros = whole === '' ? /^0*/.exec(fraction)![0].length : 0;
  const kept = zeros === fraction.length ? 0 : zeros + (rule.significant ?? 0) - whole.length;
  const room = rule.inAll === undefined ? ASSET_DIGITS : Math.max(0, rule.inAll - whole.length);
  const maxDigits = Math.min(ASSET_DIGITS, room, Math.max(rule.most, kept));
  return { minDigits: Math.min(rule.least, maxDigits), maxDigits };
}

/** With how many decimals the longest figure of a kind is shown: the room that is reserved for it. */
export function mostDecimals(kind: FigureKind, coin: string): number {
  const rule = RULES[kind][MONEY.has(coin) ? 'money' : 'coin'];
  return rule.significant === undefined ? rule.most : Math.max(rule.most, rule.significant + 1);
}

/** A figure of a coin by the rule of decimals, without its unit: `1234.5` of USDT is `1,234.50`. */
export function formatFigure(
  value: string,
  locale: string,
  kind: FigureKind,
  coin: string | undefined,
): string {
  return formatDecimal(value, locale, decimalsOf(value, kind, coin));
}

/** What stands between a figure and its unit, so that neither sticks to the other nor begins a line alone. */
export const UNIT_SPACE = '\u00A0';

/** A figure with its unit: `46 USDT`, never parted by the end of a line. */
export function withUnit(figure: string, unit: string): string {
  return unit === '' ? figure : figure + UNIT_SPACE + unit;
}
