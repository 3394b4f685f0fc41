import { Decimal } from '@exchange/core/decimal.ts';
import type { DealMessage, DepthMessage, IndexMessage, TickerMessage } from '@exchange/wire/feed.ts';
import { DEPTH_ROWS, marketDepth, marketTrades, marketsByQuote } from '@exchange/wire/market.ts';
import { call } from '../api/client.ts';
import {
  followState,
  LiveState,
  liveStates,
  useThrottled,
  useLive,
  useRefused,
  type RefusedTopic,
} from '../feed/live-state.ts';
import {
  bestPriceOf,
  bookAfter,
  bookOf,
  depthOf,
  EMPTY_BOOK,
  levelsOf,
  type Book,
  type BookSide,
  type Depth,
  type Level,
} from './book.ts';
import { tickersAfter, withNewestPrice, type Ticker, type Tickers } from './tickers.ts';

/** A public trade; `direction` is the side of the taker. */
export type Deal = DealMessage;

const DEALS_KEPT = 50;
const QUOTE_COINS = ['USDT', 'BTC', 'ETH'];

/**
 * Name of the draw group of all live states that contain the last price, so that page header and trade list change in
 * the same animation frame.
 */
const LAST_PRICE = 'last price';

/**
 * Initial value of the tickers, until the feed, a poll or the device's storage delivers some. It is compared by
 * identity, because a delivered map can be empty too.
 */
const NO_TICKERS: Tickers = new Map();

const tickers = new LiveState<Tickers>({
  topic: 'tickers',
  drawGroup: LAST_PRICE,
  initial: NO_TICKERS,
  reduce: (previous, { type, data }) => {
    const received = (data as TickerMessage[]).map((ticker) => ({
      ...ticker,
      // While the pair's trades are subscribed, the price of the newest trade is the last price.
      close: deals(ticker.symbol).newest()[0]?.price ?? ticker.close,
    }));
    return tickersAfter(previous, received, type === 'snapshot');
  },
  poll: pollTickers,
  stored: {
    toJson: (all) => [...all.values()],
    fromJson: (json) => new Map((json as Ticker[]).map((ticker) => [ticker.symbol, ticker])),
  },
});

const books = liveStates<Book>((symbol) => ({
  topic: `depth.${symbol}`,
  initial: EMPTY_BOOK,
  reduce: (previous, { type, data }) =>
    type === 'snapshot' ? bookOf(data as DepthMessage) : bookAfter(previous, data as DepthMessage),
  poll: async () => bookOf(toDepthMessage(await call(marketDepth, { symbol, size: DEPTH_ROWS }))),
}));

/**
 * Initial value of the trades, until the feed or a poll delivers some. It is compared by identity, because a delivered
 * list can be empty too.
 */
const NOT_LOADED: readonly Deal[] = [];

const deals = liveStates<readonly Deal[]>((symbol) => ({
  topic: `trade.${symbol}`,
  drawGroup: LAST_PRICE,
  initial: NOT_LOADED,
  reduce: (previous, { type, data }) => {
    const received = data as Deal[];
    tickers.update((all) => withNewestPrice(all, symbol, received[0]?.price));
    if (type === 'snapshot') return received.slice(0, DEALS_KEPT);
    // An update may repeat trades that the snapshot already contains; these are skipped.
    const knownIds = new Set(previous.map(({ id }) => id));
    return [...received.filter(({ id }) => !knownIds.has(id)), ...previous].slice(0, DEALS_KEPT);
  },
  poll: async () =>
    (await call(marketTrades, { symbol, size: DEALS_KEPT })).map((deal) => ({
      ...deal,
      price: plainText(deal.price),
      amount: plainText(deal.amount),
    })),
}));

const indexPoints = liveStates<IndexMessage | undefined>((symbol) => ({
  topic: `index.${symbol}`,
  initial: undefined,
  reduce: (_, { data }) => data as IndexMessage,
}));

/** Returns the 24-hour statistics of a pair; undefined until loaded, and for a pair that has none. */
export function useTicker(symbol: string): Ticker | undefined {
  return useLive(tickers, (all) => all.get(symbol));
}

