/**
 * Market data. Independent venues feed an index with one point per pair and second, written to an append-only tape.
 * Committed trades and price levels of this exchange's own books feed tickers, candles, depth and the list of trades,
 * in memory. After a crash, committed trades that the stored candles lack are counted again. In demo mode the module
 * also simulates the venues and the price history. The modules that run the books depend on this one and publish
 * `dealt` and `levelsMoved` after each commit. The start order is `start()`, then `loadBook` for each pair, then
 * `catchUp` once.
 */
import type { Feed } from '../../platform/feed/feed.ts';
import type { Operation } from '../../platform/console/operation.ts';
import type { Route } from '../../platform/http/route.ts';
import { MarketFeed } from './feed.ts';
import { marketRoutes } from './routes.ts';
import { recordedBookRoutes } from './recorded-books-routes.ts';
import { sourceOperations } from './source-operations.ts';
import { PublicReads } from './public-reads.ts';
import { MarketService, type MarketDeps } from './service.ts';

export type { SidedLevel } from './domain/public-book.ts';
export { dealt, levelsMoved, type Deal, type LevelsMoved } from './events.ts';
export type { IndexPrice } from './index-watch.ts';
export type { DealsSince } from './own-market.ts';
export type { PublicCandle, PublicLevel, PublicReads } from './public-reads.ts';
export type { Venue, VenueQuote } from './venue.ts';

/** The functions of the market that higher modules use. */
export type Market = Pick<
  MarketService,
  | 'indexPrice'
  | 'latestPoint'
  | 'isIndexFresh'
  | 'onPoints'
  | 'indexDelays'
  | 'indexHealth'
  | 'missingSeconds'
  | 'longestDelayMs'
  | 'sourcesHealth'
  | 'tapeReader'
  | 'lastPrice'
  | 'dayCloses'
  | 'pastCandles'
  | 'minuteClose'
  | 'reference'
  | 'usdtIndex'
  | 'usdtPrice'
  | 'bestPrice'
  | 'loadBook'
  | 'recordedBooks'
  | 'catchUp'
> & {
  readonly routes: readonly Route[];
  /** Reads of this exchange's market data for the public trading API. */
  readonly publicReads: PublicReads;
  /** Console operations for the price sources of the index. */
  readonly operations: readonly Operation[];
  /**
   * Loads the stored market data on a standby, so that `start` only reads what was stored since. Changes nothing in the
   * database.
   */
  readAhead(): void;
  /** Loads the market data, or generates it on an empty demo database, and starts the index. */
  start(): Promise<void>;
  /** Stores all unsaved market data and stops the index. */
  stop(): Promise<void>;
};

/** Creates the market over a database; nothing runs before `start`. */
export function createMarket(deps: MarketDeps & { readonly feed: Feed }): Market {
  const service = new MarketService(deps);
  const feed = new MarketFeed(deps.feed, service);
  return {
    indexPrice: (symbol) => service.indexPrice(symbol),
    latestPoint: (symbol) => service.latestPoint(symbol),
    isIndexFresh: () => service.isIndexFresh(),
    onPoints: (listener) => service.onPoints(listener),
    indexDelays: (from, to) => service.indexDelays(from, to),
    indexHealth: () => service.indexHealth(),
    missingSeconds: () => service.missingSeconds(),
    longestDelayMs: () => service.longestDelayMs(),
    sourcesHealth: () => service.sourcesHealth(),
    tapeReader: service.tapeReader,
    lastPrice: (symbol) => service.lastPrice(symbol),
    dayCloses: (symbol, days) => service.dayCloses(symbol, days),
    pastCandles: (symbol, timer, count) => service.pastCandles(symbol, timer, count),
    minuteClose: (symbol, at) => service.minuteClose(symbol, at),
    reference: (symbol) => service.reference(symbol),
    usdtIndex: (coin) => service.usdtIndex(coin),
    usdtPrice: (coin) => service.usdtPrice(coin),
    bestPrice: (symbol, side) => service.bestPrice(symbol, side),
    loadBook: (symbol, levels, step) => service.loadBook(symbol, levels, step),
    recordedBooks: service.recordedBooks,
    catchUp: (dealsSince) => service.catchUp(dealsSince),
    routes: [...marketRoutes(service), ...recordedBookRoutes(service.recordedBooks)],
    publicReads: new PublicReads(service),
    operations: sourceOperations(service.switches, {
      pairs: () => deps.assets.pairs.map(({ pair }) => pair.symbol),
      latestPoint: (symbol) => service.latestPoint(symbol),
    }),
    readAhead: () => service.readAhead(),
    start: async () => {
      await service.start();
      feed.start();
    },
    stop: async () => {
      await feed.stop();
      await service.stop();
    },
  };
}
