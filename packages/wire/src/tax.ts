import { TAX_METHODS, TAX_SECTIONS } from '@exchange/core/tax.ts';
import * as z from 'zod/mini';
import { coin, decimalOrNone, decimalText, instantMs, whole } from './codecs.ts';
import { csvEndpoint, endpoint, pdfEndpoint, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields, periodEnd } from './paging.ts';

/** Changing a cost counts the books of all years again. */
const costChange: Charge = { limit: 'transfer', weight: 5 };

const FIRST_YEAR = 2009;
const LAST_YEAR = 2100;
const year = whole(FIRST_YEAR, LAST_YEAR);
const method = z._default(z.enum(TAX_METHODS, 'l.field_choice'), 'fifo');

/** A ledger entry and a coin, such as `1234-BTC`: a disposal, a lot, or coins that were transferred in. */
const eventId = z
  .string('l.field_required')
  .check(z.regex(/^\d{1,15}-[A-Za-z0-9]{2,10}$/, 'l.field_invalid'));

const coinYear = z.object({
  currency: z.string(),
  /** Amount at the start of the year, its known cost, and the part of it whose cost is not known. */
  openQuantity: decimalText,
  openCost: decimalText,
  openUncosted: decimalText,
  /** Coins acquired by trades, conversions and token sales, and their known cost including fees. */
  acquired: decimalText,
  acquiredCost: decimalText,
  /** Interest, mining income, rebates and gains of products, and the known part of their value when received. */
  income: decimalText,
  incomeValue: decimalText,
  /** Transfers from other owners, such as deposits, and their cost: as the user entered it, for USDT the amount. */
  arrived: decimalText,
  arrivedCost: decimalText,
  /** Transfers to other owners, such as withdrawals, and the cost that left with them. */
  departed: decimalText,
  departedCost: decimalText,
  /** Coins sold, converted, paid in token sales, or lost by products; known proceeds after fees, and known cost. */
  disposed: decimalText,
  proceeds: decimalText,
  disposedCost: decimalText,
  /** Proceeds less cost of disposed coins with a known cost; negative for a loss. */
  gain: decimalText,
  /** Proceeds of disposed coins whose cost is not known. */
  unknownProceeds: decimalText,
  /** Known value of fees of trades and withdrawals; costs and proceeds already include those of trades. */
  fees: decimalText,
  /**
   * Number of trades, incomes and results of products without a stored value; only their amounts count, and the
   * known cost of coins that left.
   */
  unvalued: z.int(),
  /** Amount at the end of the year, or now, its known cost, and the part of it whose cost is not known. */
  quantity: decimalText,
  cost: decimalText,
  uncosted: decimalText,
});

export const taxYear = endpoint({
  path: '/account/getTaxYear',
  summary:
    'A year (UTC) of the caller for a tax return: amounts, costs and realised gains by coin, and income and results of products by section, all values in USDT. `computing` without rows while the books are being counted.',
  access: USER,
  charge: signedInRead(5),
  fields: { year: z.optional(year), method },
  data: z.object({
    status: z.enum(['ready', 'computing']),
    year: z.int(),
    /** Years with events of the caller and the current year, newest first. */
    years: z.array(z.int()),
    method: z.enum(TAX_METHODS),
    /** Currency of all values. */
    currency: z.string(),
    coins: z.array(coinYear),
    sections: z.array(
      z.object({
        section: z.enum(TAX_SECTIONS),
        currency: z.string(),
        events: z.int(),
        gained: decimalText,
        /** Known value of the gains when received. */
        gainedValue: decimalText,
        lost: decimalText,
        lostValue: decimalText,
        /** Number of events without a stored value. */
        unvalued: z.int(),
      }),
    ),
    totals: z.object({
      proceeds: decimalText,
      disposedCost: decimalText,
      gain: decimalText,
      unknownProceeds: decimalText,
      /** Interest, mining income and rebates. */
      income: decimalText,
      /** Gains and losses of seconds contracts and leveraged funds. */
      productGains: decimalText,
      productLosses: decimalText,
      fees: decimalText,
      /** Number of events without a stored value. */
      unvalued: z.int(),
    }),
  }),
});

/** What a disposal or a lot is, for its name and the list that shows its record. */
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

/** A disposal, a lot or an arrival, and the record that it belongs to. */
const taxEvent = z.object({
  id: z.string(),
  source: z.enum(SOURCES),
  /**
   * Cause of the ledger entry, e.g. `spot.traded`, and the id of its trade, order, transfer or other subject; the
   * id is empty if there is none.
   */
  kind: z.string(),
  refId: z.string(),
});

export const taxDisposals = endpoint({
  path: '/account/getTaxDisposals',
  summary: 'Coins that the caller sold, converted or lost in a year (UTC) with their result, newest first.',
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
      /** Value received, after fees; null if none is stored. */
      proceeds: z.nullable(decimalText),
      /** Amount whose cost is known, and this cost. */
      costedAmount: decimalText,
      cost: decimalText,
      /** Result of the amount whose cost is known; null if that amount is zero or the proceeds are not known. */
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
      /** Time at which the coins arrived, and of their acquisition, which the user may have entered. */
      arriveTime: instantMs,
      acquireTime: instantMs,
      /** Amount taken from the lot, and its share of the lot's cost; null if that is not known. */
      amount: decimalText,
      cost: z.nullable(decimalText),
      /** Whole amount of the lot when it arrived. */
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
      /** Entered cost in USDT of the whole amount; null if none was entered. */
      cost: z.nullable(decimalText),
      /** Entered time of the acquisition; null if none was entered. */
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

/** Tax files: disposals with their lots, totals by coin, and import formats of tax programs. */
export const TAX_FILES = ['gains', 'summary', 'koinly', 'coinTracking', 'coinLedger'] as const;

export const exportTax = csvEndpoint({
  path: '/account/getTaxFile',
  summary:
    'A year (UTC) of the caller as a CSV file, oldest first, one export at a time: `gains` (disposals, by FIFO with their lots), `summary` (totals by coin), or all events in the columns of the import of Koinly, CoinTracking or CoinLedger.',
  access: USER,
  charge: signedInRead(120),
  costOf: () => ({ isHeavy: true }),
  fields: { year, method, report: z.enum(TAX_FILES, 'l.field_choice') },
});

export const taxStatement = pdfEndpoint({
  path: '/account/getTaxStatement',
  summary:
    'A year (UTC) of the caller as a PDF document: totals, coins, income and results of products. Its last line is a comment with the SHA-256 of everything before it and a signature that `/proof/keys` verifies.',
  access: USER,
  charge: signedInRead(20),
  costOf: () => ({ isHeavy: true }),
  fields: { year, method },
});
