import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import { instant, later, type Instant } from '@exchange/core/time.ts';
import { createAssets } from '../src/modules/assets/index.ts';
import {
  createMarket,
  dealt,
  levelsMoved,
  type LevelsMoved,
  type Deal,
  type Venue,
  type VenueQuote,
} from '../src/modules/market/index.ts';
import { databaseOver } from '../src/platform/database/database.ts';
import { Events } from '../src/platform/events.ts';
import type { Feed } from '../src/platform/feed/feed.ts';
import type { Log } from '../src/platform/log.ts';
import { SigningKey } from '../src/platform/secrets/signing-key.ts';
import type { TestDatabase } from './database.ts';

export const MARKET_START = instant(1_795_219_200_000 + 45_296_000);

/** A venue whose quotes the test emits. */
export class FakeVenue implements Venue {
  readonly id: string;
  private emit: ((quote: VenueQuote) => void) | undefined;

  constructor(id: string) {
    this.id = id;
  }

  start(emit: (quote: VenueQuote) => void): void {
    this.emit = emit;
  }

  stop(): void {
    this.emit = undefined;
  }

  quote(symbol: string, price: string, at: Instant, receivedAt?: Instant): void {
    const quote = { symbol, price: Decimal.parse(price), at };
    this.emit?.(receivedAt === undefined ? quote : { ...quote, receivedAt });
  }
}

/** A feed that records published messages. */
export class FakeFeed implements Feed {
  readonly published: { topic: string; data: unknown }[] = [];
  private readonly snapshots = new Map<string, (topic: string) => unknown>();

  serve(prefix: string, snapshot: (topic: string) => unknown): void {
    this.snapshots.set(prefix, snapshot);
  }
  servePrivate(): void {}
  publish(topic: string, data: unknown): void {
    this.published.push({ topic, data });
  }
  hasListeners(): boolean {
    return true;
  }
  publishPrivate(): void {}
  hasPrivateListener(): boolean {
    return false;
  }

  snapshot(topic: string): unknown {
    return this.snapshots.get(topic.split('.')[0] ?? '')?.(topic);
  }

  messagesOf(topic: string): unknown[] {
    return this.published.filter((message) => message.topic === topic).map(({ data }) => data);
  }
}

interface MarketOptions {
  readonly mode?: 'demo' | 'live';
  readonly venues?: readonly Venue[];
  readonly startAt?: Instant;
  /**
   * Symbols of the pairs of the test market; by default all pairs of the mode. The demo generates years of price
   * history for each pair, so tests use few.
   */
  readonly symbols?: readonly string[];
}

/**
 * Creates the market module over a real database, with a clock that the test sets, a recording feed, and
 * functions that publish deals and levels.
 */
export function aMarket(database: TestDatabase, options: MarketOptions = {}) {
  const logged: { level: string; event: string }[] = [];
  const record = (level: string) => (event: string) => void logged.push({ level, event });
  const log: Log = {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  };
  const time = { now: options.startAt ?? MARKET_START };
  const clock = { now: () => time.now, monotonicMs: () => performance.now() };
  const events = new Events(log);
  const feed = new FakeFeed();
  const mode = options.mode ?? 'live';
  const listed = createAssets({ mode });
  const { symbols = listed.pairs.map(({ pair }) => pair.symbol) } = options;
  const assets = { ...listed, pairs: listed.pairs.filter(({ pair }) => symbols.includes(pair.symbol)) };
  const market = createMarket({
    clock,
    log,
    events,
    feed,
    assets,
    mode,
    database: databaseOver(database.pool),
    connection: database.connection,
    signingKey: new SigningKey(Buffer.alloc(32, 7)),
    seed: 1,
    venues: options.venues ?? [],
  });
  return {
    market,
    assets,
    feed,
    logged,
    time,
    pass: (ms: number) => (time.now = later(time.now, ms)),
    publishDeals: (...deals: Deal[]) => events.publish(deals.map((fact) => ({ name: dealt.name, fact }))),
    publishLevel: (symbol: string, side: Side, price: string, amount: string, step = 1) => {
      const { priceDigits, amountDigits } = assets.findPair(symbol)!.pair;
      const scaled = (text: string, digits: number) => Decimal.parse(text).toScaled(digits);
      const level = { side, price: scaled(price, priceDigits), amount: scaled(amount, amountDigits) };
      const fact: LevelsMoved = { symbol, step, levels: [level], at: time.now };
      events.publish([{ name: levelsMoved.name, fact }]);
    },
  };
}

/** Returns a deal on BTC/USDT with the trade id `trade-<sequence>`. */
export function aDeal(sequence: number, price: string, amount: string, at: Instant): Deal {
  return {
    symbol: 'btcusdt',
    tradeId: `trade-${sequence}`,
    price: Decimal.parse(price),
    amount: Decimal.parse(amount),
    takerSide: 'buy',
    takerOrder: 'taker',
    at,
    sequence,
  };
}
