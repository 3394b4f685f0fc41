import { TAX_METHODS, TAX_SECTIONS } from '@exchange/core/tax.ts';
import * as z from 'zod/mini';
import { coin, decimalOrNone, decimalText, instantMs, text, whole } from './codecs.ts';
import { csvEndpoint, endpoint, pdfEndpoint, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields, periodEnd } from './paging.ts';

/**
 * Rate-limit charge of requests that change a cost; it is high, because the tax figures of all years are then
 * calculated again.
 */
const costChange: Charge = { limit: 'transfer', weight: 5 };

const FIRST_YEAR = 2009;
const LAST_YEAR = 2100;
const year = whole(FIRST_YEAR, LAST_YEAR);
const method = z._default(z.enum(TAX_METHODS, 'l.field_choice'), 'fifo');

/**
 * ID of a disposal, a lot, or coins that were transferred in: the number of the ledger entry and the coin, such as
 * `1234-BTC`.
 */
const eventId = z
  .string('l.field_required')
  .check(z.regex(/^\d{1,15}-[A-Za-z0-9]{2,10}$/, 'l.field_invalid'));

const coinYear = z.object({
  currency: z.string(),
  /**
   * Amount of the coin at the beginning of the year; `openCost` is its known cost, `openUncosted` the part
   * whose cost is unknown. In this and the following fields, amounts are in the coin, and costs, values and
   * proceeds in USDT.
   */
  openQuantity: decimalText,
  openCost: decimalText,
  openUncosted: decimalText,
  /**
   * Amount of coins acquired by trades, conversions and token sales; `acquiredCost` is their known cost in
   * USDT, including fees.
   */
  acquired: decimalText,
  acquiredCost: decimalText,
  /**
   * Amount received as interest, mining income, rebates and gains of products; `incomeValue` is the known part of its
   * value in USDT at the time of receipt.
   */
  income: decimalText,
  incomeValue: decimalText,
  /**
   * Amount transferred in from outside the user's accounts, for example by deposits; `arrivedCost` is its
   * cost: as the user has entered it, for USDT the amount itself.
   */
  arrived: decimalText,
  arrivedCost: decimalText,
  /**
   * Amount transferred out of the user's accounts, for example by withdrawals; `departedCost` is its cost
   * in USDT.
   */
  departed: decimalText,
  departedCost: decimalText,
  /**
   * Amount sold, converted, paid in token sales, or lost by products; `proceeds` are its known proceeds in
   * USDT after fees, `disposedCost` is its known cost in USDT.
   */
  disposed: decimalText,
  proceeds: decimalText,
  disposedCost: decimalText,
  /**
   * Proceeds less cost of the disposed coins whose cost is known, in USDT; negative for a loss.
   */
  gain: decimalText,
  /** Proceeds in USDT of the disposed coins whose cost is unknown. */
  unknownProceeds: decimalText,
  /**
   * Known value in USDT of the fees of trades and withdrawals. `acquiredCost` and `proceeds` include the fees
   * of trades, too.
   */
  fees: decimalText,
  /**
   * Number of trades, incomes and results of products for which no value is stored; the figures of the coin include
   * their amounts, but not their values, except for the known cost of coins that left.
   */
  unvalued: z.int(),
  /**
   * Amount of the coin at the end of the year (for the current year: now); `cost` is its known cost in USDT,
   * `uncosted` the part of the amount whose cost is unknown.
   */
  quantity: decimalText,
  cost: decimalText,
  uncosted: decimalText,
});

export const taxYear = endpoint({
  path: '/account/getTaxYear',
  summary:
    'A year of the caller for a tax return, in the time zone that the caller has chosen, by default UTC, of the main account and its sub-accounts together: amounts, costs and realised gains by coin, and income and results of products by section, all values in USDT. `computing` without rows while the books are being counted.',
  access: USER,
  charge: signedInRead(5),
  fields: { year: z.optional(year), method },
  data: z.object({
    status: z.enum(['ready', 'computing']),
    year: z.int(),
    /** The years in which the caller had events, and the current year, newest first. */
    years: z.array(z.int()),
    method: z.enum(TAX_METHODS),
    /** Time zone in which the year begins and ends, an IANA name. */
    timeZone: z.string(),
    /**
     * Number of the caller's sub-accounts. All figures are those of the main account and the sub-accounts together;
     * transfers between them are no events.
     */
    subAccounts: z.int(),
    /** Currency of all values in the response. */
    currency: z.string(),
    coins: z.array(coinYear),
    sections: z.array(
      z.object({
        section: z.enum(TAX_SECTIONS),
        currency: z.string(),
        events: z.int(),
        gained: decimalText,
        /** Known value of the gains in this section when they were received, in USDT. */
        gainedValue: decimalText,
        lost: decimalText,
        lostValue: decimalText,
        /** Number of events in this section for which no value is stored. */
        unvalued: z.int(),
      }),
    ),
    totals: z.object({
      proceeds: decimalText,
      disposedCost: decimalText,
      gain: decimalText,
      unknownProceeds: decimalText,
      /** Known value in USDT of the income of the year: interest, mining income and rebates. */
      income: decimalText,
      /**
       * Known gains in USDT from the seconds contract and from leveraged funds; `productLosses` are the known
       * losses as a positive number.
       */
      productGains: decimalText,
      productLosses: decimalText,
      fees: decimalText,
      /** Number of events of the year for which no value is stored, summed over all coins. */
      unvalued: z.int(),
    }),
  }),
});

