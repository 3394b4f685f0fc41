import {
  afterArrival,
  afterDeparture,
  afterPurchase,
  afterSale,
  type CoinCost,
} from '@exchange/core/cost.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { INCOME_SECTIONS, TAX_CURRENCY, type TaxSection } from '@exchange/core/tax.ts';
import type { TaxEvent } from './tax-events.ts';

/**
 * Amounts of a coin and their values in USDT in a year, by one cost method (first in, first out, or average cost).
 * Disposals do not include transfers.
 */
export interface YearTotals {
  /**
   * Amount held at the end of the year, the known cost of a part of it, and the amount of the remaining part, whose
   * cost is not known.
   */
  readonly quantity: Decimal;
  readonly cost: Decimal;
  readonly uncosted: Decimal;
  /** Amount that arrived by trades, after fees, and the known part of its cost in USDT. */
  readonly acquired: Decimal;
  readonly acquiredCost: Decimal;
  /** Amount of the coin from income and from gains of products, and its USDT value as far as it is known. */
  readonly income: Decimal;
  readonly incomeValue: Decimal;
  /**
   * Amount of the coin that arrived by transfers, such as deposits, and the known part of its cost in USDT:
   * the cost that the user entered, or for USDT the amount itself.
   */
  readonly arrived: Decimal;
  readonly arrivedCost: Decimal;
  /** Amount that left by transfers, such as withdrawals, and the known part of its cost in USDT. */
  readonly departed: Decimal;
  readonly departedCost: Decimal;
  /**
   * Amount sold or paid in trades and lost in products, with its USDT value at that time, as far as it is known, and
   * the known part of its cost.
   */
  readonly disposed: Decimal;
  readonly proceeds: Decimal;
  readonly disposedCost: Decimal;
  /**
   * Sum in USDT over the disposals with a known value: the proceeds of the part with a known cost, less this
   * cost.
   */
  readonly gain: Decimal;
  /** Proceeds in USDT of the disposed amount without a known cost; they are not part of `gain`. */
  readonly unknownProceeds: Decimal;
  /**
   * USDT value of the fees of trades and withdrawals, as far as it is known. The amounts and costs of these totals
   * already take the fees into account.
   */
  readonly fees: Decimal;
  /**
   * Number of events of the coin without a known value; transfers are not counted, and a summed row counts
   * once.
   */
  readonly unvalued: number;
}

/**
 * The amounts of a coin that a section (a kind of income, or a product) paid to a user and took from a user in a year,
 * with their known USDT values.
 */
export interface SectionTotals {
  readonly events: number;
  readonly gained: Decimal;
  readonly gainedValue: Decimal;
  readonly lost: Decimal;
  readonly lostValue: Decimal;
  readonly unvalued: number;
}

const { zero } = Decimal;
const PLACES = 8;

export const NO_TOTALS: YearTotals = {
  quantity: zero,
  cost: zero,
  uncosted: zero,
  acquired: zero,
  acquiredCost: zero,
  income: zero,
  incomeValue: zero,
  arrived: zero,
  arrivedCost: zero,
  departed: zero,
  departedCost: zero,
  disposed: zero,
  proceeds: zero,
  disposedCost: zero,
  gain: zero,
  unknownProceeds: zero,
  fees: zero,
  unvalued: 0,
};

export const NO_SECTION: SectionTotals = {
  events: 0,
  gained: zero,
  gainedValue: zero,
  lost: zero,
  lostValue: zero,
  unvalued: 0,
};

/** Totals at the start of the next year: the held amount and its cost remain, all other totals are zero. */
export function carriedOver({ quantity, cost, uncosted }: YearTotals): YearTotals {
  return {
    ...NO_TOTALS,
    quantity,
    cost,
    uncosted,
  };
}

/** Of the coins that leave: the amount with a known cost (`costed`), and this cost in USDT. */
export interface LeavingCost {
  readonly costed: Decimal;
  readonly cost: Decimal;
}

/**
 * The cost of arriving coins: for USDT the amount, for a transfer the cost that the user entered, otherwise the value.
 * Undefined if it is not known.
 */
export function arrivalCost(event: TaxEvent, enteredCost: Decimal | undefined): Decimal | undefined {
  if (event.asset === TAX_CURRENCY) return event.amount;
  return event.category === 'transfer' ? enteredCost : event.value?.value;
}

/**
 * The cost basis of a coin after an event, by the average cost method. Coins that leave with an unknown value change
 * the cost like a withdrawal, without a realized result; arriving coins of unknown cost are added without a cost.
 */
export function averageAfter(before: CoinCost, event: TaxEvent, enteredCost: Decimal | undefined): CoinCost {
  const { amount, category, value } = event;
  if (amount.isPositive()) {
    const cost = arrivalCost(event, enteredCost);
    return cost === undefined ? afterArrival(before, amount) : afterPurchase(before, amount, cost);
  }
  const removed = amount.absolute();
  return category === 'transfer' || value === undefined
    ? afterDeparture(before, removed)
    : afterSale(before, removed, value.value);
}

