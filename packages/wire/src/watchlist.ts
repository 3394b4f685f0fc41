import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import {
  ALERT_AVERAGES,
  ALERT_CHANNELS,
  ALERT_CONDITIONS,
  ALERT_ORDER_TYPES,
  ALERT_PAUSES,
  ALERT_SOURCES,
  ALERT_WINDOWS,
  AVERAGE_PERIODS,
  type AlertPause,
  type AlertWindow,
} from '@exchange/core/price-alert.ts';
import * as z from 'zod/mini';
import {
  decimalText,
  flag,
  flagNumber,
  id,
  instantMs,
  positiveDecimal,
  symbol,
  tradeType,
  whole,
} from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';

const alertChange: Charge = { limit: 'transfer', weight: 1 };
/**
 * Rate-limit charge of a request that changes favourites. Its limit permits a burst of requests, because
 * users change favourites quickly, and because a visitor's favourites are all sent at the sign-in.
 */
const favoriteChange: Charge = { limit: 'lightChange', weight: 1 };

const favorites = z.object({ symbols: z.array(z.string()) });

export const favoriteList = endpoint({
  path: '/market/favorite/list',
  summary: 'The caller’s favourite pairs, in the order in which they were added.',
  access: USER,
  charge: signedInRead(),
  fields: {},
  data: favorites,
});

export const addFavorite = endpoint({
  path: '/market/favorite/add',
  summary: 'Adds a pair to the favourites; adding it again changes nothing. Returns all favourites.',
  access: USER,
  charge: favoriteChange,
  fields: { symbol },
  data: favorites,
});

export const removeFavorite = endpoint({
  path: '/market/favorite/remove',
  summary: 'Removes a pair from the favourites. Returns the remaining ones.',
  access: USER,
  charge: favoriteChange,
  fields: { symbol },
  data: favorites,
});

/** Minimum time in minutes between two notifications of a repeating alert; one of a few values. */
const pauseMinutes = z.pipe(
  z.enum(['1', '15', '60', '1440'] as const satisfies readonly `${AlertPause}`[], 'l.field_choice'),
  z.transform((value): AlertPause => ALERT_PAUSES.find((minutes) => String(minutes) === value)!),
);

/** Time in minutes within which the price has to move for a `move` alert; one of a few values. */
const windowMinutes = z.pipe(
  z.enum(['5', '15', '60', '240', '1440'] as const satisfies readonly `${AlertWindow}`[], 'l.field_choice'),
  z.transform((value): AlertWindow => ALERT_WINDOWS.find((minutes) => String(minutes) === value)!),
);

/** The order that the exchange places when the alert triggers. */
export const alertOrderShape = z.object({
  tradeType: z.union([z.literal(1), z.literal(2)]),
  orderType: z.enum(ALERT_ORDER_TYPES),
  /** Limit price, in the quote coin, of the order that the alert places; empty for a market order. */
  price: z.string(),
  /** Amount of the order that the alert places, in the base coin. */
  amount: decimalText,
});

export const alertShape = z.object({
  id: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  /**
   * Condition of an alert on the watched price (`source`). `gte` and `lte`: the price reaches `price` from below or
   * from above. `pct`: the price has moved by `price` percent from the price `from`. `move`: the price has moved by
   * `price` percent within the last `windowMinutes`, measured in whole minutes. `crossUp` and `crossDown`: at the close
   * of a candle the first of the two values that `average` describes has crossed the second one upwards or downwards,
   * for example the closing price its moving average.
   */
  condition: z.enum(ALERT_CONDITIONS),
  /** Which price the alert watches: the price of the last trade, or the index price. */
  source: z.enum(ALERT_SOURCES),
  /**
   * Target price in the quote coin for `gte` and `lte`, percentage for `pct` and `move`; 0 for a crossing.
   */
  price: decimalText,
  /** Time in minutes within which the price has to move for `move`; 0 for other conditions. */
  windowMinutes: z.int(),
  /**
   * Kind of the moving average or other indicator for a crossing; empty for other conditions, for which `averagePeriod`
   * is 0. Each kind compares two values. `ma`, `ema`: the closing price and its average. `maPair`, `emaPair`: the
   * average of `averagePeriod` candles and that of `averageSlow` candles. `rsi`: the relative strength index and
   * `averageLevel`. `macd`: the MACD and its signal line. `bollUpper`, `bollLower`: the closing price and the upper or
   * lower Bollinger band.
   */
  average: z.enum(['', ...ALERT_AVERAGES]),
  averagePeriod: z.int(),
  /** Number of candles of the slow average; 0 for kinds without one. */
  averageSlow: z.int(),
  /** Level that the relative strength index must cross, if `average` is `rsi`; otherwise 0. */
  averageLevel: decimalText,
  averageTimer: z.enum(['', ...CANDLE_TIMERS]),
  /** The order that the exchange places when the alert triggers; null if there is none. */
  order: z.nullable(alertOrderShape),
  /**
   * Watched price when the alert was created, or for a repeating alert when it triggered last; the percentage of `pct`
   * is relative to this price.
   */
  from: decimalText,
  /** 1 if the alert stays active after it has triggered, otherwise 0. */
  repeat: flagNumber,
  /** Minimum time in minutes between two notifications of a repeating alert. */
  pauseMinutes: z.union(ALERT_PAUSES.map((minutes) => z.literal(minutes))),
  channels: z.array(z.enum(ALERT_CHANNELS)),
  createTime: instantMs,
  /** Time in milliseconds UTC at which the alert triggered last; 0 if it has not triggered. */
  toldTime: z.int(),
});