/** Kinds of a disposal or a lot; the kind determines its displayed name and the list in which its record is. */
const SOURCES = [
  'trade',
  'convert',
  'deposit',
  'withdrawal',
  'income',
  'seconds',
  'fund',
  'launchpad',
  'other',
] as const;
export type TaxSource = (typeof SOURCES)[number];

/**
 * Common fields of a disposal, a lot and coins transferred in: its ID, and the kind and the ID of the trade, transfer
 * or other object that caused it.
 */
const taxEvent = z.object({
  id: z.string(),
  source: z.enum(SOURCES),
  /**
   * Kind of the event that made the ledger entry, such as `spot.traded`; `refId` is the ID of its trade, order,
   * transfer or other object, empty if there is none.
   */
  kind: z.string(),
  refId: z.string(),
  /** Name of the caller's sub-account in which the event happened; empty for the main account. */
  subAccount: z.string(),
});

export const taxDisposals = endpoint({
  path: '/account/getTaxDisposals',
  summary:
    'Coins that the caller sold, converted or lost in a year, in the time zone of their tax years, with their result, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: {
    year,
    method,
    currency: z.optional(coin),
    ...pagingFields,
  },
  data: pageOf(
    z.extend(taxEvent, {
      time: instantMs,
      currency: z.string(),
      amount: decimalText,
      /** Value in USDT received for the coins, after fees; null if no value is stored. */
      proceeds: z.nullable(decimalText),
      /** Part of the amount whose cost is known; `cost` is its cost in USDT. */
      costedAmount: decimalText,
      cost: decimalText,
      /**
       * Gain in USDT of the part whose cost is known; null if that part is zero or the proceeds are unknown.
       */
      gain: z.nullable(decimalText),
    }),
  ),
});

export const taxLots = endpoint({
  path: '/account/getTaxLots',
  summary: 'The lots from which a disposal took its coins by first in, first out, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: { eventId, ...pagingFields },
  data: pageOf(
    z.extend(taxEvent, {
      /**
       * Time at which the coins arrived; `acquireTime` is the time of their acquisition, which the user may have
       * entered.
       */
      arriveTime: instantMs,
      acquireTime: instantMs,
      /**
       * Amount that the disposal took from this lot; `cost` is its share of the lot's cost in USDT, null if
       * that is unknown.
       */
      amount: decimalText,
      cost: z.nullable(decimalText),
      /** Total amount of the lot when it arrived. */
      lotAmount: decimalText,
    }),
  ),
});

export const taxArrivals = endpoint({
  path: '/account/getTaxArrivals',
  summary:
    'Coins that were transferred to the caller, whose cost the exchange does not know, with the cost that the caller entered; newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: pagingFields,
  data: pageOf(
    z.extend(taxEvent, {
      time: instantMs,
      currency: z.string(),
      amount: decimalText,
      /** Cost in USDT that the user has entered for the whole amount; null if none was entered. */
      cost: z.nullable(decimalText),
      /** Time of the acquisition that the user has entered; null if none was entered. */
      acquireTime: z.nullable(instantMs),
    }),
  ),
});

export const setTaxCost = endpoint({
  path: '/account/setTaxCost',
  summary:
    'Sets what coins cost that were transferred to the caller, in USDT, and when the caller acquired them. All years are counted again. Repeating it changes nothing.',
  access: USER,
  charge: costChange,
  fields: { eventId, cost: decimalOrNone, acquireTime: periodEnd },
  data: z.object({}),
});

export const removeTaxCost = endpoint({
  path: '/account/removeTaxCost',
  summary: 'Removes the entered cost of coins that were transferred to the caller.',
  access: USER,
  charge: costChange,
  fields: { eventId },
  data: z.object({}),
});

export const setTaxZone = endpoint({
  path: '/account/setTaxZone',
  summary:
    'Sets the time zone in which the tax years of the caller begin and end. All years are counted again. Repeating it changes nothing.',
  access: USER,
  charge: costChange,
  fields: {
    /** IANA name of a time zone, such as `Europe/Berlin`. Before the first call, an account has `UTC`. */
    timeZone: text(64),
  },
  data: z.object({}),
});

/**
 * Kinds of tax files: disposals (by first in, first out with their lots), totals by coin, and the import formats of tax
 * programs.
 */
export const TAX_FILES = ['gains', 'summary', 'koinly', 'coinTracking', 'coinLedger'] as const;

export const exportTax = csvEndpoint({
  path: '/account/getTaxFile',
  summary:
    'A year of the caller, in the time zone of their tax years, as a CSV file with times in UTC, oldest first, one export at a time: `gains` (disposals, by FIFO with their lots), `summary` (totals by coin), or all events in the columns of the import of Koinly, CoinTracking or CoinLedger.',
  access: USER,
  charge: signedInRead(120),
  costOf: () => ({ isHeavy: true }),
  fields: { year, method, report: z.enum(TAX_FILES, 'l.field_choice') },
});

export const taxStatement = pdfEndpoint({
  path: '/account/getTaxStatement',
  summary:
    'A year of the caller, in the time zone of their tax years, as a PDF document: totals, coins, income and results of products. Its last line is a comment with the SHA-256 of everything before it and a signature that `/proof/keys` verifies.',
  access: USER,
  charge: signedInRead(20),
  costOf: () => ({ isHeavy: true }),
  fields: { year, method },
});