/**
 * Selects a part of a pair's ticker; the component renders again only when that part changes. `part` receives
 * undefined until the tickers have loaded, and for a pair that has no ticker.
 */
export function useTickerPart<Part>(symbol: string, part: (ticker: Ticker | undefined) => Part): Part {
  return useLive(tickers, (all) => part(all.get(symbol)));
}

/**
 * Returns the price of the pair's last trade; undefined until loaded, and for a pair that has no ticker. Stop
 * orders trigger by this price.
 */
export function useLastPrice(symbol: string): string | undefined {
  return useTickerPart(symbol, (ticker) => ticker?.last);
}

/** Tickers of all pairs by symbol; an empty map until loaded. */
export function useTickers(): Tickers {
  return useLive(tickers, (all) => all);
}

/** True once the feed, a poll or the device's storage has delivered the tickers, even if they are empty. */
export function useTickersKnown(): boolean {
  return useLive(tickers, (all) => all !== NO_TICKERS);
}

/**
 * Which part of an order book is displayed: the number of rows per side, and the price step of the rows as text, such
 * as `10`.
 */
export interface DepthView {
  readonly rows: number;
  readonly grouping?: string | undefined;
}

/**
 * Returns the first rows of both sides of a pair's order book, in the number and price step of `shown`; the
 * component renders again after each change of the book.
 */
export function useDepth(symbol: string, shown: DepthView): Depth {
  return cachedDepth(
    useLive(books(symbol), (value) => value),
    shown,
  );
}

/**
 * Calls `draw` with the displayed rows of an order book, at once and after each change, without rendering a React
 * component. Returns a function that ends these calls.
 */
export function followDepth(symbol: string, shown: DepthView, draw: (depth: Depth) => void): () => void {
  return followState(books(symbol), (book) => draw(cachedDepth(book, shown)));
}

type BestPrices = Readonly<Record<BookSide, string | undefined>>;

/**
 * The best bid and the best ask of an order book in one text, so that a component re-renders exactly when one of the
 * two prices changes.
 */
function bestTextOf(book: Book): string {
  return `${bestPriceOf(book, 'bids') ?? ''} ${bestPriceOf(book, 'asks') ?? ''}`;
}

function bestOfText(text: string): BestPrices {
  const [bid, ask] = text.split(' ').map((price) => (price === '' ? undefined : price));
  return { bids: bid, asks: ask };
}

/** Returns the best bid and best ask of an order book, updated together with the drawn rows of the book. */
export function useDrawnBestPrices(symbol: string): BestPrices {
  return bestOfText(useLive(books(symbol), bestTextOf));
}

/**
 * The price that is drawn in a row of an order book (row 0 is the best price), undefined if there is no such row; a
 * click on the row uses this price.
 */
export function drawnPriceAt(
  symbol: string,
  shown: DepthView,
  side: BookSide,
  row: number,
): string | undefined {
  return cachedDepth(books(symbol).current(), shown)[side][row]?.price;
}

const SCREEN_READER_MS = 1_000;

/** Returns the displayed rows of an order book, updated at most once a second, for screen readers. */
export function useThrottledDepth(symbol: string, shown: DepthView): Depth {
  return useThrottled(books(symbol), SCREEN_READER_MS, (book) => cachedDepth(book, shown));
}

const FIGURES_MS = 250;

/** Best bid and best ask, updated at most four times a second, for figures that are calculated from them. */
export function useBestPrices(symbol: string): BestPrices {
  return bestOfText(useThrottled(books(symbol), FIGURES_MS, bestTextOf));
}

const NO_LEVELS: readonly Level[] = [];

/**
 * Levels of one side of an order book, best price first, updated at most four times a second; empty when
 * `side` is undefined.
 */
export function useLevels(symbol: string, side: BookSide | undefined): readonly Level[] {
  return useThrottled(books(symbol), FIGURES_MS, (book) =>
    side === undefined ? NO_LEVELS : levelsOf(book, side),
  );
}

