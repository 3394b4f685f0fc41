import * as z from 'zod/mini';
import { coin, decimalText, id, instantMs, positiveDecimal } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

export const convertCoin = z.object({
  currency: z.string(),
  logo: z.string(),
  /** Digits of amounts. */
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
    /** Fractions: 0.001 is 0.1 %. The spread of calm hours; that of the moment comes with a rate and a quote. */
    spread: decimalText,
    feeRate: decimalText,
    /** Of one exchange, in USDT at the index. */
    min: decimalText,
    max: decimalText,
    quoteSeconds: z.int(),
  }),
});

export const convertRate = endpoint({
  path: '/exchange/getRate',
  summary: 'What one coin is exchanged for at the moment; a quote makes it firm.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { from: coin, to: coin },
  data: z.object({
    /** Units received per unit paid, the spread taken off and the fee not. */
    rate: decimalText,
    /** What the rate lies below the index at the moment, as a fraction; it grows where the index moves. */
    spread: decimalText,
    time: instantMs,
  }),
});

const terms = {
  from: z.string(),
  to: z.string(),
  rate: decimalText,
  /** Units paid per unit received. */
  inverseRate: decimalText,
  /** What the rate lies below the index, as a fraction. */
  spread: decimalText,
  fee: decimalText,
  feeCoin: z.string(),
  fromAmount: decimalText,
  /** What arrives, after the fee. */
  toAmount: decimalText,
};

export const convertQuote = endpoint({
  path: '/exchange/getQuote',
  summary:
    'A firm quote for ten seconds, for the amount paid or the amount wanted; refused with −6 where the amount paid is not available. Open quotes of yours end where together they would take more than you have.',
  access: USER,
  charge: transfer,
  fields: {
    from: coin,
    to: coin,
    /** One of the two. */
    fromAmount: z.optional(positiveDecimal),
    toAmount: z.optional(positiveDecimal),
  },
  data: z.object({ quoteId: z.string(), ...terms, expireTime: instantMs }),
});

export const acceptConvert = endpoint({
  path: '/exchange/accept',
  summary:
    'Exchanges at a quote that has not expired. A quote is good once; asked again, the answer is the same.',
  access: { who: 'user', verified: true },
  charge: transfer,
  idempotent: true,
  fields: { quoteId: id },
  data: z.object({ id: z.string(), ...terms, time: instantMs }),
});

export const convertRecord = z.object({ id: z.string(), ...terms, time: instantMs });

export const convertRecords = endpoint({
  path: '/exchange/getRecord',
  summary: 'The own exchanges, newest first.',
  access: USER,
  charge: signedInRead(1),
  fields: { ...pagingFields },
  data: pageOf(convertRecord),
});