export const alertList = endpoint({
  path: '/market/alert/list',
  summary: 'The caller’s active price alerts, newest first; optionally only those of one pair.',
  access: USER,
  charge: signedInRead(),
  fields: { symbol: z.optional(symbol) },
  data: z.object({ list: z.array(alertShape), limit: z.int() }),
});

export const addAlert = endpoint({
  path: '/market/alert/add',
  summary:
    'Creates an alert on the last price of a pair, or on its index with `source` `index`. It notifies the caller by `channels` (`inbox`, `mail`, comma-separated), and the caller’s devices that receive pushes of price alerts, when the price reaches `price` (`gte`, `lte`), has moved by `price` percent (`pct`), or moves by `price` percent within `windowMinutes` (`move`: 5, 15, 60, 240 or 1440). `crossUp` and `crossDown` compare closed candles of the last price with their moving `average` (`ma`, `ema`) of `averagePeriod` candles of `averageTimer`, and take no `price`. Other values of `average` compare a fast average of `averagePeriod` with a slow one of `averageSlow` candles (`maPair`, `emaPair`), Wilder’s relative strength index with `averageLevel` (`rsi`), MACD (12, 26) with its signal line (9) (`macd`), or the close with a Bollinger band (20, 2) (`bollUpper`, `bollLower`). With `repeat` the alert notifies again at later times, at most once in `pauseMinutes` (1, 15, 60 or 1440). With `tradeType`, `orderType` (`limit`, `market`), `orderAmount` in the base coin and, for a limit order, `orderPrice`, a one-time alert places this order when it triggers. Nothing is reserved for it before; if it is refused then, a message says why.',
  access: USER,
  charge: alertChange,
  idempotent: true,
  fields: {
    symbol,
    condition: z.enum(ALERT_CONDITIONS, 'l.field_choice'),
    price: z.optional(positiveDecimal),
    windowMinutes: z.optional(windowMinutes),
    average: z.optional(z.enum(ALERT_AVERAGES, 'l.field_choice')),
    averagePeriod: z.optional(whole(AVERAGE_PERIODS.least, AVERAGE_PERIODS.most)),
    averageSlow: z.optional(whole(AVERAGE_PERIODS.least, AVERAGE_PERIODS.most)),
    averageLevel: z.optional(positiveDecimal),
    averageTimer: z.optional(z.enum(CANDLE_TIMERS, 'l.field_choice')),
    tradeType: z.optional(tradeType),
    orderType: z.optional(z.enum(ALERT_ORDER_TYPES, 'l.field_choice')),
    orderPrice: z.optional(positiveDecimal),
    orderAmount: z.optional(positiveDecimal),
    source: z._default(z.enum(ALERT_SOURCES, 'l.field_choice'), 'last'),
    repeat: z._default(flag, false),
    pauseMinutes: z._default(pauseMinutes, 1),
    channels: z._default(
      z.string().check(z.regex(/^(?:inbox|mail)(?:,(?:inbox|mail))?$/, 'l.field_choice')),
      'inbox',
    ),
  },
  data: alertShape,
});

export const removeAlert = endpoint({
  path: '/market/alert/remove',
  summary: 'Removes a price alert.',
  access: USER,
  charge: alertChange,
  fields: { id },
  data: z.object({ count: z.int() }),
});

export type Alert = z.infer<typeof alertShape>;
