import { Decimal } from '@exchange/core/decimal.ts';
import type { DealMessage, DepthMessage, IndexMessage, TickerMessage } from '@exchange/wire/feed.ts';
import { DEPTH_ROWS, marketDepth, marketTrades, marketsByQuote } from '@exchange/wire/market.ts';
import { call } from '../api/client.ts';
import {
  follow,
  LiveState,
  liveStates,
  useCalmly,
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
import { tickersAfter, withNewest, type Ticker, type Tickers } from './tickers.ts';

/** What a deal looks like on screen; `direction` is the taker's side. */
export type Deal = DealMessage;

const DEALS_KEPT = 50;
const QUOTE_COINS = ['USDT', 'BTC', 'ETH'];

/** A deal changes the last price of its ticker: header and tape show it in one frame. */
const LAST_PRICE = 'last price';

/** Before the first answer; where no pair has a price, what is known is a map of its own that is empty. */
const NO_TICKERS: Tickers = new Map();

const tickers = new LiveState<Tickers>({
  topic: 'tickers',
  together: LAST_PRICE,
  initial: NO_TICKERS,
  after: (before, { type, data }) => {
    const received = (data as TickerMessage[]).map((ticker) => ({
      ...ticker,
      // Where a pair's deals are followed there is one last price: that of the newest of them.
      close: deals(ticker.symbol).newest()[0]?.price ?? ticker.close,
    }));
    return tickersAfter(before, received, type === 'snapshot');
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
  after: (before, { type, data }) =>
    type === 'snapshot' ? bookOf(data as DepthMessage) : bookAfter(before, data as DepthMessage),
  poll: async () => bookOf(asText(await call(marketDepth, { symbol, size: DEPTH_ROWS }))),
}));

/** Before the first answer; afterwards a pair without deals has a list of its own that is empty. */
const NOT_YET: readonly Deal[] = [];

const deals = liveStates<readonly Deal[]>((symbol) => ({
  topic: `trade.${symbol}`,
  together: LAST_PRICE,
  initial: NOT_YET,
  after: (before, { type, data }) => {
    const arrived = data as Deal[];
    tickers.revise((all) => withNewest(all, symbol, arrived[0]?.price));
    if (type === 'snapshot') return arrived.slice(0, DEALS_KEPT);
    // A snapshot may already hold what the update right after it brings.
    const known = new Set(before.map(({ id }) => id));
    return [...arrived.filter(({ id }) => !known.has(id)), ...before].slice(0, DEALS_KEPT);
  },
  poll: async () =>
    (await call(marketTrades, { symbol, size: DEALS_KEPT })).map((deal) => ({
      ...deal,
      price: plain(deal.price),
      amount: plain(deal.amount),
    })),
}));

const indexPoints = liveStates<IndexMessage | undefined>((symbol) => ({
  topic: `index.${symbol}`,
  initial: undefined,
  after: (_, { data }) => data as IndexMessage,
}));

/** The rolling 24 hours of a pair; undefined until it is known. */
export function useTicker(symbol: string): Ticker | undefined {
  return useLive(tickers, (all) => all.get(symbol));
}

/** One part of a ticker: the component renders again only when that part changes. */
export function useTickerPart<Part>(symbol: string, part: (ticker: Ticker | undefined) => Part): Part {
  return useLive(tickers, (all) => part(all.get(symbol)));
}

/** The price of the pair's last trade, which stops watch; undefined until known. */
export function useLastPrice(symbol: string): string | undefined {
  return useTickerPart(symbol, (ticker) => ticker?.last);
}

/** The tickers of all pairs by symbol. */
export function useTickers(): Tickers {
  return useLive(tickers, (all) => all);
}

/** Whether tickers have arrived, be there any or none. */
export function useKnowsTickers(): boolean {
  return useLive(tickers, (all) => all !== NO_TICKERS);
}

/** What part of a book is drawn: so many rows of each side; `grouping` is a price step as text, e.g. `10`. */
export interface DepthShown {
  readonly rows: number;
  readonly grouping?: string | undefined;
}

/** The best rows of a book, live. */
export function useDepth(symbol: string, shown: DepthShown): Depth {
  return rememberedDepth(
    useLive(books(symbol), (value) => value),
    shown,
  );
}

/** Calls `draw` with the best rows of a book, live and outside React; gives the way to stop. */
export function followDepth(symbol: string, shown: DepthShown, draw: (depth: Depth) => void): () => void {
  return follow(books(symbol), (book) => draw(rememberedDepth(book, shown)));
}

type BestPrices = Readonly<Record<BookSide, string | undefined>>;

/** Both best prices as one text, by which a change of either is seen. */
function bestTextOf(book: Book): string {
  return `${bestPriceOf(book, 'bids') ?? ''} ${bestPriceOf(book, 'asks') ?? ''}`;
}

function bestOfText(text: string): BestPrices {
  const [bid, ask] = text.split(' ').map((price) => (price === '' ? undefined : price));
  return { bids: bid, asks: ask };
}

/** The best prices of a book as its drawn rows have them. */
export function useBestDrawn(symbol: string): BestPrices {
  return bestOfText(useLive(books(symbol), bestTextOf));
}

/** The price that is drawn now at a place of a side, the best one's being 0: what a click there takes. */
export function priceDrawn(
  symbol: string,
  shown: DepthShown,
  side: BookSide,
  place: number,
): string | undefined {
  return rememberedDepth(books(symbol).current(), shown)[side][place]?.price;
}

const CALM_MS = 1_000;

/** The best rows of a book, at most once a second: for what is read out and not watched. */
export function useCalmDepth(symbol: string, shown: DepthShown): Depth {
  return useCalmly(books(symbol), CALM_MS, (book) => rememberedDepth(book, shown));
}

const UNHURRIED_MS = 250;

/** The best prices of both sides, at most four times a second: for figures that are worked out from them. */
export function useBestPrices(symbol: string): BestPrices {
  return bestOfText(useCalmly(books(symbol), UNHURRIED_MS, bestTextOf));
}

const NO_LEVELS: readonly Level[] = [];

/** The levels of one side of a book from the best, at most four times a second; none of no side. */
export function useLevels(symbol: string, side: BookSide | undefined): readonly Level[] {
  return useCalmly(books(symbol), UNHURRIED_MS, (book) =>
    side === undefined ? NO_LEVELS : levelsOf(book, side),
  );
}

/** Whether a book is known, and whether anything rests on it. */
export function useBookState(symbol: string): 'unknown' | 'empty' | 'filled' {
  return useLive(books(symbol), ({ isKnown, asks, bids }) =>
    isKnown ? (asks.size + bids.size === 0 ? 'empty' : 'filled') : 'unknown',
  );
}

/** Why a pair's book is refused, and the way to ask again; undefined while it is served. */
export function useBookRefused(symbol: string): RefusedTopic | undefined {
  return useRefused(books(symbol));
}

/** The same of its deals. */
export function useDealsRefused(symbol: string): RefusedTopic | undefined {
  return useRefused(deals(symbol));
}

const depths = new WeakMap<Book, Map<string, Depth>>();

/** Worked out once for all who look at the same part of the same book. */
function rememberedDepth(book: Book, { rows, grouping }: DepthShown): Depth {
  const name = `${rows} ${grouping ?? ''}`;
  let known = depths.get(book);
  if (known === undefined) depths.set(book, (known = new Map()));
  let depth = known.get(name);
  if (depth === undefined) {
    depth = depthOf(book, rows, grouping === undefined ? undefined : Decimal.parse(grouping));
    known.set(name, depth);
  }
  return depth;
}

/** The latest deals of a pair, newest first, at most 50. */
export function useDeals(symbol: string): readonly Deal[] {
  return useLive(deals(symbol), (value) => value);
}

/** Whether the deals of a pair are known: until then an empty list means nothing. */
export function useDealsKnown(symbol: string): boolean {
  return useLive(deals(symbol), (value) => value !== NOT_YET);
}

/** Calls `draw` with the latest deals, live and outside React; gives the way to stop. */
export function followDeals(symbol: string, draw: (shown: readonly Deal[]) => void): () => void {
  return follow(deals(symbol), draw);
}

/** The latest deals, at most once a second: for what is read out and not watched. */
export function useCalmDeals(symbol: string): readonly Deal[] {
  return useCalmly(deals(symbol), CALM_MS, (value) => value);
}

/** The index price of a pair, one point per second; undefined where there is none. */
export function useIndexPrice(symbol: string): string | undefined {
  return useLive(indexPoints(symbol), (point) => point?.price ?? undefined);
}

/** Calls `draw` with the newest point of a pair's index, second by second; gives the way to stop. */
export function followIndex(symbol: string, draw: (point: IndexMessage | undefined) => void): () => void {
  return follow(indexPoints(symbol), draw);
}

async function pollTickers(): Promise<Tickers> {
  const lists = await Promise.all(QUOTE_COINS.map((quoteCoin) => call(marketsByQuote, { quoteCoin })));
  const messages = lists.flat().map(({ symbol, tick }): TickerMessage => ({
    symbol,
    open: plain(tick.open),
    close: plain(tick.close),
    high: plain(tick.high),
    low: plain(tick.low),
    vol: plain(tick.vol),
    amount: plain(tick.amount),
  }));
  return tickersAfter(tickers.current(), messages, false);
}

function asText(levels: { bids: [number, number][]; asks: [number, number][] }): DepthMessage {
  const text = ([price, amount]: [number, number]): [string, string] => [plain(price), plain(amount)];
  return { bids: levels.bids.map(text), asks: levels.asks.map(text) };
}

/** The market dialect prints prices as JSON numbers: back to plain notation, cut to 12 decimals. For showing only. */
function plain(value: number): string {
  return value.toFixed(12).replace(/\.?0+$/, '');
}
