import { ACCOUNT_NAMES } from '@exchange/core/accounts.ts';
import * as z from 'zod/mini';
import { coin, decimalText, instantMs } from './codecs.ts';
import { endpoint, USER, signedInRead } from './endpoint.ts';
import { pageOf, pagingFields, periodFields } from './paging.ts';

export const holdings = endpoint({
  path: '/account/getHoldings',
  summary:
    'All coins with a balance on any account of the user, and their total value in USDT, read and priced at one instant, so that the rows add up to the total. Positions of leveraged funds count at their equity.',
  access: USER,
  charge: signedInRead(),
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        account: z.enum(ACCOUNT_NAMES),
        currency: z.string(),
        currencyName: z.string(),
        available: decimalText,
        /**
         * Amount reserved by orders and withdrawals; for products the staked, invested or committed amount,
         * for funds their equity.
         */
        frozen: decimalText,
        /** Price of one coin in USDT; 0 if unknown. */
        price: decimalText,
        total: decimalText,
      }),
    ),
    /** Time at which the balances were read and priced. */
    time: instantMs,
    /** Value of all balances in USDT. */
    total: decimalText,
    /** Value of all balances in BTC; 0 while BTC has no price. */
    totalBtc: decimalText,
    /**
     * The newest stored value of the account at the end of a UTC day, normally yesterday, and its net inflows
     * since; null if none is stored, as for an account opened today.
     */
    last: z.nullable(
      z.object({
        /** End of the UTC day of the value. */
        time: instantMs,
        /** The account's total value at that time, in USDT. */
        total: decimalText,
        /**
         * Deposits and other inflows from outside since the value was computed, shortly after `time`, less
         * outflows, in USDT at current prices; can be negative.
         */
        netDeposits: decimalText,
      }),
    ),
  }),
});

export const coinCosts = endpoint({
  path: '/account/getCosts',
  summary:
    'The cost basis in USDT of coins acquired by purchase or conversion, by the average cost method, and the realized profit of their sales and conversions. Coins received otherwise have no cost and do not count; coins that leave without a sale reduce the cost in proportion.',
  access: USER,
  charge: signedInRead(5),
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        currency: z.string(),
        /** Amount of coins that were bought and have not left since; it has a cost. */
        amount: decimalText,
        /** Cost of this amount in USDT, fees included. */
        cost: decimalText,
        /** Realized profit of the sales of the coin in USDT, after fees; negative for a loss. */
        realized: decimalText,
      }),
    ),
  }),
});

export const valueHistory = endpoint({
  path: '/account/getHistory',
  summary:
    'The total value in USDT at the end of each of the last days (UTC), oldest first, and at the start of today.',
  access: USER,
  charge: signedInRead(2),
  fields: { days: z._default(z.enum(['7', '30', '90'], 'l.field_choice'), '30') },
  data: z.object({
    list: z.array(
      z.object({
        time: instantMs,
        total: decimalText,
        /**
         * Inflows from outside since the previous row less outflows, in USDT: deposits, transfers from other
         * users, faucet and corrections, less withdrawals and transfers to other users. The profit of a
         * period is the change of `total` less the sum of these values without that of the period's first
         * row.
         */
        netDeposits: decimalText,
      }),
    ),
    /**
     * The account's value at the last 00:00 UTC and its net inflows since, for today's change; null if that
     * value is not stored.
     */
    today: z.nullable(
      z.object({
        /** The account's total worth in USDT at 00:00 UTC. */
        total: decimalText,
        /**
         * Deposits and other inflows from outside since the value was computed, shortly after 00:00 UTC, less
         * outflows, in USDT at current prices; can be negative.
         */
        netDeposits: decimalText,
      }),
    ),
  }),
});

/**
 * Filter `type` of the account's ledger entries: 1 spot trading, 2 seconds contract, 3 finance, mining, funds and
 * token sales, 4 all of them and others.
 */
export const RECORD_TYPES = { spot: '1', seconds: '2', products: '3', all: '4' } as const;

export const tradeRecords = endpoint({
  path: '/account/getTradeRecord',
  summary:
    'Movements, newest first: of all balances by their cause, or with `account` all movements of one account or of products. Interest, mining income, daily costs of funds and invitation rewards older than a year are combined into one row a month.',
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
      /** The cause of the ledger entry, e.g. `finance.bought`. */
      kind: z.string(),
      amount: decimalText,
      /** Balance of the same account after the ledger entry. */
      balance: decimalText,
      /** Balance that the ledger entry changed: `available`, `frozen`, or `locked` for products. */
      account: z.string(),
      /**
       * Id of the order or other subject of the ledger entry; empty if there is none, and if the entries that the
       * row sums up have different subjects.
       */
      refId: z.string(),
      createTime: instantMs,
      /**
       * Number of ledger entries of a month (UTC) that this row sums up, the newest at `createTime`; 1 for a
       * single entry.
       */
      entries: z.int(),
    }),
  ),
});

/**
 * Filters of an account's history. `products` is finance, mining, fund and launchpad together; `seconds`
 * includes transfers to and from the seconds account.
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
  account: z.enum(ACCOUNT_NAMES),
  currency: z.string(),
  /** Changed amount with sign, after fees; available, reserved and locked amounts together. */
  amount: decimalText,
});

export const accountEvents = endpoint({
  path: '/account/getEvents',
  summary:
    'Events of the accounts, newest first, one row for each trade, conversion, deposit, withdrawal, transfer, purchase or payment. Holds and releases of funds are only in `/account/getTradeRecord`.',
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
      /** Number of the ledger entry. */
      id: z.string(),
      event: z.enum(EVENT_FILTERS),
      /** The cause of the event, e.g. `finance.bought`. */
      kind: z.string(),
      /** Changes of balances by account and coin. */
      changes: z.array(eventChange),
      /** Fees that the event charged, included in `changes`. */
      fees: z.array(z.object({ currency: z.string(), amount: decimalText })),
      /** Id of the order or other subject of the event; empty if there is none. */
      refId: z.string(),
      createTime: instantMs,
    }),
  ),
});