/**
 * State of the pair's order book: `unknown` until the book has been received, then `filled` if it contains
 * orders, otherwise `empty`.
 */
export function useBookState(symbol: string): 'unknown' | 'empty' | 'filled' {
  return useLive(books(symbol), ({ isKnown, asks, bids }) =>
    isKnown ? (asks.size + bids.size === 0 ? 'empty' : 'filled') : 'unknown',
  );
}

/**
 * Returns the server's refusal of the pair's order book topic; undefined while the server has not refused it.
 */
export function useBookRefused(symbol: string): RefusedTopic | undefined {
  return useRefused(books(symbol));
}

/** The server's refusal of the pair's trades topic; undefined while the server has not refused it. */
export function useDealsRefused(symbol: string): RefusedTopic | undefined {
  return useRefused(deals(symbol));
}

const depths = new WeakMap<Book, Map<string, Depth>>();

/** Returns the displayed rows of an order book; cached per book and view, so that all components share one result. */
function cachedDepth(book: Book, { rows, grouping }: DepthView): Depth {
  const name = `${rows} ${grouping ?? ''}`;
  let depthsOfBook = depths.get(book);
  if (depthsOfBook === undefined) depths.set(book, (depthsOfBook = new Map()));
  let depth = depthsOfBook.get(name);
  if (depth === undefined) {
    depth = depthOf(book, rows, grouping === undefined ? undefined : Decimal.parse(grouping));
    depthsOfBook.set(name, depth);
  }
  return depth;
}

/** Returns the latest trades of a pair, newest first, at most 50; empty until they have loaded. */
export function useDeals(symbol: string): readonly Deal[] {
  return useLive(deals(symbol), (value) => value);
}

/** True once the trades of a pair have been received; before that, their list is empty because it is not loaded. */
export function useDealsKnown(symbol: string): boolean {
  return useLive(deals(symbol), (value) => value !== NOT_LOADED);
}

/**
 * Calls `draw` with the latest trades of a pair, at once and after each change, without rendering a React component.
 * Returns a function that ends these calls.
 */
export function followDeals(symbol: string, draw: (shown: readonly Deal[]) => void): () => void {
  return followState(deals(symbol), draw);
}

/** The latest trades of a pair, updated at most once a second, for screen readers. */
export function useThrottledDeals(symbol: string): readonly Deal[] {
  return useThrottled(deals(symbol), SCREEN_READER_MS, (value) => value);
}

/**
 * Index price of a pair, updated every second; undefined until loaded, and while fewer than two sources have
 * a usable price.
 */
export function useIndexPrice(symbol: string): string | undefined {
  return useLive(indexPoints(symbol), (point) => point?.price ?? undefined);
}

/**
 * Calls `draw` with the current point of a pair's index (undefined until loaded), and with each new one, every second.
 * Returns a function that ends the calls.
 */
export function followIndex(symbol: string, draw: (point: IndexMessage | undefined) => void): () => void {
  return followState(indexPoints(symbol), draw);
}

async function pollTickers(): Promise<Tickers> {
  const lists = await Promise.all(QUOTE_COINS.map((quoteCoin) => call(marketsByQuote, { quoteCoin })));
  const messages = lists.flat().map(({ symbol, tick }): TickerMessage => ({
    symbol,
    open: plainText(tick.open),
    close: plainText(tick.close),
    high: plainText(tick.high),
    low: plainText(tick.low),
    vol: plainText(tick.vol),
    amount: plainText(tick.amount),
  }));
  return tickersAfter(tickers.current(), messages, false);
}

function toDepthMessage(levels: { bids: [number, number][]; asks: [number, number][] }): DepthMessage {
  const toTextLevel = ([price, amount]: [number, number]): [string, string] => [
    plainText(price),
    plainText(amount),
  ];
  return { bids: levels.bids.map(toTextLevel), asks: levels.asks.map(toTextLevel) };
}

/**
 * Converts a price that a market endpoint sends as a JSON number to plain notation, rounded to 12 decimals;
 * for display only.
 */
function plainText(value: number): string {
  return value.toFixed(12).replace(/\.?0+$/, '');
}
