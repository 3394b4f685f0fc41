import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import type { Side } from '@exchange/core/pair.ts';
import type {
  CandleMessage,
  DealMessage,
  DepthMessage,
  IndexMessage,
  TickerMessage,
} from '@exchange/wire/feed.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { Candle } from './domain/candle-record.ts';
import { isSeeded, type PairDeal, type PairMarket } from './domain/pair-market.ts';
import { priceOf } from './domain/pair-scale.ts';
import { sparkOf, type Ticker } from './domain/rolling-ticker.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { SymbolPoint } from './index-maker.ts';
import type { MarketService } from './service.ts';

/** A pair's order book (depth) and trades are published at most ten times a second. */
const DEPTH_EVERY_MS = 100;
/**
 * A pair's candles and ticker may change with every trade, but are published at most four times a second, and the list
 * of all tickers at most twice a second.
 */
const CANDLE_EVERY_MS = 250;
const TICKERS_EVERY_MS = 500;
const SNAPSHOT_LEVELS = 50;

/**
 * Sequence number and versions of a pair's data when they were last published; data with another version is
 * published again.
 */
interface Published {
  dealSequence: number;
  tickerVersion: number;
  tickersVersion: number;
  readonly candles: Map<CandleTimer, { version: number; opened: number }>;
}

/** Publishes the public market topics. Changes are collected and published at a bounded rate. */
export class MarketFeed {
  private readonly feed: Feed;
  private readonly market: MarketService;
  private readonly published = new Map<string, Published>();
  private readonly tasks: readonly PeriodicTask[];

  constructor(feed: Feed, market: MarketService) {
    this.feed = feed;
    this.market = market;
    this.tasks = [
      new PeriodicTask(() => this.forEachPair((pair) => this.publishBook(pair)), { everyMs: DEPTH_EVERY_MS }),
      new PeriodicTask(() => this.forEachPair((pair, published) => this.publishCandles(pair, published)), {
        everyMs: CANDLE_EVERY_MS,
      }),
      new PeriodicTask(() => this.publishTickers(), { everyMs: TICKERS_EVERY_MS }),
    ];
    feed.serve('tickers', () => this.allTickers());
    feed.serve('ticker', (topic) => this.snapshotOfPair(topic, (pair) => tickerMessage(pair) ?? {}));
    feed.serve('depth', (topic) => this.snapshotOfPair(topic, depthSnapshot));
    feed.serve('trade', (topic) =>
      this.snapshotOfPair(topic, (pair) => pair.deals.map((deal) => dealMessage(pair, deal))),
    );
    feed.serve('kline', (topic) => this.candleSnapshot(topic));
    feed.serve('index', (topic) => this.indexSnapshot(topic));
    market.index.onPoints((points) => this.publishIndex(points));
  }

  start(): void {
    // Only records the number of the newest deal of each pair, so that deals that are known at the start are
    // not published as new.
    this.forEachPair(() => {});
    for (const task of this.tasks) task.start();
  }

  async stop(): Promise<void> {
    for (const task of this.tasks) await task.stop();
  }

  private forEachPair(publish: (pair: PairMarket, published: Published) => void): void {
    for (const pair of this.market.own.markets.values()) publish(pair, this.publishedState(pair));
  }

  private publishedState(pair: PairMarket): Published {
    const existing = this.published.get(pair.pair.symbol);
    if (existing !== undefined) return existing;
    const published = {
      dealSequence: pair.deals[0]?.sequence ?? 0,
      tickerVersion: -1,
      tickersVersion: -1,
      candles: new Map(),
    };
    this.published.set(pair.pair.symbol, published);
    return published;
  }

  private publishBook(pair: PairMarket): void {
    const { symbol } = pair.pair;
    const published = this.publishedState(pair);
    const changed = pair.book.drainChanged();
    if (changed.length > 0 && this.feed.hasListeners(`depth.${symbol}`)) {
      const levelsOf = (levelSide: Side) =>
        changed.filter((level) => level.side === levelSide).map((level) => levelText(pair, level));
      this.feed.publish(`depth.${symbol}`, {
        bids: levelsOf('buy'),
        asks: levelsOf('sell'),
      } satisfies DepthMessage);
    }
    const newDeals = pair.deals.filter(({ sequence }) => sequence > published.dealSequence);
    const [newest] = newDeals;
    if (newest === undefined) return;
    published.dealSequence = newest.sequence;
    if (!this.feed.hasListeners(`trade.${symbol}`)) return;
    this.feed.publish(
      `trade.${symbol}`,
      newDeals.map((deal) => dealMessage(pair, deal)),
    );
  }

