import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { inSnapshot } from '../../platform/database/snapshot.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { lastEntrySequence, netDepositsIn, type OwnerEntries } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import { deleteValuesBefore, storeValues, lastValues, valuesSince } from './repository.ts';
import { type PriceSet, type Valuation, WORTH_PLACES, worthOf } from './valuation.ts';

const KEPT_DAYS = 100;
const OWNERS_AT_A_TIME = 500;
const NOBODY = '00000000-0000-0000-0000-000000000000';
const STABLE_COIN = 'USDT';

interface ValuesParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader' | 'store'>;
  readonly valuation: Valuation;
  readonly market: Pick<Market, 'dayCloses'>;
  readonly jobs: Pick<Jobs, 'define'>;
  readonly systemUsers: () => Promise<readonly UserId[]>;
}

/** A user's total value at the end of a UTC day, in USDT. */
export interface ValueAt {
  readonly time: Instant;
  readonly total: Decimal;
  /**
   * Net inflow into this account in USDT: deposits, funding by the exchange, corrections and transfers from
   * the person's other accounts, minus withdrawals and transfers to them. For a stored daily value: since the
   * user's previous stored value. For the latest value that `Values.last` returns: since the end of its day
   * until now.
   */
  readonly netDeposits: Decimal;
}

/**
 * The value of every user except system users at the end of each UTC day, for the value chart. A day is
 * valued once, right after it ended; days that ended while the server was down have no value. The net inflow
 * into the account between two values (deposits, funding by the exchange, corrections and transfers from
 * other accounts of the person, minus withdrawals and transfers to them) is stored with the later one,
 * because it is neither profit nor loss.
 */
export class Values {
  private readonly parts: ValuesParts;

  constructor(parts: ValuesParts) {
    this.parts = parts;
    parts.jobs.define('portfolio.value', () => this.valueDay(), { cron: '1 0 * * *' });
  }

  /**
   * A user's stored total values of the last `days` finished days, oldest first; days without a stored value are
   * missing. A net inflow that was not stored is computed at the current prices, except for the first value of the
   * list, where it is zero.
   */
  async history(owner: UserId, days: number): Promise<ValueAt[]> {
    const { clock, database, valuation } = this.parts;
    const values = await valuesSince(database.reader, owner, dayOf(clock.now()) - days);
    const missing = values.flatMap((value, index) =>
      index > 0 && value.netDeposits === undefined
        ? [{ place: index, owner, after: values[index - 1]!.entry, upTo: value.entry }]
        : [],
    );
    const deposits = missing.length === 0 ? [] : await netDepositsIn(database.reader, missing);
    const prices = valuation.prices();
    const computed = new Map(
      missing.map(({ place: index }, position) => [index, worthOf(prices, deposits[position]!)]),
    );
    return values.map(({ day, total, netDeposits }, index) => ({
      time: endOf(day),
      total,
      netDeposits: netDeposits ?? computed.get(index) ?? Decimal.zero,
    }));
  }

  /**
   * A user's latest stored daily value of a UTC day before that of `prices`, and the net inflow into the
   * account since then, at `prices`; undefined if no value is stored.
   */
  async last(reader: Reader, owner: UserId, prices: PriceSet): Promise<ValueAt | undefined> {
    const lastValue = (await lastValues(reader, [owner], dayOf(prices.at))).get(owner);
    if (lastValue === undefined) return undefined;
    const [net] = await netDepositsIn(reader, [{ owner, after: lastValue.entry }]);
    return { time: endOf(lastValue.day), total: lastValue.total, netDeposits: worthOf(prices, net!) };
  }

  /**
   * A user's total value at 00:00 UTC of today, and the net inflow into the account since then; undefined if
   * no value of the end of yesterday is stored.
   */
  async today(owner: UserId): Promise<Omit<ValueAt, 'time'> | undefined> {
    const prices = this.parts.valuation.prices();
    const lastValue = await this.last(this.parts.database.reader, owner, prices);
    if (lastValue?.time !== dayOf(prices.at) * DAY_MS) return undefined;
    return { total: lastValue.total, netDeposits: lastValue.netDeposits };
  }