/**
 * For the coins that left between the states `before` and `after` an event, by the average cost method: the amount that
 * had a cost, and that cost.
 */
export function averageLeavingCost(before: CoinCost, after: CoinCost): LeavingCost {
  return { costed: before.amount.minus(after.amount), cost: before.cost.minus(after.cost) };
}

/**
 * Proceeds of disposed coins with a known cost, less this cost, and the proceeds of the other coins. The proceeds are
 * divided in proportion to the amounts, rounded down to 8 places.
 */
export function gainOf(
  amount: Decimal,
  proceeds: Decimal,
  { costed, cost }: LeavingCost,
): { readonly gain: Decimal; readonly unknownProceeds: Decimal } {
  if (costed.isZero()) return { gain: zero, unknownProceeds: proceeds };
  const earned = costed.equals(amount)
    ? proceeds
    : proceeds.times(costed, 'down').over(amount, 'down', PLACES);
  return { gain: earned.minus(cost), unknownProceeds: proceeds.minus(earned) };
}

/** The totals after an event by which coins arrived; `cost` is their cost in USDT, undefined if it is not known. */
export function totalsAfterArrival(
  before: YearTotals,
  event: TaxEvent,
  cost: Decimal | undefined,
): YearTotals {
  const { amount, category, fee } = event;
  const known = cost ?? zero;
  const isTransfer = category === 'transfer';
  const isTrade = category === 'trade';
  const isIncome = !isTransfer && !isTrade;
  return {
    ...before,
    quantity: before.quantity.plus(amount),
    cost: before.cost.plus(known),
    uncosted: cost === undefined ? before.uncosted.plus(amount) : before.uncosted,
    acquired: isTrade ? before.acquired.plus(amount) : before.acquired,
    acquiredCost: isTrade ? before.acquiredCost.plus(known) : before.acquiredCost,
    income: isIncome ? before.income.plus(amount) : before.income,
    incomeValue: isIncome ? before.incomeValue.plus(known) : before.incomeValue,
    arrived: isTransfer ? before.arrived.plus(amount) : before.arrived,
    arrivedCost: isTransfer ? before.arrivedCost.plus(known) : before.arrivedCost,
    fees: before.fees.plus(fee?.value ?? zero),
    unvalued: before.unvalued + (cost === undefined && !isTransfer ? 1 : 0),
  };
}

/** The totals after coins left at a cost: by a transfer, or by a disposal with its proceeds. */
export function totalsAfterLeaving(before: YearTotals, event: TaxEvent, leaving: LeavingCost): YearTotals {
  const { category, value, fee } = event;
  const amount = event.amount.absolute();
  const held = {
    quantity: before.quantity.minus(amount),
    cost: before.cost.minus(leaving.cost),
    uncosted: before.uncosted.minus(amount.minus(leaving.costed)),
    fees: before.fees.plus(fee?.value ?? zero),
  };
  if (category === 'transfer')
    return {
      ...before,
      quantity: held.quantity,
      cost: held.cost,
      uncosted: held.uncosted,
      fees: held.fees,
      departed: before.departed.plus(amount),
      departedCost: before.departedCost.plus(leaving.cost),
    };
  const proceeds = value?.value;
  const result = proceeds === undefined ? undefined : gainOf(amount, proceeds, leaving);
  return {
    ...before,
    quantity: held.quantity,
    cost: held.cost,
    uncosted: held.uncosted,
    fees: held.fees,
    disposed: before.disposed.plus(amount),
    proceeds: before.proceeds.plus(proceeds ?? zero),
    disposedCost: before.disposedCost.plus(leaving.cost),
    gain: before.gain.plus(result?.gain ?? zero),
    unknownProceeds: before.unknownProceeds.plus(result?.unknownProceeds ?? zero),
    unvalued: before.unvalued + (proceeds === undefined ? 1 : 0),
  };
}

/** The totals of an income or product section after one of its events has been added. */
export function sectionAfter(before: SectionTotals, { amount, value, entries }: TaxEvent): SectionTotals {
  const worth = value?.value ?? zero;
  const isGain = amount.isPositive();
  return {
    events: before.events + entries,
    gained: isGain ? before.gained.plus(amount) : before.gained,
    gainedValue: isGain ? before.gainedValue.plus(worth) : before.gainedValue,
    lost: isGain ? before.lost : before.lost.plus(amount.absolute()),
    lostValue: isGain ? before.lostValue : before.lostValue.plus(worth),
    unvalued: before.unvalued + (value === undefined ? entries : 0),
  };
}

/** Whether a section is income and not the result of a product. */
export function isIncomeSection(section: TaxSection): boolean {
  return INCOME_SECTIONS.some((income) => income === section);
}