  private publishCandles(pair: PairMarket, published: Published): void {
    const { symbol } = pair.pair;
    for (const timer of CANDLE_TIMERS) {
      const series = pair.candles(timer);
      const last = series.last();
      const previous = published.candles.get(timer);
      if (last === undefined || previous?.version === series.version) continue;
      published.candles.set(timer, { version: series.version, opened: last.opened });
      const topic = `kline.${symbol}.${timer}`;
      if (!this.feed.hasListeners(topic)) continue;
      // First publishes the final form of the candles that have closed since the last publication, then the current
      // candle.
      const first = previous === undefined ? series.length - 1 : series.positionFrom(previous.opened);
      for (let at = first; at < series.length; at += 1)
        this.feed.publish(topic, candleMessage(pair, series.at(at)));
    }
    const { version } = pair.candles('1min');
    if (published.tickerVersion === version) return;
    published.tickerVersion = version;
    const ticker = this.feed.hasListeners(`ticker.${symbol}`) ? tickerMessage(pair) : undefined;
    if (ticker !== undefined) this.feed.publish(`ticker.${symbol}`, ticker);
  }

  private publishTickers(): void {
    const changed: TickerMessage[] = [];
    const hasListeners = this.feed.hasListeners('tickers');
    this.forEachPair((pair, published) => {
      const { version } = pair.candles('1min');
      if (published.tickersVersion === version) return;
      published.tickersVersion = version;
      const ticker = hasListeners ? tickerMessage(pair) : undefined;
      if (ticker !== undefined) changed.push(ticker);
    });
    if (changed.length > 0) this.feed.publish('tickers', changed);
  }

  private publishIndex(points: readonly SymbolPoint[]): void {
    for (const { symbol, point } of points) {
      const topic = `index.${symbol}`;
      if (!this.feed.hasListeners(topic)) continue;
      this.feed.publish(topic, {
        t: point.t,
        price: point.price?.toString() ?? null,
        flags: [...point.flags],
      } satisfies IndexMessage);
    }
  }

  private snapshotOfPair(topic: string, snapshot: (pair: PairMarket) => unknown): unknown {
    const pair = this.market.own.markets.get(topic.split('.')[1] ?? '');
    return pair === undefined ? undefined : snapshot(pair);
  }

  private candleSnapshot(topic: string): unknown {
    const timer = CANDLE_TIMERS.find((known) => known === topic.split('.')[2]);
    if (timer === undefined) return undefined;
    return this.snapshotOfPair(topic, (pair) => {
      const last = pair.candles(timer).last();
      return last === undefined ? null : candleMessage(pair, last);
    });
  }

  private indexSnapshot(topic: string): unknown {
    return this.snapshotOfPair(topic, ({ pair }) => {
      const point = this.market.index.latestPoint(pair.symbol);
      return point === undefined
        ? null
        : { t: point.t, price: point.price?.toString() ?? null, flags: point.flags };
    });
  }

  private allTickers(): TickerMessage[] {
    const all: TickerMessage[] = [];
    this.forEachPair((pair) => {
      const ticker = tickerMessage(pair);
      if (ticker === undefined) return;
      const spark = sparkOf(pair.candles('60min')).map((ticks) => priceOf(pair.scale, ticks).toString());
      all.push({ ...ticker, spark });
    });
    return all;
  }
}

function tickerMessage({ pair, scale, ticker }: PairMarket): TickerMessage | undefined {
  const now = ticker.current();
  if (now === undefined) return undefined;
  return { symbol: pair.symbol, ...priceFields(scale, now) };
}

function candleMessage({ scale }: PairMarket, candle: Candle): CandleMessage {
  return { id: candle.opened, ...priceFields(scale, candle) };
}

function priceFields(scale: PairMarket['scale'], fields: Omit<Ticker, 'opened'>) {
  const price = (ticks: bigint) => priceOf(scale, ticks).toString();
  return {
    open: price(fields.open),
    close: price(fields.close),
    high: price(fields.high),
    low: price(fields.low),
    vol: Decimal.ofScaled(fields.volume, scale.amountDigits).toString(),
    amount: Decimal.ofScaled(fields.turnover, scale.turnoverDigits).toString(),
  };
}

function depthSnapshot(pair: PairMarket): DepthMessage {
  const levelsOf = (levelSide: Side) =>
    pair.book.top(levelSide, SNAPSHOT_LEVELS).map((level) => levelText(pair, level));
  return { bids: levelsOf('buy'), asks: levelsOf('sell') };
}

function levelText(
  { scale }: PairMarket,
  { price, amount }: { price: bigint; amount: bigint },
): [string, string] {
  return [priceOf(scale, price).toString(), Decimal.ofScaled(amount, scale.amountDigits).toString()];
}

function dealMessage({ scale }: PairMarket, deal: PairDeal): DealMessage {
  return {
    id: deal.tradeId,
    ts: deal.at,
    price: priceOf(scale, deal.price).toString(),
    amount: Decimal.ofScaled(deal.amount, scale.amountDigits).toString(),
    direction: deal.takerSide,
    seeded: isSeeded(deal) ? 1 : 0,
  };
}
