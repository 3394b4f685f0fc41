import * as z from 'zod/mini';
import { coin, decimalText, id, instantMs, positiveDecimal } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

export const convertCoin = z.object({
  currency: z.string(),
  logo: z.string(),
  /** Number of decimals of the coin's amounts in conversions. */
  digits: z.int(),
});

export const convertCoins = endpoint({
  path: '/exchange/getCoinList',
  summary: 'The coins that can be exchanged for one another, with the spread, the fee and the limits.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({
    list: z.array(convertCoin),
    /**
     * Minimum distance of the conversion rate from the index rate, as a fraction: 0.001 is 0.1 %. The current distance
     * is a field of each rate and quote. `feeRate` is a fraction too.
     */
    spread: decimalText,
    feeRate: decimalText,
    /** Minimum value of a conversion in USDT, at the index price; `max` is the maximum value. */
    min: decimalText,
    max: decimalText,
    quoteSeconds: z.int(),
  }),
});

export const convertRate = endpoint({
  path: '/exchange/getRate',
  summary: 'The current rate between two coins; a quote makes it firm.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { from: coin, to: coin },
  data: z.object({
    /**
     * Units of the received coin per unit of the paid coin: the index rate less the spread, before the fee.
     */
    rate: decimalText,
    /**
     * Current distance of the conversion rate from the index rate, as a fraction; it is greater while the index price
     * changes fast.
     */
    spread: decimalText,
    time: instantMs,
  }),
});

const terms = {
  from: z.string(),
  to: z.string(),
  rate: decimalText,
  /** Units of the paid coin per unit of the received coin: the inverse of the conversion rate. */
  inverseRate: decimalText,
  /** Distance of the conversion rate from the index rate, as a fraction: 0.001 is 0.1 %. */
  spread: decimalText,
  fee: decimalText,
  feeCoin: z.string(),
  fromAmount: decimalText,
  /** Amount of the received coin that the user receives, after the fee. */
  toAmount: decimalText,
};

export const convertQuote = endpoint({
  path: '/exchange/getQuote',
  summary:
    'A firm quote for ten seconds, for an amount to pay or an amount to receive; refused with −6 if the amount to pay is not available. Open quotes of the caller are cancelled if together they exceed the balance.',
  access: USER,
  charge: transfer,
  fields: {
    from: coin,
    to: coin,
    /** Amount to pay; the request contains either this field or `toAmount`, the amount to receive. */
    fromAmount: z.optional(positiveDecimal),
    toAmount: z.optional(positiveDecimal),
  },
  data: z.object({ quoteId: z.string(), ...terms, expireTime: instantMs }),
});

export const acceptConvert = endpoint({
  path: '/exchange/accept',
  summary:
    'Executes a quote that has not expired. A quote can be executed once; a repeated request gets the same answer.',
  access: { who: 'user', verified: true },
  charge: transfer,
  idempotent: true,
  fields: { quoteId: id },
  data: z.object({ id: z.string(), ...terms, time: instantMs }),
});

export const convertRecord = z.object({ id: z.string(), ...terms, time: instantMs });

export const convertRecords = endpoint({
  path: '/exchange/getRecord',
  summary: 'The caller’s conversions, newest first.',
  access: USER,
  charge: signedInRead(1),
  fields: { ...pagingFields },
  data: pageOf(convertRecord),
});
