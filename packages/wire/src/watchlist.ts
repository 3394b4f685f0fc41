import { ALERT_CHANNELS, ALERT_CONDITIONS } from '@exchange/core/price-alert.ts';
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

export const alertShape = z.object({
  id: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  /**
   * Condition of a price alert. `gte`/`lte`: the last price reaches `price` from below/above. `pct`: the last
   * price moves by `price` percent from `from`.
   */
  condition: z.enum(ALERT_CONDITIONS),
  price: decimalText,
  /**
   * Last price when the alert was created or, for a repeating alert, when it last triggered; `pct` is
   * relative to it.
   */
  from: decimalText,
  /** Whether the price alert stays active after it has triggered. */
  repeat: flagNumber,
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
    'Creates an alert on the last price of a pair. It notifies the caller by `channels` (`inbox`, `mail`, comma-separated) when the price reaches `price` (`gte`, `lte`) or has moved by `price` percent (`pct`).',
  access: USER,
  charge: alertChange,
  idempotent: true,
  fields: {
    symbol,
    condition: z.enum(ALERT_CONDITIONS, 'l.field_choice'),
    price: positiveDecimal,
    repeat: z._default(flag, false),
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
