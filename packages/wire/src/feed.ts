import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import * as z from 'zod/mini';
import type { DataOf } from './endpoint.ts';
import type { orderShape, fillShape, spotAssets } from './spot.ts';
import type { Alert } from './watchlist.ts';

/**
 * The live feed, JSON text over one WebSocket. A client subscribes to topics; each topic answers with a
 * snapshot, then updates whose `seq` grows by one. A gap means: subscribe again. Prices and amounts are
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
/** Topics of the signed-in user. */
const PRIVATE_TOPICS: ReadonlySet<string> = new Set([
  'order',
  'asset',
  'notice',
  'alert',
  'finance',
  'mining',
  'fund',
  'subscription',
  'contract',
  'transfer',
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
  /** As a refused call: `errKey` names the sentence in `msg`, `data` has what it mentions. `topic`: which one, where it is about one. */
  | {
      op: 'refused';
      code: number;
      msg: string;
      errKey: string;
      data: Readonly<Record<string, string>>;
      topic?: string;
    }
  /** The session is over; private topics have stopped. */
  | { op: 'ended'; code: -2 }
  | { topic: string; type: 'snapshot' | 'update'; seq: number; ts: number; data: unknown };

/** Whether there may be such a topic: it has the form of one, though perhaps the name of a pair that is not listed. */
export function isTopic(text: string): boolean {
  return TOPIC.test(text);
}

/** Whether a topic belongs to the signed-in user. */
export function isPrivateTopic(topic: string): boolean {
  return PRIVATE_TOPICS.has(topic);
}

/** `ticker.<symbol>` and, by symbol, `tickers` (snapshot: all; update: those that changed). */
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
  /** Closing prices of the last 24 hours, hourly, oldest first; only in snapshots of `tickers`. */
  spark?: string[];
}

/** `depth.<symbol>`: a level is [price, amount]; in an update, amount `0` removes the level. */
export interface DepthMessage {
  bids: [string, string][];
  asks: [string, string][];
}

/** `trade.<symbol>`: newest first. */
export interface DealMessage {
  id: string;
  ts: number;
  price: string;
  amount: string;
  direction: 'buy' | 'sell';
  /** 1 where it was generated for the demo market instead of traded. */
  seeded: 0 | 1;
}

/** `kline.<symbol>.<timer>`: the current candle. */
export interface CandleMessage {
  /** Opening time in seconds. */
  id: number;
  open: string;
  close: string;
  high: string;
  low: string;
  vol: string;
  amount: string;
}

/** `index.<symbol>`: one point per second; price null where there were too few sources. */
export interface IndexMessage {
  t: number;
  price: string | null;
  flags: string[];
}

/** `pairs`: whether they trade (snapshot: all; update: those that changed). */
export type PairsMessage = { symbol: string; status: 'open' | 'cancelOnly' | 'closed' }[];

/**
 * `order`: snapshot `[]`, then the orders that changed and the fills that changed them, or the trailing stops that
 * the market moved along, each with the price at which it triggers now.
 */
export interface OrderMessage {
  orders: DataOfShape<typeof orderShape>[];
  fills: DataOfShape<typeof fillShape>[];
  stops?: { id: string; stopPrice: string }[];
}

/** `asset`: the balances that changed (snapshot: all that are not zero). */
export type AssetMessage = { currency: string; available: string; frozen: string }[];

/**
 * `alert`: snapshot `[]`, then each own price alert that triggered, once its message is stored. `price` is the limit in the
 * quote coin, with condition `pct` percent of `from`; `lastPrice` is the price that triggered it.
 */
export type AlertMessage = (Pick<
  Alert,
  'id' | 'symbol' | 'baseCoin' | 'quoteCoin' | 'condition' | 'price' | 'from'
> & {
  lastPrice: string;
  /** Milliseconds UTC. */
  time: number;
})[];

/** `notice`: how many messages are unread. */
export interface NoticeMessage {
  count: number;
}

type DataOfShape<S extends z.ZodMiniType> = z.infer<S>;
export type SpotBalance = DataOf<typeof spotAssets>['list'][number];
export type Order = DataOfShape<typeof orderShape>;
export type Fill = DataOfShape<typeof fillShape>;
