import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { netDepositsIn, type OwnerPeriod } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import { type DayValue, forgetBefore, keepValues, lastValues, valuesSince } from './repository.ts';
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

/** The end of a day, in USDT. */
export interface ValueAt {
  readonly time: Instant;
  readonly total: Decimal;
  /** What came from outside less what left: since the value before, or of the last value, since it was looked at. */
  readonly netDeposits: Decimal;
}

/**
 * What everybody has at the end of each day of UTC, for the curve in the assets. A day is valued once, as soon as it has
 * ended; one that ended while no server ran has no value, and the curve passes over it. What came from outside or left
 * between two values is stored beside the later one: it is neither profit nor loss.
 */
export class Values {
  private readonly parts: ValuesParts;

  constructor(parts: ValuesParts) {
    this.parts = parts;
    parts.jobs.define('portfolio.value', () => this.valueDay(), { cron: '1 0 * * *' });
  }

  /** The ends of the last `days` days that have ended, oldest first. */
  async of(owner: UserId, days: number): Promise<ValueAt[]> {
    const { clock, database, valuation } = this.parts;
    const values = await valuesSince(database.reader, owner, dayOf(clock.now()) - days);
    const missing = values.flatMap((value, place) =>
      place > 0 && value.netDeposits === undefined
        ? [{ place, owner, from: countedFrom(values[place - 1]!), to: countedFrom(value) }]
        : [],
    );
    const found = missing.length === 0 ? [] : await netDepositsIn(database.reader, missing);
    const prices = valuation.prices();
    const made = new Map(missing.map(({ place }, at) => [place, worthOf(prices, found[at]!)]));
    return values.map(({ day, total, netDeposits }, place) => ({
      time: endOf(day),
      total,
      netDeposits: netDeposits ?? made.get(place) ?? Decimal.zero,
    }));
  }

  /** The newest value of a user at these prices, with what came and left since; undefined where none is stored. */
  async last(reader: Reader, owner: UserId, prices: PriceSet): Promise<ValueAt | undefined> {
    const last = (await lastValues(reader, [owner], dayOf(prices.at))).get(owner);
    if (last === undefined) return undefined;
    const [net] = await netDepositsIn(reader, [{ owner, from: countedFrom(last) }]);
    return { time: endOf(last.day), total: last.total, netDeposits: worthOf(prices, net!) };
  }

  /** What everything was worth when today began, with what came and left since; undefined where it is not known. */
  async today(owner: UserId): Promise<Omit<ValueAt, 'time'> | undefined> {
    const prices = this.parts.valuation.prices();
    const last = await this.last(this.parts.database.reader, owner, prices);
    if (last?.time !== dayOf(prices.at) * DAY_MS) return undefined;
    return { total: last.total, netDeposits: last.netDeposits };
  }

  /** Values the day that has ended last, of everybody. Done again it changes nothing. */
  async valueDay(): Promise<void> {
    const { clock, database, systemUsers } = this.parts;
    const today = dayOf(clock.now());
    const except = await systemUsers();
    for (let behind: string | undefined = NOBODY; behind !== undefined;)
      behind = await this.valueNext(today - 1, except, behind);
    await forgetBefore(database.store, today - KEPT_DAYS);
  }

  /** Values the next users' day; returns the last of them, or undefined where none is behind. */
  private async valueNext(
    day: number,
    except: readonly UserId[],
    behind: string,
  ): Promise<string | undefined> {
    const { database, valuation } = this.parts;
    const prices = valuation.prices();
    const page = await valuation.worthOfNext(database.reader, prices, except, behind, OWNERS_AT_A_TIME);
    const owners = page.map(({ owner }) => owner);
    const before = await lastValues(database.reader, owners, day);
    const periods = owners.flatMap((owner): OwnerPeriod[] => {
      const last = before.get(owner);
      return last === undefined ? [] : [{ owner, from: countedFrom(last), to: prices.at }];
    });
    const net = await netDepositsIn(database.reader, periods);
    const netOf = new Map(periods.map(({ owner }, place) => [owner, worthOf(prices, net[place]!)]));
    await keepValues(
      database.store,
      page.map(({ owner, worth }) => ({
        owner,
        day,
        total: worth,
        keptAt: prices.at,
        netDeposits: netOf.get(owner) ?? Decimal.zero,
      })),
    );
    return page.length < OWNERS_AT_A_TIME ? undefined : owners.at(-1);
  }

  /**
   * Gives somebody who has come to a demo a past: what they have now, at the closing prices of the days before; positions
   * of funds count at their present equity. Once, and only where nothing is kept of them.
   */
  async makePast(owner: UserId, days: number): Promise<void> {
    const { clock, database, market, valuation } = this.parts;
    const keptAt = clock.now();
    const today = dayOf(keptAt);
    if ((await valuesSince(database.reader, owner, today - days)).length > 0) return;
    const holdings = await valuation.holdingsOf(database.reader, owner, valuation.prices());
    const closes = new Map<string, readonly Decimal[]>();
    for (const { asset } of holdings)
      if (asset !== STABLE_COIN && !closes.has(asset))
        closes.set(asset, market.dayCloses(symbolOf(asset), days));
    const priceAt = (asset: string, daysAgo: number): Decimal => {
      if (asset === STABLE_COIN) return Decimal.one;
      const known = closes.get(asset) ?? [];
      return known[known.length - daysAgo] ?? Decimal.zero;
    };
    const values = Array.from({ length: days }, (_, at) => days - at).map((daysAgo) => {
      const worth = holdings.map(({ asset, available, inUse }) =>
        available.plus(inUse).times(priceAt(asset, daysAgo), 'down', WORTH_PLACES),
      );
      return { owner, day: today - daysAgo, total: sum(worth), keptAt, netDeposits: Decimal.zero };
    });
    await keepValues(database.store, values);
  }
}

function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

function endOf(day: number): Instant {
  return instant((day + 1) * DAY_MS);
}

/** From when on what comes and leaves is not in a value: when it was looked at, or the end of its day. */
function countedFrom({ day, keptAt }: DayValue): Instant {
  const end = endOf(day);
  return keptAt > end ? keptAt : end;
}

function symbolOf(coin: string): string {
  return (coin + STABLE_COIN).toLowerCase();
}
