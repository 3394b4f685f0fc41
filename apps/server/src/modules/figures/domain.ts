import { Decimal } from '@exchange/core/decimal.ts';
import {
  FIGURE_NAMES,
  measureNamed,
  valueOf,
  type DayFigure,
  type FigureName,
  type MeasureName,
  type Exposure,
} from '@exchange/core/figures.ts';
import { DAY_MS, type Instant } from '@exchange/core/time.ts';

export interface LimitKey {
  readonly measure: string;
  readonly subject: string;
}

/**
 * Limits of a risk measure for one subject, which operators set; a value below `least` or above `most` raises an alarm,
 * a value equal to one of them does not.
 */
export interface Limit extends LimitKey {
  /** Version of the stored limits; 0 if no limits are stored. */
  readonly version: number;
  readonly least: Decimal | undefined;
  readonly most: Decimal | undefined;
}

export type MeasureState = 'too low' | 'too high' | 'unknown' | 'within';

/** The current value of a risk measure for one subject, compared with its limits. */
export interface Measured extends Exposure {
  readonly limit: Limit;
  readonly state: MeasureState;
}

/**
 * The exchange's figures of one UTC day (`day`, in days since 1970) in USDT, the number of new users, and the
 * coins that are left out of them because they have no price.
 */
export interface DayValues {
  readonly day: number;
  readonly values: Readonly<Record<FigureName, Decimal>>;
  readonly newUsers: number;
  readonly unpriced: readonly string[];
}

/** Returns the price of a coin in USDT on a day (days since 1970); undefined if there is none. */
export type PriceOf = (day: number, asset: string) => Decimal | undefined;

/** Formats a UTC day, given in days since 1970, as `2026-01-31`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function noValues(): Record<FigureName, Decimal> {
  return Object.fromEntries(FIGURE_NAMES.map((name) => [name, Decimal.zero])) as Record<FigureName, Decimal>;
}

/**
 * The figures of the UTC day `day` (days since 1970) in USDT at the prices of that day, computed from figures in coins,
 * of which those of other days are ignored.
 */
export function dayValues(
  day: number,
  figures: readonly DayFigure[],
  { priceOf, newUsers }: { readonly priceOf: PriceOf; readonly newUsers: number },
): DayValues {
  const values = noValues();
  const unpriced = new Set<string>();
  for (const figure of figures) {
    if (figure.day !== day) continue;
    const value = valueOf(figure, priceOf(day, figure.asset));
    if (value === undefined) unpriced.add(figure.asset);
    else values[figure.figure] = values[figure.figure].plus(value);
  }
  return {
    day,
    values,
    newUsers,
    unpriced: [...unpriced].toSorted(),
  };
}

/** The exchange's result, fees and turnover of one UTC day (in days since 1970) and product, in USDT. */
export interface ProductValues {
  readonly day: number;
  readonly product: string;
  readonly result: Decimal;
  readonly fees: Decimal;
  readonly turnover: Decimal;
}

const BY_PRODUCT: ReadonlySet<FigureName> = new Set(['result', 'fees', 'turnover']);

/**
 * The exchange's result, fees and turnover in USDT by day and product, newest day first, products by name.
 * Coins without a price on the day count as zero.
 */
export function productValues(figures: readonly DayFigure[], priceOf: PriceOf): ProductValues[] {
  const rows = new Map<string, ProductValues>();
  for (const figure of figures) {
    if (!BY_PRODUCT.has(figure.figure)) continue;
    const value = valueOf(figure, priceOf(figure.day, figure.asset));
    const { day, part: product } = figure;
    const key = `${day} ${product}`;
    const row = rows.get(key) ?? {
      day,
      product,
      result: Decimal.zero,
      fees: Decimal.zero,
      turnover: Decimal.zero,
    };
    const name = figure.figure as 'result' | 'fees' | 'turnover';
    rows.set(key, { ...row, [name]: row[name].plus(value ?? Decimal.zero) });
  }
  return [...rows.values()].toSorted(
    (left, right) => right.day - left.day || (left.product < right.product ? -1 : 1),
  );
}

const ALL = 'all';

/**
 * The risk measures of the current UTC day: result, fees and turnover, in total and of each product, deposits
 * and withdrawals, all in USDT, and the number of new users.
 */