  /**
   * Stores the value at the end of yesterday (UTC) for all users except system users, and deletes values older than
   * `KEPT_DAYS` days. Stored values are not replaced, so running it again is safe.
   */
  async valueDay(): Promise<void> {
    const { clock, database, systemUsers } = this.parts;
    const today = dayOf(clock.now());
    const except = await systemUsers();
    for (let behind: string | undefined = NOBODY; behind !== undefined;)
      behind = await this.valueNext(today - 1, except, behind);
    await deleteValuesBefore(database.store, today - KEPT_DAYS);
  }

  /**
   * Stores the current total values of the page of users after the user id `behind` as the values of `day`.
   * Returns the id of the last user of the page, or undefined if it was the last page.
   */
  private async valueNext(
    day: number,
    except: readonly UserId[],
    behind: string,
  ): Promise<string | undefined> {
    const { database, valuation } = this.parts;
    const prices = valuation.prices();
    // Balances, deposits and the position of the ledger are those of one snapshot, so that the next value continues
    // exactly where this one ends.
    const values = await inSnapshot(database.reader, async (tx) => {
      const entry = await lastEntrySequence(tx);
      const page = await valuation.nextUserValues(tx, prices, except, behind, OWNERS_AT_A_TIME);
      const previousValues = await lastValues(
        tx,
        page.map(({ owner }) => owner),
        day,
      );
      const ranges = page.flatMap(({ owner }): OwnerEntries[] => {
        const lastValue = previousValues.get(owner);
        return lastValue === undefined ? [] : [{ owner, after: lastValue.entry, upTo: entry }];
      });
      const netDeposits = await netDepositsIn(tx, ranges);
      const netOf = new Map(ranges.map(({ owner }, index) => [owner, worthOf(prices, netDeposits[index]!)]));
      return page.map(({ owner, worth }) => ({
        owner,
        day,
        total: worth,
        entry,
        netDeposits: netOf.get(owner) ?? Decimal.zero,
      }));
    });
    await storeValues(database.store, values);
    return values.length < OWNERS_AT_A_TIME ? undefined : values.at(-1)?.owner;
  }

  /**
   * Demo only: creates past values for a user who has none in the last `days` days. Each is the value of the current
   * holdings at that day's closing prices, with fund positions at their current equity.
   */
  async seedHistory(owner: UserId, days: number): Promise<void> {
    const { clock, database, market, valuation } = this.parts;
    const today = dayOf(clock.now());
    if ((await valuesSince(database.reader, owner, today - days)).length > 0) return;
    const entry = await lastEntrySequence(database.reader);
    const holdings = await valuation.holdingsOf(database.reader, owner, valuation.prices());
    const closes = new Map<string, readonly Decimal[]>();
    for (const { asset } of holdings)
      if (asset !== STABLE_COIN && !closes.has(asset))
        closes.set(asset, market.dayCloses(symbolOf(asset), days));
    const priceAt = (asset: string, daysAgo: number): Decimal => {
      if (asset === STABLE_COIN) return Decimal.one;
      const prices = closes.get(asset) ?? [];
      return prices[prices.length - daysAgo] ?? Decimal.zero;
    };
    const values = Array.from({ length: days }, (_, index) => days - index).map((daysAgo) => {
      const worth = holdings.map(({ asset, available, inUse }) =>
        available.plus(inUse).times(priceAt(asset, daysAgo), 'down', WORTH_PLACES),
      );
      return {
        owner,
        day: today - daysAgo,
        total: sum(worth),
        entry,
        netDeposits: Decimal.zero,
      };
    });
    await storeValues(database.store, values);
  }
}

function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

function endOf(day: number): Instant {
  return instant((day + 1) * DAY_MS);
}

function symbolOf(coin: string): string {
  return (coin + STABLE_COIN).toLowerCase();
}
