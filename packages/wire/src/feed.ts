import { PRODUCT_ACCOUNTS } from '@exchange/core/accounts.ts';
import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import * as z from 'zod/mini';
import type { DataOf } from './endpoint.ts';
import type { orderShape, fillShape, spotAssets } from './spot.ts';
import type { TradingPauseShown } from './trading-pause.ts';
import type { Alert } from './watchlist.ts';

/**
 * Path of the live feed: JSON text over one WebSocket. Clients subscribe to topics. Each topic sends a
 * snapshot, then updates with consecutive `seq`; after a gap the client must subscribe again. Prices and
 * amounts are decimal text.
 */

export const FEED_PATH = '/bb/app/ws';
export const FEED_LIMITS = {
  messageBytes: 4_096,
  topics: 50,
  messagesPerSecond: 10,
  idleMs: 60_000,
} as const;

const SYMBOL = '[a-z0-9]{4,20}';
/** Private topics of the live feed. */
const PRIVATE_TOPICS: ReadonlySet<string> = new Set([
  'order',
  'asset',
  'notice',
  'alert',
  'contract',
  'transfer',
  ...PRODUCT_ACCOUNTS,
]);
const PRIVATE = [...PRIVATE_TOPICS].join('|');
const TOPIC = new RegExp(
  `^(?:tickers|pairs|funds|${PRIVATE}|(?:ticker|depth|trade|index)\\.${SYMBOL}|kline\\.${SYMBOL}\\.(?:${CANDLE_TIMERS.join('|')}))$`,
);

export const clientMessage = z.discriminatedUnion('op', [
  z.object({ op: z.literal('auth'), token: z.string().check(z.maxLength(200)) }),
  z.object({ op: z.literal('subscribe'), topics: z.array(z.string()) }),
  z.object({ op: z.literal('unsubscribe'), topics: z.array(z.string()) }),
  z.object({ op: z.literal('ping'), ts: z.number() }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

export type ServerMessage =
  | { op: 'authenticated' }
  | { op: 'pong'; ts: number; time: number }
  /**
   * A refusal, with the same fields as that of an endpoint: `errKey` names the sentence in `msg`, `data` has
   * its parameters. `topic` is set if the refusal concerns a topic.
   */
  | {
      op: 'refused';
      code: number;
      msg: string;
      errKey: string;
      data: Readonly<Record<string, string>>;
      topic?: string;
    }
  /** The session has ended; private topics have stopped. */
  | { op: 'ended'; code: -2 }
  | { topic: string; type: 'snapshot' | 'update'; seq: number; ts: number; data: unknown };

/** Returns whether the text has the form of a live feed topic; the pair in it may not be listed. */
export function isTopic(text: string): boolean {
  return TOPIC.test(text);
}

/**
 * Returns whether a topic of the live feed is private: it needs a session and shows data of the signed-in
 * user only.
 */
export function isPrivateTopic(topic: string): boolean {
  return PRIVATE_TOPICS.has(topic);
}

/**
 * A pair's price and its figures of 24 hours. Topic `ticker.<symbol>` sends one, `tickers` a list: of all
 * pairs in the snapshot, of those that changed in an update.
 */
export interface TickerMessage {
  symbol: string;
  open: string;
  close: string;
  high: string;
  low: string;
  /** 24-hour volume in the base coin. */
  vol: string;
  /** 24-hour turnover in the quote coin. */
  amount: string;
  /**
   * Hourly closing prices of the last 24 hours, oldest first, with the last price for the current hour; only
   * in snapshots of `tickers`.
   */
  spark?: string[];
}

/** Topic `depth.<symbol>`: a level is [price, amount]; in an update, amount `0` removes the level. */
export interface DepthMessage {
  bids: [string, string][];
  asks: [string, string][];
}

/**
 * A public trade. A message of topic `trade.<symbol>` is a list of them, newest first: the latest trades in
 * the snapshot, the new ones in an update.
 */
export interface DealMessage {
  id: string;
  ts: number;
  price: string;
  amount: string;
  direction: 'buy' | 'sell';
  /** 1 for a generated trade of the demo market, otherwise 0. */
  seeded: 0 | 1;
}

/** Message of topic `kline.<symbol>.<timer>`: the current candle. */
export interface CandleMessage {
  /** Opening time of the candle in seconds. */
  id: number;
  open: string;
  close: string;
  high: string;
  low: string;
  vol: string;
  amount: string;
}

/** Topic `index.<symbol>`: one point per second; the price is null if there were too few sources. */
export interface IndexMessage {
  t: number;
  price: string | null;
  flags: string[];
}

/**
 * Topic `pairs`: trading status of the pairs (snapshot: all, update: changed ones); `pause` says why a pair
 * does not trade.
 */
export type PairsMessage = {
  symbol: string;
  status: 'open' | 'cancelOnly' | 'closed';
  pause?: TradingPauseShown | undefined;
}[];

/**
 * Topic `order`: snapshot `[]`, then changed orders with their new fills, trailing stops with their new trigger
 * prices, and the ids of changed TWAP orders, of new and ended icebergs and chase orders, and of ended ladders.
 */
export interface OrderMessage {
  orders: DataOfShape<typeof orderShape>[];
  fills: DataOfShape<typeof fillShape>[];
  stops?: { id: string; stopPrice: string }[];
  algos?: string[];
}

/** Topic `asset`: changed balances (snapshot: all that are not zero). */
export type AssetMessage = { currency: string; available: string; frozen: string }[];

/**
 * Topic `alert`: snapshot `[]`, then each triggered price alert of the user, once its message is stored.
 * `price` is the trigger price in the quote coin, 0 for a crossing; for `pct` and `move` it is a percentage
 * of `from`. `from` is the price from which it moved, and for a crossing the value of the average.
 * `lastPrice` is the triggering price, for a crossing the close of the candle. An alert with an order comes a
 * second time with the order's `outcome`.
 */
export type AlertMessage = (Pick<
  Alert,
  | 'id'
  | 'symbol'
  | 'baseCoin'
  | 'quoteCoin'
  | 'condition'
  | 'source'
  | 'price'
  | 'windowMinutes'
  | 'average'
  | 'averagePeriod'
  | 'averageTimer'
  | 'from'
  | 'order'
> & {
  lastPrice: string;
  time: number;
  /** What became of the order: its id, or the refusal as an answer would have it. */
  outcome?: { orderId: string } | { errKey: string; data: Readonly<Record<string, string>> };
})[];

/** Message of topic `notice`: number of unread inbox messages. */
export interface NoticeMessage {
  count: number;
}

type DataOfShape<S extends z.ZodMiniType> = z.infer<S>;
export type SpotBalance = DataOf<typeof spotAssets>['list'][number];
export type Order = DataOfShape<typeof orderShape>;
export type Fill = DataOfShape<typeof fillShape>;
