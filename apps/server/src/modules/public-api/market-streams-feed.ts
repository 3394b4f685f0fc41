import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { instant } from '@exchange/core/time.ts';
import type { Events } from '../../platform/events.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { Log } from '../../platform/log.ts';
import type { DayTickers } from './day-tickers.ts';
import { NO_TRADE, presentLevel } from './present.ts';
import {
  dealt,
  levelsMoved,
  type ApiMarket,
  type ClosedCandle,
  type Deal,
  type LevelsMoved,
  type PublicLevel,
} from './service.ts';
import type { MarketStream } from './stream-names-domain.ts';
import {
  presentAggregateEvents,
  presentAveragePriceEvent,
  presentBookTickerEvent,
  presentDepthEvent,
  presentKlineEvent,
  presentMiniTickerEvent,
  presentTickerEvent,
  presentTradeEvent,
  type BookChanges,
  type TradeNumbers,
} from './stream-present.ts';
import type { StreamTopic, StreamTopics } from './stream-topics.ts';

/** Maximum number of candles whose first trade's id is cached; beyond it the oldest cached id is dropped. */
const FIRST_TRADES_MAX = 2_000;
const TICK_MS = 100;
/**
 * The newest candle in the stream of candles of one second is that of the time this many milliseconds ago. A trade is
 * committed some milliseconds after its time, so without this delay it could belong to a candle that was already
 * published as closed.
 */
const SECONDS_BEHIND_MS = 1_000;
const TICKS_PER_SECOND = 10;
const ALL_MINI_TICKERS = '!miniTicker@arr';

interface Parts {
  readonly events: Events;
  readonly log: Log;
  readonly market: ApiMarket;
  readonly dayTickers: DayTickers;
  readonly topics: StreamTopics;
}

/**
 * The changes of a book since the last event of a stream: the latest amount of each changed price
 * level.
 */
class PendingChanges {
  /** The number of the first book change that no published event contains. */
  private next: number;
  private readonly bids = new Map<string, PublicLevel>();
  private readonly asks = new Map<string, PublicLevel>();

  constructor(updateId: number) {
    this.next = updateId + 1;
  }

  add(side: 'buy' | 'sell', level: PublicLevel): void {
    (side === 'buy' ? this.bids : this.asks).set(level.price.toString(), level);
  }

  /**
   * Returns the pending book changes and removes them; `updateId` is the number of the book's newest change. Undefined
   * if no change has happened since the last call.
   */
  drain(updateId: number): BookChanges | undefined {
    if (updateId < this.next) return undefined;
    const changes = {
      first: this.next,
      last: updateId,
      bids: [...this.bids.values()],
      asks: [...this.asks.values()],
    };
    this.next = updateId + 1;
    this.bids.clear();
    this.asks.clear();
    return changes;
  }
}

/** What a market data stream published last, what it has not published yet, and whether it is busy. */
interface Published {
  /** The book changes that are not published yet; undefined for a stream that does not publish book changes. */
  readonly changes: PendingChanges | undefined;
  /**
   * Number of the newest change of the pair's market data that the last publication contains. Undefined before the
   * first publication, after a failed one, and for streams that are published without a check for changes.
   */
  version: number | undefined;
  /**
   * By pair, the number of the newest change of its market data that the stream of all mini tickers has published.
   * Empty for the other streams.
   */
  readonly pairVersions: Map<string, number>;
  /** The best bid and ask that were published last, as text; a new event is published only if they differ. */
  best: string;
  /**
   * The opening time in milliseconds of the candle that was published last. At first, that of the candle that is
   * current when the stream opens, so that this candle is published even if it closes before the first publication.
   */
  openedMs: number | undefined;
  /** Whether a payload of the stream is being computed. */
  isBusy: boolean;
}

