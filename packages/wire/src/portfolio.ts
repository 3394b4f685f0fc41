import * as z from 'zod/mini';
import { coin, decimalText, instantMs } from './codecs.ts';
import { endpoint, USER, signedInRead } from './endpoint.ts';
import { pageOf, pagingFields, periodFields } from './paging.ts';

/** What of an account: spot, the seconds contract, and products that are bought for a time. */
export const ACCOUNTS = ['spot', 'seconds', 'finance', 'mining', 'fund', 'subscription'] as const;

export const holdings = endpoint({
  path: '/account/getHoldings',
  summary:
    'Every coin of every account of the user that holds something, and what all of it is worth in USDT, read and priced as of one instant: sums of the rows agree with the total. Positions of leveraged funds count at their equity.',
  access: USER,
  charge: signedInRead(),
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        account: z.enum(ACCOUNTS),
        currency: z.string(),
        currencyName: z.string(),
        available: decimalText,
        /** Held by orders and withdrawals; of products what is staked, invested or committed, of funds their equity. */
        frozen: decimalText,
        /** Of one coin, in USDT; 0 where there is none. */
        price: decimalText,
        total: decimalText,
      }),
    ),
    /** When it was read and priced. */
    time: instantMs,
    /** Sum of all rows, in USDT. */
    total: decimalText,
    /** The same in BTC; 0 while BTC has no price. */
    totalBtc: decimalText,
    /** The last day (UTC) whose end has a value; null for an account that is younger. */
    last: z.nullable(
      z.object({
        /** When the day ended. */
        time: instantMs,
        /** What everything was worth then, in USDT. */
        total: decimalText,
        /** What came from outside since less what left, in USDT at present prices; negative where more left. */
        netDeposits: decimalText,
      }),
    ),
  }),
});

export const coinCosts = endpoint({
  path: '/account/getCosts',
  summary:
    'What the coins cost in USDT that were bought or came by conversion and are still there, by the average cost method, and what sales and conversions of such coins have earned. Coins that came otherwise have no cost and do not count; coins that leave without a sale take their share of the cost with them.',
  access: USER,
  charge: signedInRead(5),
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        currency: z.string(),
        /** How many were bought and are still there. */
        amount: decimalText,
        /** What all of them cost in USDT, fees included. */
        cost: decimalText,
        /** What sales have earned in USDT, after fees; negative for a loss. */
        realized: decimalText,
      }),
    ),
  }),
});

export const valueHistory = endpoint({
  path: '/account/getHistory',
  summary:
    'What everything was worth in USDT when each of the last days (UTC) ended, oldest first, and what today began with.',
  access: USER,
  charge: signedInRead(2),
  fields: { days: z._default(z.enum(['7', '30', '90'], 'l.field_choice'), '30') },
  data: z.object({
    list: z.array(
      z.object({
        time: instantMs,
        total: decimalText,
        /**
         * What came from outside since the row before less what left, in USDT: deposits, transfers from other users, the
         * faucet and corrections, less withdrawals and transfers to other users. A period's profit is the change of
         * `total` less the sum of these; that of its first row is not part of it.
         */
        netDeposits: decimalText,
      }),
    ),
    /** Null where the day before has no value. */
    today: z.nullable(
      z.object({
        /** What everything was worth in USDT at 00:00 UTC. */
        total: decimalText,
        /** What came from outside since less what left, in USDT at present prices; negative where more left. */
        netDeposits: decimalText,
      }),
    ),
  }),
});

/** `type` of a record: 1 spot, 2 seconds contract, 3 products that are bought for a time, 4 all of them and the rest. */
export const RECORD_TYPES = { spot: '1', seconds: '2', products: '3', all: '4' } as const;

export const tradeRecords = endpoint({
  path: '/account/getTradeRecord',
  summary:
    'What moved, newest first: on the coin account by what moved it, or with `account` everything on the seconds account or in products. Interest, mining income, a fund’s daily costs and invitation rewards are one row a month when the month is older than a year.',
  access: USER,
  charge: signedInRead(2),
  fields: {
    type: z._default(z.enum(['1', '2', '3', '4'], 'l.field_choice'), '4'),
    account: z.optional(z.enum(['spot', 'seconds', 'products'], 'l.field_choice')),
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
      /** `available`, `frozen` or, of products, `locked`. */
      account: z.string(),
      /** What it was about, e.g. an order's id; empty where it was about nothing. */
      refId: z.string(),
      createTime: instantMs,
      /** How many movements of a month (UTC) it is the sum of, the newest of them at `createTime`; 1 where it is one. */
      entries: z.int(),
    }),
  ),
});

/**
 * What an account's history is narrowed to. `products` is finance, mining, fund and launchpad together; `seconds` contains the
 * transfers to and from the seconds account.
 */
export const EVENT_FILTERS = [
  'trade',
  'convert',
  'deposit',
  'withdrawal',
  'transfer',
  'seconds',
  'products',
  'finance',
  'mining',
  'fund',
  'launchpad',
  'reward',
  'other',
] as const;

const eventChange = z.object({
  account: z.enum(ACCOUNTS),
  currency: z.string(),
  /** With its sign, after fees; what is available, held and locked together. */
  amount: decimalText,
});

export const accountEvents = endpoint({
  path: '/account/getEvents',
  summary:
    'What happened on the accounts, newest first, one row for each trade, conversion, deposit, withdrawal, transfer, purchase or payment. What only sets funds aside or releases them is in `/account/getTradeRecord`.',
  access: USER,
  charge: signedInRead(2),
  fields: {
    event: z.optional(z.enum(EVENT_FILTERS, 'l.field_choice')),
    currency: z.optional(coin),
    ...pagingFields,
    ...periodFields,
  },
  data: pageOf(
    z.object({
      /** Number of the ledger's entry. */
      id: z.string(),
      event: z.enum(EVENT_FILTERS),
      /** The cause, e.g. `finance.bought`. */
      kind: z.string(),
      /** What changed on each account, one element for each coin of it. */
      changes: z.array(eventChange),
      /** Fees that were paid, contained in `changes`. */
      fees: z.array(z.object({ currency: z.string(), amount: decimalText })),
      /** What it was about, e.g. an order's id; empty where it was about nothing. */
      refId: z.string(),
      createTime: instantMs,
    }),
  ),
});
