import { convertProblem, termsForPayment, type ConvertSide } from './convert.ts';
import { Decimal } from './decimal.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS, HOUR_MS, instant, MINUTE_MS, SECOND_MS, type Instant } from './time.ts';

/**
 * Recurring buys. A plan pays a fixed amount at regular times and buys one or more coins with it, each time at the
 * current rate of the instant conversion.
 */

/** Maximum number of a user's plans of recurring buys that have not ended. */
export const RECURRING_PLANS_MAX = 10;
/** Maximum number of coins that a plan of recurring buys can buy. */
export const RECURRING_COINS_MAX = 8;
/** A buy is skipped if more than this number of milliseconds have passed since its scheduled time. */
export const RECURRING_LATE_MS = 6 * HOUR_MS;
/**
 * Number of milliseconds after its scheduled time for which a buy waits if some of its coins have no price. It
 * is executed as soon as all coins have one. After this time it buys only the coins that have a price, if there
 * are any, until `RECURRING_LATE_MS` have passed.
 */
export const RECURRING_COMPLETE_MS = RECURRING_LATE_MS - 5 * MINUTE_MS;

export const RECURRING_FREQUENCIES = ['day', 'week', 'month'] as const;
export type RecurringFrequency = (typeof RECURRING_FREQUENCIES)[number];

/**
 * Reasons for which a scheduled buy of a coin was skipped. `short`: the available balance was less than the
 * plan's whole amount or, during the buy, than the coin's part. `halted`: the coin, or the coin with which
 * the plan pays, was halted. `late`: more than `RECURRING_LATE_MS` had passed since the scheduled time, or
 * the coin still had no price when the other coins of the plan were bought after `RECURRING_COMPLETE_MS`.
 * `account`: the owner's identity was not verified, or the status of the account permitted no purchases.
 * `inventory`: the exchange did not have enough of the coin. `amount`: the amount was outside the limits of a
 * conversion.
 */
export const RECURRING_SKIPS = ['short', 'halted', 'late', 'account', 'inventory', 'amount'] as const;
export type RecurringSkip = (typeof RECURRING_SKIPS)[number];

/** Schedule of a plan of recurring buys in local time, i.e. in the time zone `timeZone`. */
export interface RecurringSchedule {
  readonly frequency: RecurringFrequency;
  /** Day of the week on which a weekly plan buys: 1 is Monday, 7 is Sunday. Undefined for other plans. */
  readonly weekday: number | undefined;
  /**
   * Day of the month on which a monthly plan buys, or the last day of a month that is shorter. Undefined for other
   * plans.
   */
  readonly monthDay: number | undefined;
  /** Local time of day at which the plan buys, in minutes after midnight. */
  readonly minute: number;
  /** Name of an IANA time zone, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/** A coin that a plan buys. `share` is the percentage of the plan's amount that is paid for this coin. */
export interface RecurringCoin {
  readonly asset: AssetCode;
  readonly share: number;
}

/** Returns whether the text is the name of a time zone that this program knows. */
export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    // For an unknown time zone the constructor throws a RangeError.
    return false;
  }
}

/**
 * Computes the times at which a schedule is due. Creating an instance is slow, because it reads the rules of the time
 * zone.
 */
export class RecurringTimes {
  private readonly schedule: RecurringSchedule;
  private readonly format: Intl.DateTimeFormat;

  /** Computes the times of this schedule. Throws a RangeError if its time zone is unknown. */
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
   * Returns the first scheduled time after an instant. A scheduled time that local clocks skip, because they are put
   * forward, is moved later by the duration of the skipped time. Of a scheduled time that occurs twice, because clocks
   * are put back, the first occurrence is used.
   */
  next(after: Instant): Instant {
    const wall = this.schedule.minute * MINUTE_MS;
    // The search begins with the day before the local day of `after`. If clocks are put forward around midnight, the
    // scheduled time of that earlier day is moved to a later instant, which can be after `after`.
    for (const day of this.days(Math.floor(this.wallClock(after) / DAY_MS) - 1)) {
      const at = this.instantOf(day * DAY_MS + wall);
      if (at > after) return at;
    }
    throw new Error(`a schedule without a next time: ${JSON.stringify(this.schedule)}`);
  }

  /**
   * Returns the scheduled times from `first` on: the latest that is not after `now` (`at`), the number of earlier ones
   * (`missed`), and the first after `now` (`next`). `first` must not be after `now`.
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
   * Returns the next scheduled days on or after the day `from`, as numbers of local days since 1970-01-01.
   * These three or four days are sufficient to find the next time of the schedule.
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
    // A daily plan starts with the day `from`, a weekly plan with the first day from then on that has its
    // weekday. Day 0, 1970-01-01, was a Thursday.
    const start = frequency === 'week' ? from + ((((weekday - 4 - from) % 7) + 7) % 7) : from;
    for (let index = 0; index < 4; index += 1) yield start + index * step;
  }

  /**
   * Returns the local date and time at an instant, as the milliseconds since 1970 that a UTC clock with the same date
   * and time would have.
   */
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

  /** Returns local time minus UTC at an instant, in milliseconds. */
  private offset(at: number): number {
    return this.wallClock(at) - Math.floor(at / SECOND_MS) * SECOND_MS;
  }

  /**
   * Returns the first instant at which local clocks show the date and time `wall`. If the clocks skip it, returns the
   * instant at which an unchanged clock would show it.
   */
  private instantOf(wall: number): Instant {
    const [before, after] = [this.offset(wall - DAY_MS), this.offset(wall + DAY_MS)];
    for (const offset of [Math.max(before, after), Math.min(before, after)])
      if (this.wallClock(wall - offset) === wall) return instant(wall - offset);
    return instant(wall - before);
  }
}

/**
 * Returns a refusal if a plan has a coin twice, buys the coin with which it pays, or has more than
 * `RECURRING_COINS_MAX` coins, or if the shares are not positive or do not add up to 100; otherwise undefined.
 */
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
 * Splits a plan's amount by the shares of its coins, in their order. The parts are rounded down to `digits`. The first
 * part also gets the rest, so that the parts add up to the amount.
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

/**
 * Splits the plan's amount among its coins by their shares. Returns a refusal if the part of a coin is outside the
 * limits of an instant conversion, with the limit converted to the whole amount; undefined if all parts are within
 * the limits.
 */
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
    // The refusal states the limit for one part. It is converted to the corresponding limit for the whole amount.
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

/** Amounts that a plan has paid for a coin and received of it: in total, and by its first buy. */
export interface RecurringTotals {
  readonly paid: Decimal;
  readonly received: Decimal;
  readonly firstPaid: Decimal;
  readonly firstReceived: Decimal;
}

const PRICE_PLACES = 18;

/**
 * Returns the average price of all buys of a coin, the price of its first buy (both include spread and fee), and the
 * amount that the total payment would have bought at the price of the first buy. Returns undefined before the first
 * buy.
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