/** Publishes the streams of market data that have readers, from committed trades and books. */
export class MarketStreams {
  private readonly parts: Parts;
  private readonly published = new WeakMap<StreamTopic, Published>();
  /** Trades that are not published yet, by pair. */
  private readonly deals = new Map<string, Deal[]>();
  /** Pairs whose books have changes that are not published yet. */
  private readonly moved = new Set<string>();
  private readonly firstTrades = new Map<string, Promise<number>>();
  private pairs: ReadonlyMap<string, Pair> = new Map();
  private isFlushing = false;
  private ticks = 0;
  private readonly ticking = new PeriodicTask(() => this.tick(), { everyMs: TICK_MS });

  constructor(parts: Parts) {
    this.parts = parts;
    const { events, topics } = parts;
    topics.onOpened = (topic) => this.open(topic);
    events.on(dealt, (deal) => this.collectDeal(deal));
    events.on(levelsMoved, (movement) => this.collectLevels(movement));
  }

  start(): void {
    this.ticking.start();
  }

  async stop(): Promise<void> {
    await this.ticking.stop();
  }

  /** Whether a pair is listed. */
  isListed(symbol: string): boolean {
    return this.pairOf(symbol) !== undefined;
  }

  private pairOf(symbol: string): Pair | undefined {
    if (!this.pairs.has(symbol))
      this.pairs = new Map(this.parts.market.pairs().map(({ pair }) => [pair.symbol, pair]));
    return this.pairs.get(symbol);
  }

  private open(topic: StreamTopic): void {
    const { market } = this.parts;
    const { stream } = topic;
    const isDepth = stream.kind === 'depth';
    this.published.set(topic, {
      changes: isDepth ? new PendingChanges(market.reads.updateId(stream.symbol)) : undefined,
      version: undefined,
      pairVersions: new Map(),
      best: '',
      openedMs: stream.kind === 'kline' ? market.newestOpeningMs(stream.symbol, stream.interval) : undefined,
      isBusy: false,
    });
  }

  private collectDeal(deal: Deal): void {
    const { topics } = this.parts;
    if (!topics.isRead(`${deal.symbol}@trade`) && !topics.isRead(`${deal.symbol}@aggTrade`)) return;
    const deals = this.deals.get(deal.symbol) ?? [];
    deals.push(deal);
    this.deals.set(deal.symbol, deals);
    this.flushSoon();
  }

  private collectLevels({ symbol, levels }: LevelsMoved): void {
    const { topics } = this.parts;
    const pair = this.pairOf(symbol);
    if (pair === undefined) return;
    for (const name of [`${symbol}@depth`, `${symbol}@depth@100ms`, `${symbol}@depth@1000ms`]) {
      const topic = topics.find(name);
      const changes = topic === undefined ? undefined : this.published.get(topic)?.changes;
      for (const { side, price, amount } of changes === undefined ? [] : levels)
        changes?.add(side, {
          price: Decimal.ofScaled(price, pair.priceDigits),
          amount: Decimal.ofScaled(amount, pair.amountDigits),
        });
    }
    if (!topics.isRead(`${symbol}@bookTicker`)) return;
    this.moved.add(symbol);
    this.flushSoon();
  }

  /**
   * Publishes the collected changes after the current events are processed, so that all events of a
   * command are published together.
   */
  private flushSoon(): void {
    if (this.isFlushing) return;
    this.isFlushing = true;
    queueMicrotask(() => {
      this.isFlushing = false;
      this.flush();
    });
  }

  private flush(): void {
    const { topics, market } = this.parts;
    const now = market.now();
    for (const [symbol, deals] of this.deals) {
      const pair = this.pairOf(symbol);
      if (pair === undefined) continue;
      for (const deal of deals) topics.publish(`${symbol}@trade`, presentTradeEvent(pair, deal, now));
      for (const event of presentAggregateEvents(pair, deals, now))
        topics.publish(`${symbol}@aggTrade`, event);
    }
    this.deals.clear();
    for (const symbol of this.moved) this.publishBest(symbol);
    this.moved.clear();
  }

