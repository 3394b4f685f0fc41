import * as z from 'zod/mini';
import { coin, decimalText, instantMs } from './codecs.ts';
import { endpoint, USER, signedInRead, type Charge } from './endpoint.ts';
import { pageOf, pagingFields, periodFields } from './paging.ts';

export const overview = endpoint({
  path: '/account/getOverview',
  summary: 'The worth of every account of the user in USDT, and in BTC altogether.',
  access: USER,
  charge: signedInRead(),
  fields: {},
  data: z.object({
    total: decimalText,
    totalBtc: decimalText,
    /** The coin account. */
    coin: decimalText,
    /** The seconds account, with what is staked. */
    contract: decimalText,
    /** Locked in fixed-term products. */
    finance: decimalText,
    /** Locked in mining products. */
    pool: decimalText,
    /** Committed to subscriptions that are not settled. */
    subscribe: decimalText,
  }),
});

/** `type` of a record: 1 spot, 2 seconds contract, 3 products that are bought for a time, 4 all of them and the rest. */
export const RECORD_TYPES = { spot: '1', seconds: '2', products: '3', all: '4' } as const;

export const tradeRecords = endpoint({
  path: '/account/getTradeRecord',
  summary: 'What moved on the coin account, by what moved it, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: {
    type: z._default(z.enum(['1', '2', '3', '4'], 'l.field_choice'), '4'),
    currency: z.optional(coin),
    ...pagingFields,
    ...periodFields,
  },
  data: pageOf(
    z.object({
      id: z.string(),
      currency: z.string(),
      /** The cause, e.g. `finance.bought`. */
      kind: z.string(),
      amount: decimalText,
      /** Of the same account, after it. */
      balance: decimalText,
      /** `available` or `frozen`. */
      account: z.string(),
      /** What it was about, e.g. an order's id; empty where it was about nothing. */
      refId: z.string(),
      createTime: instantMs,
    }),
  ),
});

const faucetCharge: Charge = { limit: 'transfer', weight: 1 };

export const faucetState = endpoint({
  path: '/faucet/getState',
  summary:
    'Demo mode only: when play money can be claimed next, wherever it was claimed last; now where never.',
  access: { who: 'user', demoOnly: true },
  charge: signedInRead(),
  fields: {},
  data: z.object({ nextTime: instantMs }),
});

export const claimFaucet = endpoint({
  path: '/faucet/claim',
  summary: 'Demo mode only: credits a starting balance of play money, once a day.',
  access: { who: 'user', demoOnly: true },
  charge: faucetCharge,
  idempotent: true,
  fields: {},
  data: z.object({
    credited: z.array(z.object({ currency: z.string(), amount: decimalText })),
    nextTime: instantMs,
  }),
});
