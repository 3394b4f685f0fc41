import { convertProblem, termsForPayment, type ConvertSide } from './convert.ts';
import { Decimal } from './decimal.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS, HOUR_MS, instant, MINUTE_MS, SECOND_MS, type Instant } from './time.ts';

/**
 * Recurring buys: a plan pays a fixed amount at regular times and buys one or more coins with it, at the rate of an
 * instant exchange at that time.
 */

/** The most plans of a user that have not ended. */
export const RECURRING_PLANS_MAX = 10;
/** The most coins of a plan. */
export const RECURRING_COINS_MAX = 8;
/** A buy is skipped if more than this many milliseconds have passed since its scheduled time. */
export const RECURRING_LATE_MS = 6 * HOUR_MS;

export const RECURRING_FREQUENCIES = ['day', 'week', 'month'] as const;
export type RecurringFrequency = (typeof RECURRING_FREQUENCIES)[number];

/**
 * Why a coin was not bought: the balance was short; the coin was halted; the time had passed by more than
 * `RECURRING_LATE_MS` or there was no price for so long; the account may not buy; the exchange did not have enough of
 * the coin; or the amount was outside the limits of an exchange.
 */
export const RECURRING_SKIPS = ['short', 'halted', 'late', 'account', 'inventory', 'amount'] as const;
export type RecurringSkip = (typeof RECURRING_SKIPS)[number];

/** Schedule of a plan, in the local time of its owner. */
export interface RecurringSchedule {
  readonly frequency: RecurringFrequency;
  /** Day of the week of a weekly plan; 1 is Monday. */
  readonly weekday: number | undefined;
  /** Day of the month of a monthly plan; a shorter month uses its last day. */
  readonly monthDay: number | undefined;
  /** Time of day, in minutes after midnight. */
  readonly minute: number;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/** A coin of a plan and its share of the amount, in percent. */
export interface RecurringCoin {
  readonly asset: AssetCode;
  readonly share: number;
}

/** Whether a text is a time zone that this program knows. */
export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    // An unknown time zone throws a RangeError.
    return false;
  }
}

/**
 * Computes the times of a schedule. Creating an instance is slow, because it reads the rules of the
 * time zone.
 */
export class RecurringTimes {
  private readonly schedule: RecurringSchedule;
  private readonly format: Intl.DateTimeFormat;

