import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Assets } from '../assets/index.ts';
import { holdingsOf, worthOfNext, type Movements } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import { forgetBefore, keepValues, valuesSince } from './repository.ts';

export const VALUE_PLACES = 8;
const KEPT_DAYS = 100;
const OWNERS_AT_A_TIME = 500;
const NOBODY = '00000000-0000-0000-0000-000000000000';
const STABLE_COIN = 'USDT';

interface ValuesParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader' | 'store'>;
  readonly market: Pick<Market, 'usdtPrice' | 'dayCloses'>;
  readonly assets: Pick<Assets, 'pairs'>;
  readonly jobs: Pick<Jobs, 'define'>;
  readonly movements: Pick<Movements, 'netDeposits'>;
  readonly systemUsers: () => Promise<readonly UserId[]>;
}

/**
 * What everybody has at the end of each day of UTC, for the curve in the assets. A day is valued once, as soon as it has
 * ended; one that ended while no server ran has no value, and the curve passes over it.
 */
export class Values {
  private readonly parts: ValuesParts;

  constructor(parts: ValuesParts) {
    this.parts = parts;
    parts.jobs.define('portfolio.value', () => this.valueDay(), { cron: '1 0 * * *' });
  }

  /** The ends of the last `days` days that have ended, oldest first: when, and the worth in USDT. */
  async of(owner: UserId, days: number): Promise<{ at: Instant; total: Decimal }[]> {
    const { clock, database } = this.parts;
    const values = await valuesSince(database.reader, owner, dayOf(clock.now()) - days);
    return values.map(({ day, total }) => ({ at: instant((day + 1) * DAY_MS), total }));
  }

  /**
   * What everything was worth at midnight, and what came from outside since less what left, in USDT at the present
   * prices: that is no profit, and no loss. Undefined where the day before has no value.
   */
  async today(owner: UserId): Promise<{ total: Decimal; netDeposits: Decimal } | undefined> {
    const { clock, database, movements } = this.parts;
    const today = dayOf(clock.now());
    const [last] = await valuesSince(database.reader, owner, today - 1);
    if (last === undefined) return undefined;
    const prices = this.prices();
    const midnight = instant(today * DAY_MS);
    const net = await movements.netDeposits(owner, last.keptAt > midnight ? last.keptAt : midnight);
    const worth = net.map(({ asset, amount }) =>
      amount.times(prices.get(asset) ?? Decimal.zero, 'down', VALUE_PLACES),
    );
    return { total: last.total, netDeposits: sum(worth) };
  }

  /** Values the day that has ended last, of everybody. Done again it changes nothing. */
  async valueDay(): Promise<void> {
    const { clock, database, systemUsers } = this.parts;
    const keptAt = clock.now();
    const today = dayOf(keptAt);
    const asked = { prices: this.prices(), places: VALUE_PLACES, except: await systemUsers() };
    for (let behind = NOBODY; ;) {
      const page = await worthOfNext(database.reader, asked, behind, OWNERS_AT_A_TIME);
      await keepValues(
        database.store,
        page.map(({ owner, worth }) => ({ owner, day: today - 1, total: worth, keptAt })),
      );
      if (page.length < OWNERS_AT_A_TIME) break;
      behind = page.at(-1)!.owner;
    }
    await forgetBefore(database.store, today - KEPT_DAYS);
  }

  /**
   * Gives somebody who has come to a demo a past: what they have now, at the closing prices of the days before. Once,
   * and only where nothing is kept of them.
   */
  async makePast(owner: UserId, days: number): Promise<void> {
    const { clock, database, market } = this.parts;
    const keptAt = clock.now();
    const today = dayOf(keptAt);
    if ((await valuesSince(database.reader, owner, today - days)).length > 0) return;
    const holdings = await holdingsOf(database.reader, owner);
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
      const worth = holdings.map(({ asset, available, frozen, locked }) =>
        sum([available, frozen, locked]).times(priceAt(asset, daysAgo), 'down', VALUE_PLACES),
      );
      return { owner, day: today - daysAgo, total: sum(worth), keptAt };
    });
    await keepValues(database.store, values);
  }

  /** What a coin is worth in USDT now, by coin. */
  private prices(): Map<string, Decimal> {
    const { assets, market } = this.parts;
    const coins = new Set([STABLE_COIN, ...assets.pairs.flatMap(({ pair }) => [pair.base, pair.quote])]);
    return new Map(
      [...coins].flatMap((coin) => {
        const price = market.usdtPrice(coin);
        return price === undefined ? [] : [[coin, price] as const];
      }),
    );
  }
}

function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

function symbolOf(coin: string): string {
  return (coin + STABLE_COIN).toLowerCase();
}
