import {
  ALERT_CHANNELS,
  ALERT_CONDITIONS,
  ALERT_PAUSES,
  ALERT_SOURCES,
  type AlertPause,
} from '@exchange/core/price-alert.ts';
import * as z from 'zod/mini';
import { decimalText, flag, flagNumber, id, instantMs, positiveDecimal, symbol } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';

const alertChange: Charge = { limit: 'transfer', weight: 1 };
/**
 * A rate limit that permits bursts, because favourites change in quick succession, and all at once when a
 * visitor signs in.
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

/** One of the pauses of repeating alerts, in minutes. */
const pauseMinutes = z.pipe(
  z.enum(['1', '15', '60', '1440'] as const satisfies readonly `${AlertPause}`[], 'l.field_choice'),
  z.transform((value): AlertPause => ALERT_PAUSES.find((minutes) => String(minutes) === value)!),
);

export const alertShape = z.object({
  id: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  /**
   * Condition of a price alert on the watched price (`source`). `gte`/`lte`: it reaches `price` from
   * below/above. `pct`: it moves by `price` percent from `from`.
   */
  condition: z.enum(ALERT_CONDITIONS),
  /** The watched price: of the last deal, or the index. */
  source: z.enum(ALERT_SOURCES),
  price: decimalText,
  /**
   * Watched price when the alert was created or, for a repeating alert, when it last triggered; `pct` is
   * relative to it.
   */
  from: decimalText,
  /** Whether the price alert stays active after it has triggered. */
  repeat: flagNumber,
  /** Least time between two notifications of a repeating alert. */
  pauseMinutes: z.union(ALERT_PAUSES.map((minutes) => z.literal(minutes))),
  channels: z.array(z.enum(ALERT_CHANNELS)),
  createTime: instantMs,
  /** Time at which the price alert last triggered; 0 if it has not. */
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
    'Creates an alert on the last price of a pair, or on its index with `source` `index`. It notifies the caller by `channels` (`inbox`, `mail`, comma-separated) when the price reaches `price` (`gte`, `lte`) or has moved by `price` percent (`pct`); with `repeat` again at later times, at most once in `pauseMinutes` (1, 15, 60 or 1440).',
  access: USER,
  charge: alertChange,
  idempotent: true,
  fields: {
    symbol,
    condition: z.enum(ALERT_CONDITIONS, 'l.field_choice'),
    price: positiveDecimal,
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
