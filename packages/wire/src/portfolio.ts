import { ACCOUNT_NAMES } from '@exchange/core/accounts.ts';
import * as z from 'zod/mini';
import { coin, decimalText, instantMs, whole } from './codecs.ts';
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
         * Amount that orders and withdrawals reserve, in units of the coin `currency`. For products: the
         * amount staked, invested or committed; for funds: the equity of the positions.
         */
        frozen: decimalText,
        /** Price of one coin in USDT; 0 if the price is unknown, and the value of the balance is then 0. */
        price: decimalText,
        total: decimalText,
      }),
    ),
    /** Time at which the balances and prices were read. */
    time: instantMs,
    /** Total value of all balances in USDT; a coin without a price counts as zero. */
    total: decimalText,
    /** Total value of all balances in BTC; 0 while BTC has no price. */
    totalBtc: decimalText,
    /**
     * The newest stored value of the account at the end of a UTC day, normally of yesterday, and the net
     * inflows since then (`netDeposits`). Null if no value is stored, for example if the account was opened
     * today.
     */
    last: z.nullable(
      z.object({
        /** End of the UTC day to which the value belongs. */
        time: instantMs,
        /** Total value of the account at `time`, in USDT. */
        total: decimalText,
        /**
         * Deposits, demo funds of the faucet, inventories of market makers, corrections and transfers from
         * the person's other accounts (main account and sub-accounts), less withdrawals and transfers to
         * those accounts, since the value was computed shortly after `time`; in USDT at present prices. Can
         * be negative.
         */
        netDeposits: decimalText,
      }),
    ),
  }),
});

export const coinCosts = endpoint({
  path: '/account/getCosts',
  summary:
    'The cost basis in USDT of coins acquired by purchase or conversion, by the average cost method, and the realized profit of their sales and conversions, of the main account and its sub-accounts together. Coins received otherwise have no cost and do not count; coins that leave without a sale reduce the cost in proportion.',
  access: USER,
  charge: signedInRead(5),
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        currency: z.string(),
        /**
         * Amount of the coin that was bought and is still held on the main account and the sub-accounts together; only
         * for this amount the cost is known.
         */
        amount: decimalText,
        /** Purchase cost in USDT of the coins that `amount` counts, including fees. */
        cost: decimalText,
        /**
         * Profit of all sales of the coin from the main account and the sub-accounts, in USDT, after fees; negative for
         * a loss.
         */
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
         * Inflows less outflows since the previous row, in USDT. Inflows are deposits, faucet, inventories of
         * market makers, corrections, and transfers from the person's other accounts (main account and
         * sub-accounts); outflows are withdrawals and transfers to those accounts. The profit of a period is
         * the change of `total` less the sum of these values, without the value of the period's first row.
         */
        netDeposits: decimalText,
      }),
    ),
    /**
     * The value of the account at the last 00:00 UTC and the net inflows since then (`netDeposits`), from
     * which today's change is calculated; null if that value is not stored.
     */
    today: z.nullable(
      z.object({
        /** Total value of the account at 00:00 UTC, in USDT. */
        total: decimalText,
        /**
         * Deposits, demo funds of the faucet, inventories of market makers, corrections and transfers from
         * the person's other accounts (main account and sub-accounts), less withdrawals and transfers to
         * those accounts, since the value was computed shortly after 00:00 UTC; in USDT at present prices.
         * Can be negative.
         */
        netDeposits: decimalText,
      }),
    ),
  }),
});

/**
 * Values of the filter `type` of an account's ledger entries: 1 spot trading, 2 seconds contract, 3 fixed-term
 * products, mining, funds and token sales, 4 all entries, including others.
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
      /** The kind of the event that made the ledger entry, such as `finance.bought`. */
      kind: z.string(),
      amount: decimalText,
      /** Balance, after the ledger entry, of the part of the account that `account` states. */
      balance: decimalText,
      /** The part of the account that the ledger entry changed: `available`, `frozen`, or `locked` for products. */
      account: z.string(),
      /**
       * ID of the order or other object that the ledger entry is about. Empty if there is none, or if the row sums up
       * entries about different objects.
       */
      refId: z.string(),
      createTime: instantMs,
      /**
       * Number of ledger entries that this row sums up, all of one month (UTC), the newest at `createTime`; 1 if the
       * row is a single entry.
       */
      entries: z.int(),
    }),
  ),
});

/**
 * Filters of an account's history. `products` covers fixed-term products, mining, funds and launchpad; `seconds` covers
 * also transfers to and from the seconds account.
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
  /**
   * Change of the account's balance of `currency`, in units of this coin, with its sign and after fees; the
   * sum over available, reserved and locked amounts.
   */
  amount: decimalText,
});

export const accountEvents = endpoint({
  path: '/account/getEvents',
  summary:
    'Events of the accounts, newest first, one row for each trade, conversion, deposit, withdrawal, transfer, purchase or payment. Holds and releases of funds are only in `/account/getTradeRecord`. With `entry`, only the event of this ledger entry, whatever the other filters; it may be one of a sub-account.',
  access: USER,
  charge: signedInRead(2),
  fields: {
    event: z.optional(z.enum(EVENT_FILTERS, 'l.field_choice')),
    entry: z.optional(whole(1, 999_999_999_999_999)),
    currency: z.optional(coin),
    ...pagingFields,
    ...periodFields,
  },
  data: pageOf(
    z.object({
      /**
       * Number of the ledger entry of the event; the request field `entry` selects the event by this number.
       */
      id: z.string(),
      event: z.enum(EVENT_FILTERS),
      /** The kind of the event that changed the balances, such as `finance.bought`. */
      kind: z.string(),
      /** Changes of balances that the event made, by account and coin. */
      changes: z.array(eventChange),
      /** Fees that the event charged; `changes` includes them. */
      fees: z.array(z.object({ currency: z.string(), amount: decimalText })),
      /** ID of the order or other object that the event is about; empty if there is none. */
      refId: z.string(),
      /** Name of the sub-account whose event this is; empty if it is one of the main account. */
      subAccount: z.string(),
      createTime: instantMs,
    }),
  ),
});
