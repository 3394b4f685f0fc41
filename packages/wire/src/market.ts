import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import * as z from 'zod/mini';
import { coin, decimalText, instantMs, symbol, text, whole } from './codecs.ts';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';

export const KLINE_SIZE_MAX = 2_000;
export const DEPTH_ROWS = 20;

/** A price or an amount in a response of `/huobi/*`: a JSON number, converted from an exact decimal. */
const number = z.number();
const timer = z.enum(CANDLE_TIMERS, 'l.field_choice');

const candle = z.object({
  /** Opening time of the candle in seconds since 1970 UTC. */
  id: z.int(),
  open: number,
  close: number,
  high: number,
  low: number,
  /** Trading volume in the candle, in the base coin. */
  vol: number,
  amount: number,
  count: z.int(),
  /** 1 if the candle was generated for the demo market, otherwise 0. */
  seeded: z.union([z.literal(0), z.literal(1)]),
});
const tick = z.object({ ...candle.shape, ts: z.int() });
const level = z.tuple([number, number]);

export const marketDetails = endpoint({
  path: '/huobi/getDetails',
  summary: 'The rolling 24-hour ticker of one pair.',
  access: ANYONE,
  charge: publicRead(1),
  envelope: 'tick',
  fields: { symbol, timer: z.optional(timer), size: z.optional(whole(1, KLINE_SIZE_MAX)) },
  data: tick,
});

export const marketsByQuote = endpoint({
  path: '/huobi/getHuobiDetailsByQuoteCoin',
  summary: 'The tickers of all pairs with one quote coin (USDT when none is named).',
  access: ANYONE,
  charge: publicRead(2),
  envelope: 'data',
  fields: { quoteCoin: z.optional(coin) },
  data: z.array(
    z.object({
      tick,
      baseCoin: z.string(),
      quoteCoin: z.string(),
      symbol: z.string(),
      logo: z.string(),
      source: z.string(),
    }),
  ),
});

export const marketSymbols = endpoint({
  path: '/huobi/getSymbols',
  summary: 'All listed pairs, or those with one quote coin, with the decimals of price and amount.',
  access: ANYONE,
  charge: publicRead(1),
  envelope: 'data',
  fields: { quoteCoin: z.optional(coin) },
  data: z.array(
    z.object({
      symbol: z.string(),
      baseCoin: z.string(),
      quoteCoin: z.string(),
      pricePrecision: z.int(),
      amountPrecision: z.int(),
      logo: z.string(),
      source: z.string(),
    }),
  ),
});

export const kline = endpoint({
  path: '/huobi/getKline',
  summary:
    'Candles, oldest first; at most 2000. With `endTime` (seconds) only candles that opened before it.',
  access: ANYONE,
  charge: publicRead(10),
  // A request with `endTime` is heavy, because older candles are read from the database; the newest ones are in memory.
  costOf: ({ endTime }) => ({ isHeavy: endTime !== undefined }),
  envelope: 'data',
  fields: {
    symbol,
    timer: z._default(timer, '1min'),
    size: z._default(whole(1, KLINE_SIZE_MAX), 150),
    endTime: z.optional(whole(0, 9_999_999_999)),
  },
  data: z.array(candle),
});

export const marketDepth = endpoint({
  path: '/huobi/getHuobiContractDepthV2',
  summary:
    'The best levels of the book as [price, amount]; bids from the highest, asks from the lowest. `timer` and `type` are accepted and ignored.',
  access: ANYONE,
  charge: publicRead(1),
  envelope: 'tick',
  fields: {
    symbol,
    timer: z.optional(text(20)),
    type: z.optional(text(20)),
    size: z._default(whole(1, DEPTH_ROWS), DEPTH_ROWS),
  },
  data: z.object({ bids: z.array(level), asks: z.array(level), ts: z.int(), version: z.int() }),
});

export const marketTrades = endpoint({
  path: '/huobi/getMarketTrade',
  summary: 'The latest deals, newest first; direction is that of the taker.',
  access: ANYONE,
  charge: publicRead(1),
  envelope: 'data',
  fields: { symbol, size: z._default(whole(1, 100), 50) },
  data: z.array(
    z.object({
      id: z.string(),
      ts: z.int(),
      price: number,
      amount: number,
      direction: z.enum(['buy', 'sell']),
      /** 1 if the trade was generated for the demo market, otherwise 0. */
      seeded: z.union([z.literal(0), z.literal(1)]),
    }),
  ),
});

/**
 * State of a price source of an index. `counts`: the index point includes its price. `far`: the index point
 * includes its price too, but the price is more than 2 % away from the median of at least three included
 * prices. `silent`: not included, because the source had no usable quote (positive and at most three seconds
 * old) at the newest index point. `off`: not included, because an operator has switched the source off.
 */
const SOURCE_STATES = ['counts', 'far', 'silent', 'off'] as const;

export const indexSources = endpoint({
  path: '/index/getSources',
  summary: 'The sources of a pair’s index at its newest second, with the notes on disabled sources.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { symbol },
  data: z.object({
    symbol: z.string(),
    /**
     * Price of the newest index point; empty before the first point, and if fewer than two sources had a
     * usable quote (positive and at most three seconds old) at its second.
     */
    index: z.union([z.literal(''), decimalText]),
    /** The second of the newest index point; null before the first point. */
    time: z.nullable(instantMs),
    sources: z.array(
      z.object({
        id: z.string(),
        state: z.enum(SOURCE_STATES),
        /** Price of the source at the newest index point; empty if the index did not include it. */
        price: z.union([z.literal(''), decimalText]),
        /**
         * Public note on the last switch of the source by an operator; empty if there is none. `since` is the time from
         * which that switch applies; null for a source that is switched on and stays on.
         */
        note: z.string(),
        since: z.nullable(instantMs),
      }),
    ),
  }),
});
