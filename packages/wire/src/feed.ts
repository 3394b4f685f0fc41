import { PRODUCT_ACCOUNTS } from '@exchange/core/accounts.ts';
import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import * as z from 'zod/mini';
import type { DataOf } from './endpoint.ts';
import type { orderShape, fillShape, spotAssets } from './spot.ts';
import type { TradingPauseShown } from './trading-pause.ts';
import type { Alert } from './watchlist.ts';

/**
 * Path of the live feed, which transmits JSON text over one WebSocket. Clients subscribe to topics. Each topic sends a
 * snapshot, then updates with consecutive `seq`; after a gap the client must subscribe again. Prices and amounts are
 * decimal text.
 */

export const FEED_PATH = '/bb/app/ws';
export const FEED_LIMITS = {
  messageBytes: 4_096,
  topics: 50,
  messagesPerSecond: 10,
  idleMs: 60_000,
} as const;

const SYMBOL = '[a-z0-9]{4,20}';
/** Private topics of the live feed, which contain only data of the signed-in user. */
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
  `^(?:tickers|pairs|funds|execution|${PRIVATE}|(?:ticker|depth|trade|index)\\.${SYMBOL}|kline\\.${SYMBOL}\\.(?:${CANDLE_TIMERS.join('|')}))$`,
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
   * A refusal; it has the same fields as the refusal of an endpoint: `errKey` is the translation key of the text `msg`,
   * `data` contains the text's parameters. `topic` is present if the refusal is about a topic.
   */
  | {
      op: 'refused';
      code: number;
      msg: string;
      errKey: string;
      data: Readonly<Record<string, string>>;
      topic?: string;
    }
  /** The session has ended, and the server sends no more messages of private topics. */
  | { op: 'ended'; code: -2 }
  | { topic: string; type: 'snapshot' | 'update'; seq: number; ts: number; data: unknown };

/** Returns true if the text has the form of a topic of the live feed; the pair in it need not exist. */
export function isTopic(text: string): boolean {
  return TOPIC.test(text);
}

/**
 * Returns true if a topic of the live feed is private: it requires a session and contains only data of the
 * signed-in user.
 */
export function isPrivateTopic(topic: string): boolean {
  return PRIVATE_TOPICS.has(topic);
}

/**
 * A pair's price and its 24-hour figures. A message of topic `ticker.<symbol>` contains one ticker. A message of topic
 * `tickers` contains a list: of all pairs in the snapshot, of the pairs that have changed in an update.
 */
export interface TickerMessage {
  symbol: string;
  open: string;
  close: string;
  high: string;
  low: string;
  /** Volume of the last 24 hours, in the base coin. */
  vol: string;
  /** Turnover of the last 24 hours, in the quote coin. */
  amount: string;
  /**
   * Hourly closing prices of the last 24 hours, oldest first; the last element is the last price. Only in snapshots of
   * topic `tickers`.
   */
  spark?: string[];
}

/**
 * Message of topic `execution`: the time in milliseconds since 1970 at which the exchange noticed that orders and other
 * commands wait, about two seconds after the first, because its database does not answer or because no process executes
 * commands; null while they are executed.
 */
export interface ExecutionMessage {
  waitingSince: number | null;
}

/**
 * Topic `depth.<symbol>`: price levels `[price, amount]`, where `amount` is the total of the orders at the
 * price, in the base coin. The snapshot contains the best levels of each side, an update the changed levels
 * with their new amounts; the amount `0` removes the level.
 */
export interface DepthMessage {
  bids: [string, string][];
  asks: [string, string][];
}

/**
 * A public trade. A message of topic `trade.<symbol>` is a list of trades, newest first: the latest trades in the
 * snapshot, the new trades in an update.
 */
export interface DealMessage {
  id: string;
  ts: number;
  price: string;
  amount: string;
  direction: 'buy' | 'sell';
  /** 1 if the trade was generated for the demo market, otherwise 0. */
  seeded: 0 | 1;
}

/**
 * Message of topic `kline.<symbol>.<timer>`. The snapshot is the current candle, or null for a pair without candles. An
 * update contains the current candle, or before the first message about a new candle the final form of the candle that
 * has closed.
 */
export interface CandleMessage {
  /** Opening time of the candle in seconds since 1970 UTC. */
  id: number;
  open: string;
  close: string;
  high: string;
  low: string;
  vol: string;
  amount: string;
}

/**
 * Topic `index.<symbol>`: one point per second; its price is null if fewer than two sources had a usable
 * price at that second. The snapshot before the first point is null.
 */
export interface IndexMessage {
  t: number;
  price: string | null;
  flags: string[];
}

/**
 * Topic `pairs`: trading status of pairs; of all pairs in the snapshot, of those that have changed in an update.
 * `pause` says why a pair does not trade.
 */
export type PairsMessage = {
  symbol: string;
  status: 'open' | 'cancelOnly' | 'closed';
  pause?: TradingPauseShown | undefined;
}[];

/**
 * Topic `order`: the snapshot is `[]`. An update contains changed orders of the user with their new fills, new trigger
 * prices of trailing stops, and the IDs of changed algo orders: of TWAP orders after each change, of new and ended
 * iceberg orders, chase orders and grids, and of ended ladders.
 */
export interface OrderMessage {
  orders: DataOfShape<typeof orderShape>[];
  fills: DataOfShape<typeof fillShape>[];
  stops?: { id: string; stopPrice: string }[];
  algos?: string[];
}

/**
 * Topic `asset`: changed balances of the user's coin account; the snapshot contains all of its balances that
 * are not zero.
 */
export type AssetMessage = { currency: string; available: string; frozen: string }[];

/**
 * Topic `alert`: the snapshot is `[]`; an update contains each price alert of the user that has triggered, and is sent
 * after the trigger was committed to the database. `price` is the trigger price in the quote coin; 0 for a crossing;
 * for `pct` and `move` a percentage of `from`. `from` is the watched price from which the change is measured; for a
 * crossing the value that was crossed, such as that of the moving average or the level of a relative strength index.
 * `lastPrice` is the price that has triggered the alert; for a crossing the close of the candle. An alert with an order
 * is sent a second time with the `outcome` of the order.
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
  | 'averageSlow'
  | 'averageLevel'
  | 'averageTimer'
  | 'from'
  | 'order'
> & {
  lastPrice: string;
  time: number;
  /**
   * Outcome of the alert's order: its ID if it was placed, otherwise the refusal in the form in which an endpoint
   * returns it.
   */
  outcome?: { orderId: string } | { errKey: string; data: Readonly<Record<string, string>> };
})[];

/** Message of topic `notice`: the number of the user's unread inbox messages. */
export interface NoticeMessage {
  count: number;
}

type DataOfShape<S extends z.ZodMiniType> = z.infer<S>;
export type SpotBalance = DataOf<typeof spotAssets>['list'][number];
export type Order = DataOfShape<typeof orderShape>;
export type Fill = DataOfShape<typeof fillShape>;