  private publishBest(symbol: string): void {
    const { topics, market } = this.parts;
    const topic = topics.find(`${symbol}@bookTicker`);
    const pair = this.pairOf(symbol);
    const published = topic === undefined ? undefined : this.published.get(topic);
    if (topic === undefined || pair === undefined || published === undefined) return;
    const best = market.best(symbol);
    const text = JSON.stringify([presentLevel(pair, best.bid), presentLevel(pair, best.ask)]);
    if (published.best === text) return;
    published.best = text;
    topics.publish(topic.name, presentBookTickerEvent(pair, best, market.reads.updateId(symbol)));
  }

  private tick(): void {
    this.ticks += 1;
    const isSecond = this.ticks % TICKS_PER_SECOND === 0;
    for (const topic of this.parts.topics.all()) {
      const { stream } = topic;
      const isDue = 'everyMs' in stream ? isSecond || stream.everyMs === TICK_MS : isSecond;
      const published = this.published.get(topic);
      if (!isDue || published === undefined) continue;
      this.publishOnTime(topic, stream, published);
    }
  }

  private publishOnTime(topic: StreamTopic, stream: MarketStream, published: Published): void {
    switch (stream.kind) {
      case 'depth':
        this.publishDepth(topic, stream.symbol, published);
        return;
      case 'bestLevels':
        this.publishBestLevels(topic, stream, published);
        return;
      case 'trade':
      case 'aggTrade':
      case 'bookTicker':
        return;
      default:
        this.publishStatistics(topic, stream, published);
    }
  }

  private publishDepth(topic: StreamTopic, symbol: string, { changes }: Published): void {
    const { topics, market } = this.parts;
    const drained = changes?.drain(market.reads.updateId(symbol));
    const pair = this.pairOf(symbol);
    if (drained === undefined || pair === undefined) return;
    topics.publish(topic.name, presentDepthEvent(pair, drained, market.now()));
  }

  private publishBestLevels(
    topic: StreamTopic,
    { symbol, levels }: { readonly symbol: string; readonly levels: number },
    published: Published,
  ): void {
    const { topics, market } = this.parts;
    const updateId = market.reads.updateId(symbol);
    const pair = this.pairOf(symbol);
    if (published.version === updateId || pair === undefined) return;
    published.version = updateId;
    const { bids, asks } = market.reads.depth(symbol, levels);
    topics.publish(topic.name, {
      lastUpdateId: updateId,
      bids: bids.map((level) => presentLevel(pair, level)),
      asks: asks.map((level) => presentLevel(pair, level)),
    });
  }

  /**
   * Publishes a payload that is computed from candles and may need the database. Each stream has at most one
   * computation at a time. A stream of one pair, except of candles of one second, is computed only if the
   * pair's market data has changed since the last computation.
   */
  private publishStatistics(topic: StreamTopic, stream: MarketStream, published: Published): void {
    if (published.isBusy) return;
    const { market, log } = this.parts;
    const isOfSeconds = stream.kind === 'kline' && stream.interval === '1s';
    // A candle of one second closes even if the market does not change, so its stream has no version and is computed at
    // every call.
    const version =
      stream.symbol === undefined || isOfSeconds ? undefined : market.reads.changeCount(stream.symbol);
    if (version !== undefined && published.version === version) return;
    published.version = version;
    published.isBusy = true;
    this.statisticsOf(topic, stream, published)
      .catch((cause: unknown) => {
        // Without the stored version, the next tick computes the payload again even if the market has not changed.
        published.version = undefined;
        log.warn('public_api.stream_failed', { stream: topic.name, cause });
      })
      .finally(() => {
        published.isBusy = false;
      });
  }

  private async statisticsOf(topic: StreamTopic, stream: MarketStream, published: Published): Promise<void> {
    const { topics, market, dayTickers } = this.parts;
    const now = market.now();
    if (stream.kind === 'allMiniTickers') {
      await this.publishChangedTickers(published, now);
      return;
    }
    const pair = this.pairOf(stream.symbol);
    if (pair === undefined) return;
    if (stream.kind === 'ticker')
      topics.publish(topic.name, presentTickerEvent(await dayTickers.full({ pair }), now));
    if (stream.kind === 'miniTicker')
      topics.publish(topic.name, presentMiniTickerEvent(await dayTickers.mini({ pair }), now));
    if (stream.kind === 'avgPrice') {
      const [newest] = await market.trades({ symbol: pair.symbol, limit: 1 });
      const price = await market.averagePrice(pair);
      topics.publish(topic.name, presentAveragePriceEvent(pair, price, newest?.at ?? now, now));
    }
    if (stream.kind === 'kline') await this.publishKlines(topic, pair, stream.interval, published);
  }