export function dayExposures(today: DayValues, products: readonly ProductValues[]): Exposure[] {
  const usdt = (measure: MeasureName, subject: string, value: Decimal): Exposure => ({
    measure,
    subject,
    value,
    unit: 'USDT',
  });
  const { values, newUsers } = today;
  return [
    usdt('dayResult', ALL, values.result),
    usdt('dayFees', ALL, values.fees),
    usdt('dayTurnover', ALL, values.turnover),
    usdt('dayDeposits', ALL, values.deposits),
    usdt('dayWithdrawals', ALL, values.withdrawals),
    {
      measure: 'newUsers',
      subject: ALL,
      value: Decimal.ofWhole(newUsers),
      unit: 'users',
    },
    ...products.flatMap(({ product, result, fees, turnover }) => [
      usdt('dayResult', product, result),
      usdt('dayFees', product, fees),
      usdt('dayTurnover', product, turnover),
    ]),
  ];
}

const NO_LIMIT = { version: 0, least: undefined, most: undefined } as const;

/**
 * Compares risk measures with their limits. Without a stored limit, a measure is compared with its built-in lower limit
 * if it has one. If the subject of a stored limit is not among the exposures, the limit is compared with zero. Measures
 * outside their limits come first, then those without a known value.
 */
export function measured(exposures: readonly Exposure[], limits: readonly Limit[]): Measured[] {
  const byKey = new Map(limits.map((limit) => [`${limit.measure} ${limit.subject}`, limit]));
  const known = new Set(exposures.map(({ measure, subject }) => `${measure} ${subject}`));
  const absent = limits.flatMap(({ measure, subject, least, most }) =>
    known.has(`${measure} ${subject}`) ||
    measureNamed(measure) === undefined ||
    (least === undefined && most === undefined)
      ? []
      : [{ measure: measure as MeasureName, subject, value: Decimal.zero, unit: '' }],
  );
  return [...exposures, ...absent]
    .map((exposure) => {
      const { measure, subject } = exposure;
      const limit = byKey.get(`${measure} ${subject}`) ?? {
        ...NO_LIMIT,
        measure,
        subject,
        least: measureNamed(measure)?.least,
      };
      return { ...exposure, limit, state: stateOf(exposure, limit) };
    })
    .toSorted((left, right) => RANK[left.state] - RANK[right.state]);
}

const RANK: Readonly<Record<MeasureState, number>> = { 'too low': 0, 'too high': 0, unknown: 1, within: 2 };

function stateOf({ value }: Exposure, { least, most }: Limit): MeasureState {
  if (value === undefined) return 'unknown';
  if (least !== undefined && value.isLess(least)) return 'too low';
  return most !== undefined && value.isMore(most) ? 'too high' : 'within';
}

/** States in a sentence, for operators, that a risk measure is outside its limits. */
export function alarmText({ measure, subject, value, unit, state, limit }: Measured): string {
  const bound = state === 'too low' ? `below ${limit.least?.toString()}` : `above ${limit.most?.toString()}`;
  const title = measureNamed(measure)?.title ?? measure;
  return `${title}, ${subject}: ${value?.toString()} ${unit} is ${bound}`;
}

/** A UTC month with its first and last day, both included, in days since 1970. */
export interface Month {
  /** Year and month, such as `2026-01`. */
  readonly month: string;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Totals of a month: in USDT by figure, as decimal numbers in text, and the number of new users. */
export interface PeriodSums {
  readonly values: Readonly<Record<FigureName, string>>;
  readonly newUsers: number;
}

/** A closed accounting month, with the SHA-256 of the file with its figures and the signature of that hash. */
export interface ClosedPeriod extends Month {
  /** Sequence number of the last ledger entry that the month's figures include. */
  readonly lastEntry: number;
  readonly sha256: string;
  readonly key: string;
  readonly signature: string;
  readonly sums: PeriodSums;
  readonly closedBy: string;
  readonly reason: string;
  readonly at: Instant;
}

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/**
 * The UTC month, with its first and last day, that has a name such as `2026-01`; undefined for any other
 * text.
 */
export function monthNamed(name: string): Month | undefined {
  return MONTH.test(name) ? monthOfDay(Date.parse(`${name}-01`) / DAY_MS) : undefined;
}

/** The UTC month that contains a UTC day, which is given in days since 1970. */
export function monthOfDay(day: number): Month {
  const date = new Date(day * DAY_MS);
  const startOf = (ahead: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead, 1) / DAY_MS;
  return { month: dayText(day).slice(0, 'YYYY-MM'.length), firstDay: startOf(0), lastDay: startOf(1) - 1 };
}
