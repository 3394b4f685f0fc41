import { ALERT_CHANNELS, ALERT_CONDITIONS } from '@exchange/core/price-alert.ts';
import * as z from 'zod/mini';
import { decimalText, flag, flagNumber, id, instantMs, positiveDecimal, symbol } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';

const alertChange: Charge = { limit: 'transfer', weight: 1 };
/** Stars come in quick succession, and all at once when a visitor signs in. */
const favoriteChange: Charge = { limit: 'lightChange', weight: 1 };

const favorites = z.object({ symbols: z.array(z.string()) });

export const favoriteList = endpoint({
  path: '/market/favorite/list',
  summary: 'The own favourite pairs, in the order in which they were added.',
  access: USER,
  charge: signedInRead(),
  fields: {},
  data: favorites,
});

export const addFavorite = endpoint({
  path: '/market/favorite/add',
  summary: 'Adds a pair to the favourites; adding one twice changes nothing. Answers with all of them.',
  access: USER,
  charge: favoriteChange,
  fields: { symbol },
  data: favorites,
});

export const removeFavorite = endpoint({
  path: '/market/favorite/remove',
  summary: 'Takes a pair out of the favourites. Answers with those that are left.',
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
  /** `gte`/`lte`: the last price reaches `price` from below/above. `pct`: it moves by `price` percent of what it was. */
  condition: z.enum(ALERT_CONDITIONS),
  price: decimalText,
  /** The last price when the alert was set, or, of a repeating one, when it last triggered. `pct` counts from it. */
  from: decimalText,
  /** Whether it stays after it has triggered. */
  repeat: flagNumber,
  channels: z.array(z.enum(ALERT_CHANNELS)),
  createTime: instantMs,
  /** When it last triggered; 0 when it has not. */
  toldTime: z.int(),
});

export const alertList = endpoint({
  path: '/market/alert/list',
  summary: 'The own price alerts that still watch, newest first; of one pair when named.',
  access: USER,
  charge: signedInRead(),
  fields: { symbol: z.optional(symbol) },
  data: z.object({ list: z.array(alertShape), limit: z.int() }),
});

export const addAlert = endpoint({
  path: '/market/alert/add',
  summary:
    'Watches the last price of a pair and tells, in the inbox and by mail as `channels` says (comma-separated), when it reaches `price` (`gte`, `lte`) or has moved by `price` percent (`pct`).',
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
  summary: 'Ends a price alert.',
  access: USER,
  charge: alertChange,
  fields: { id },
  data: z.object({ count: z.int() }),
});

export type Alert = z.infer<typeof alertShape>;