  /**
   * Publishes the mini tickers of the pairs whose market data has changed since the last publication of the stream; the
   * first publication has all pairs. Publishes nothing if no pair has changed. If a ticker cannot be computed, nothing
   * is published and the next call has the same pairs again.
   */
  private async publishChangedTickers({ pairVersions }: Published, now: number): Promise<void> {
    const { topics, market, dayTickers } = this.parts;
    const changed = market
      .pairs()
      .map((listed) => ({ listed, version: market.reads.changeCount(listed.pair.symbol) }))
      .filter(({ listed, version }) => pairVersions.get(listed.pair.symbol) !== version);
    if (changed.length === 0) return;
    const tickers = await Promise.all(changed.map(({ listed }) => dayTickers.mini(listed)));
    for (const { listed, version } of changed) pairVersions.set(listed.pair.symbol, version);
    topics.publish(
      ALL_MINI_TICKERS,
      tickers.map((ticker) => presentMiniTickerEvent(ticker, now)),
    );
  }

  /**
   * Publishes the candles of a stream's pair and interval that have closed since the last publication, and
   * the running one; at most 1,000 at once.
   */
  private async publishKlines(
    topic: StreamTopic,
    pair: Pair,
    interval: Parameters<ApiMarket['candles']>[1],
    published: Published,
  ): Promise<void> {
    const { topics, market } = this.parts;
    const startMs = published.openedMs;
    const endMs = interval === '1s' ? market.now() - SECONDS_BEHIND_MS : undefined;
    const candles = await market.candles(
      pair.symbol,
      interval,
      startMs === undefined ? { endMs, limit: 1 } : { startMs, endMs, limit: 1_000 },
    );
    const now = market.now();
    for (const [index, closed] of candles.entries()) {
      const isClosed = index < candles.length - 1;
      const numbers = await this.tradeNumbers(pair.symbol, closed);
      topics.publish(topic.name, presentKlineEvent(pair, { ...closed, interval, isClosed }, numbers, now));
    }
    const running = candles.at(-1);
    if (running !== undefined) published.openedMs = running.candle.opened * 1_000;
  }

  private async tradeNumbers(symbol: string, { candle, closedMs }: ClosedCandle): Promise<TradeNumbers> {
    if (candle.count === 0) return { first: NO_TRADE, last: NO_TRADE };
    const { market } = this.parts;
    const first = await this.firstTrade(symbol, candle.opened * 1_000);
    const [last] = await market.trades({ symbol, to: instant(closedMs), limit: 1 });
    return { first, last: first === NO_TRADE ? NO_TRADE : (last?.sequence ?? NO_TRADE) };
  }

  /**
   * The id of the first trade of a pair at or after `fromMs`; −1 if there is none. Caches the ids of the latest
   * `FIRST_TRADES_MAX` different calls, but neither −1 nor failed reads.
   */
  private firstTrade(symbol: string, fromMs: number): Promise<number> {
    const key = `${symbol} ${fromMs}`;
    const known = this.firstTrades.get(key);
    if (known !== undefined) return known;
    const number = this.parts.market
      .trades({ symbol, from: instant(fromMs), limit: 1 })
      .then(([first]) => first?.sequence ?? NO_TRADE);
    this.firstTrades.set(key, number);
    const forget = () => this.firstTrades.delete(key);
    void number.then((first) => first === NO_TRADE && forget(), forget);
    if (this.firstTrades.size > FIRST_TRADES_MAX)
      for (const oldest of this.firstTrades.keys()) {
        this.firstTrades.delete(oldest);
        break;
      }
    return number;
  }
}