  /** @throws RangeError for an unknown time zone */
  constructor(schedule: RecurringSchedule) {
    this.schedule = schedule;
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: schedule.timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /**
   * The first time after an instant. If clocks are put forward over the scheduled time, the time
   * moves by the same duration; if they are put back over it, the first of both occurrences counts.
   */
  next(after: Instant): Instant {
    const wall = this.schedule.minute * MINUTE_MS;
    // A day before today has no later time, except around midnight where a clock was put forward.
    for (const day of this.days(Math.floor(this.wallClock(after) / DAY_MS) - 1)) {
      const at = this.instantOf(day * DAY_MS + wall);
      if (at > after) return at;
    }
    throw new Error(`a schedule without a next time: ${JSON.stringify(this.schedule)}`);
  }

  /**
   * The due times from `first` on: the latest that is not after `now`, the number of earlier ones,
   * and the next time after `now`. `first` must be due.
   */
  due(
    first: Instant,
    now: Instant,
  ): { readonly at: Instant; readonly missed: number; readonly next: Instant } {
    let at = first;
    let missed = 0;
    let next = this.next(at);
    while (next <= now) {
      missed += 1;
      at = next;
      next = this.next(at);
    }
    return { at, missed, next };
  }

  /**
   * Scheduled days from a day on, in days since 1970 of the local calendar; enough days to find the
   * next time of the schedule.
   */
  private *days(from: number): Iterable<number> {
    const { frequency, weekday = 1, monthDay = 1 } = this.schedule;
    if (frequency === 'month') {
      const start = new Date(from * DAY_MS);
      for (let month = 0; month < 4; month += 1) {
        const [year, index] = [start.getUTCFullYear(), start.getUTCMonth() + month];
        const lastDay = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
        const day = Date.UTC(year, index, Math.min(monthDay, lastDay)) / DAY_MS;
        if (day >= from) yield day;
      }
      return;
    }
    const step = frequency === 'week' ? 7 : 1;
    // A weekly plan starts with the first day that has its weekday; 1970-01-01 was a Thursday.
    const start = frequency === 'week' ? from + ((((weekday - 4 - from) % 7) + 7) % 7) : from;
    for (let index = 0; index < 4; index += 1) yield start + index * step;
  }

  /** The local date and time at an instant, as if it were UTC. */
  private wallClock(at: number): number {
    const parts = new Map(
      this.format.formatToParts(at).map(({ type, value }) => [type, Number.parseInt(value, 10)]),
    );
    const valueOf = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(
      valueOf('year'),
      valueOf('month') - 1,
      valueOf('day'),
      valueOf('hour'),
      valueOf('minute'),
      valueOf('second'),
    );
  }

  /** Offset of the local time from UTC, in milliseconds. */
  private offset(at: number): number {
    return this.wallClock(at) - Math.floor(at / SECOND_MS) * SECOND_MS;
  }

  /** The first instant at which local clocks show `wall`; where they skip it, the instant that it would have been. */
  private instantOf(wall: number): Instant {
    const [before, after] = [this.offset(wall - DAY_MS), this.offset(wall + DAY_MS)];
    for (const offset of [Math.max(before, after), Math.min(before, after)])
      if (this.wallClock(wall - offset) === wall) return instant(wall - offset);
    return instant(wall - before);
  }
}

/** The refusal for a plan whose coins or shares are invalid; undefined for a valid one. */
export function recurringCoinsProblem(paid: AssetCode, coins: readonly RecurringCoin[]): Refusal | undefined {
  const names = coins.map(({ asset }) => asset);
  const isTwice = names.find((name, index) => name === paid || names.indexOf(name) !== index);
  if (isTwice !== undefined)
    return refusal('invalidField', 'l.recurring_coins', { field: 'coins', value: isTwice });
  const most = String(RECURRING_COINS_MAX);
  if (coins.length > RECURRING_COINS_MAX)
    return refusal('aboveMaximum', 'l.field_max', {
      field: 'coins',
      limit: most,
      value: String(coins.length),
    });
  const total = coins.reduce((sum, { share }) => sum + share, 0);
  if (total === 100 && coins.every(({ share }) => share > 0)) return undefined;
  return refusal('invalidField', 'l.recurring_shares', {
    field: 'coins',
    limit: '100',
    value: String(total),
  });
}

/**
 * The parts of an amount by shares, in order, rounded down to `digits`; the first part also gets the rest, so that the
 * parts add up to the amount.
 */
export function partsOf(
  amount: Decimal,
  coins: readonly RecurringCoin[],
  digits: number,
): readonly Decimal[] {
  const hundred = Decimal.ofWhole(100);
  const parts = coins.map(({ share }) =>
    amount.times(Decimal.ofWhole(share), 'down').over(hundred, 'down', digits),
  );
  const rest = parts.reduce((left, part) => left.minus(part), amount);
  return parts.map((part, index) => (index === 0 ? part.plus(rest) : part));
}

/** The refusal for an amount of which a part is outside the limits of an exchange; undefined when all parts fit. */
export function recurringAmountProblem(
  amount: Decimal,
  from: ConvertSide,
  sides: readonly { readonly share: number; readonly side: ConvertSide }[],
): Refusal | undefined {
  const coins = sides.map(({ share, side }) => ({ asset: side.asset, share }));
  const parts = partsOf(amount, coins, from.digits);
  for (const [index, { share, side }] of sides.entries()) {
    const problem = convertProblem(from, termsForPayment(from, side, parts[index] ?? Decimal.zero));
    if (problem === undefined) continue;
    // Converts a limit of one part to a limit of the whole amount.
    const rounding = problem.kind === 'belowMinimum' ? 'up' : 'down';
    const limit = Decimal.parse(problem.parameters['limit'] ?? '0')
      .times(Decimal.ofWhole(100), rounding)
      .over(Decimal.ofWhole(share), rounding, from.digits);
    return refusal(problem.kind, problem.key, {
      field: 'amount',
      limit: limit.toString(),
      value: amount.toString(),
      unit: from.asset,
    });
  }
  return undefined;
}

/** Amounts that a plan has paid and received for a coin, in total and at its first buy. */
export interface RecurringTotals {
  readonly paid: Decimal;
  readonly received: Decimal;
  readonly firstPaid: Decimal;
  readonly firstReceived: Decimal;
}

const PRICE_PLACES = 18;

/**
 * The average price of a coin, the price of its first buy (both include spread and fee), and the amount that a single
 * buy of everything at the first price would have received. Undefined before the first buy.
 */
export function recurringResult({
  paid,
  received,
  firstPaid,
  firstReceived,
}: RecurringTotals):
  | { readonly averagePrice: Decimal; readonly firstPrice: Decimal; readonly singleReceived: Decimal }
  | undefined {
  if (!received.isPositive() || !firstReceived.isPositive() || !firstPaid.isPositive()) return undefined;
  return {
    averagePrice: paid.over(received, 'down', PRICE_PLACES),
    firstPrice: firstPaid.over(firstReceived, 'down', PRICE_PLACES),
    singleReceived: paid.times(firstReceived, 'down', PRICE_PLACES).over(firstPaid, 'down', PRICE_PLACES),
  };
}
