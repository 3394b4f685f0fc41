import { SMALL_COINS_MAX, SMALL_TARGETS } from '@exchange/core/small-balances.ts';
import * as z from 'zod/mini';
import { coin, decimalText, id, instantMs } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

/** The coin to which small balances are converted. */
const target = z.pipe(coin, z.enum(SMALL_TARGETS, 'l.field_choice'));

/** Codes of coins, separated by commas; a code that is repeated counts once. */
const coins = z.pipe(
  z.string('l.field_required').check(
    z.minLength(1, 'l.field_required'),
    z.maxLength(SMALL_COINS_MAX * 11, 'l.field_too_long'),
    z.regex(/^[A-Za-z0-9]{2,10}(?:,[A-Za-z0-9]{2,10})*$/, 'l.field_invalid'),
    z.refine((value) => new Set(codesOf(value)).size <= SMALL_COINS_MAX, 'l.field_too_long'),
  ),
  z.transform((value: string) => [...new Set(codesOf(value))]),
);

function codesOf(value: string): readonly string[] {
  return value.toUpperCase().split(',');
}

export const smallBalances = endpoint({
  path: '/exchange/getSmallBalances',
  summary:
    'The caller’s small spot balances that can be exchanged into `to`, the most valuable first, with the limits and the exchanges of this UTC day.',
  access: USER,
  charge: signedInRead(2),
  fields: { to: z._default(target, 'USDT') },
  data: z.object({
    list: z.array(
      z.object({
        currency: z.string(),
        amount: decimalText,
        /** Value of the balance in USDT, at the index price. */
        worth: decimalText,
        /**
         * Amount of the coin `to` that the conversion of the balance would bring at the current rate, after
         * the fee.
         */
        toAmount: decimalText,
      }),
    ),
    targets: z.array(z.string()),
    /** Maximum value of a small balance in USDT, at the index price. */
    max: decimalText,
    coinsMax: z.int(),
    perDay: z.int(),
    usedToday: z.int(),
  }),
});

const quote = z.object({
  quoteId: z.string(),
  to: z.string(),
  /** Total amount received for all coins, after the fee, in the received coin `to`. */
  toAmount: decimalText,
  /** Total fee, in the received coin. */
  fee: decimalText,
  coins: z.array(
    z.object({
      currency: z.string(),
      amount: decimalText,
      toAmount: decimalText,
      /**
       * Units of the received coin per unit of the paid coin: the index rate less the spread, before the fee.
       */
      rate: decimalText,
    }),
  ),
  expireTime: instantMs,
  /** Time in milliseconds UTC at which the quote was executed; 0 while it has not been executed. */
  time: z.int(),
});

export const quoteSmallBalances = endpoint({
  path: '/exchange/quoteSmallBalances',
  summary:
    'One firm quote for ten seconds that exchanges the whole available balances of `coins` into `to`. Open quotes of the caller for these coins are cancelled.',
  access: USER,
  charge: transfer,
  fields: { coins, to: target },
  data: quote,
});

export const acceptSmallBalances = endpoint({
  path: '/exchange/acceptSmallBalances',
  summary:
    'Executes a quote of small balances that has not expired, once; each coin becomes an exchange in the caller’s records.',
  access: { who: 'user', verified: true },
  charge: transfer,
  idempotent: true,
  fields: { quoteId: id },
  data: quote,
});
