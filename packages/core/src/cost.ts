import { Decimal, least } from './decimal.ts';
import { feeOn } from './fee.ts';

/** Cost basis of the purchased coins that a user still has, by the average cost method. */
export interface Cost {
  readonly amount: Decimal;
  /** Total purchase cost of the coins in USDT, fees included. */
  readonly cost: Decimal;
  /** Realized profit of earlier sales in USDT, after fees; negative for a loss. */
  readonly realized: Decimal;
}

/**
 * Cost basis of all coins of one asset that a user has. Coins that the user did not purchase or convert (deposits,
 * rewards, interest) have no cost. They change neither the average cost nor the profit.
 */
export interface CoinCost extends Cost {
  /** Number of remaining coins that were received without a purchase. */
  readonly uncosted: Decimal;
}

const PLACES = 8;

export const NO_COST: CoinCost = {
  amount: Decimal.zero,
  cost: Decimal.zero,
  realized: Decimal.zero,
  uncosted: Decimal.zero,
};

/** Adds a purchase to the cost basis of a coin: `amount` coins after the fee, for a value of `value` USDT. */
export function afterPurchase(before: CoinCost, amount: Decimal, value: Decimal): CoinCost {
  return { ...before, amount: before.amount.plus(amount), cost: before.cost.plus(value) };
}

/**
 * Returns the cost basis of a coin after a sale of `amount` coins for `value` USDT after the fee. Coins with
 * a cost are sold first. Their proportional part of `value`, less their cost, is added to the realized
 * profit; coins without a cost realize none. A part of `amount` that exceeds all remaining coins is ignored.
 */
export function afterSale(before: CoinCost, amount: Decimal, value: Decimal): CoinCost {
  const counted = least(amount, before.amount);
  const uncosted = before.uncosted.minus(least(amount.minus(counted), before.uncosted));
  if (counted.isZero()) return { ...before, uncosted };
  const cost = costOf(before, counted);
  const earned = value.times(counted, 'down').over(amount, 'down', PLACES);
  return {
    amount: before.amount.minus(counted),
    cost: before.cost.minus(cost),
    realized: before.realized.plus(earned).minus(cost),
    uncosted,
  };
}

/** Adds `amount` coins that arrived without a cost, such as a deposit, and returns the new cost basis. */
export function afterArrival(before: CoinCost, amount: Decimal): CoinCost {
  return { ...before, uncosted: before.uncosted.plus(amount) };
}

/**
 * Subtracts `amount` coins, at most all, that left without a sale, for example by a withdrawal. Coins with and without
 * a cost leave in proportion, each with its share of the cost. The average cost does not change and no profit is
 * realized.
 */
export function afterDeparture(before: CoinCost, amount: Decimal): CoinCost {
  const total = before.amount.plus(before.uncosted);
  if (total.isZero()) return before;
  const left = least(amount, total);
  const bought = left.equals(total) ? before.amount : before.amount.times(left, 'down').over(total, 'down');
  return {
    ...before,
    amount: before.amount.minus(bought),
    cost: bought.isZero() ? before.cost : before.cost.minus(costOf(before, bought)),
    uncosted: before.uncosted.minus(left.minus(bought)),
  };
}

/** Returns the average cost of the coins with a cost, in USDT per coin, rounded up; undefined if there are none. */
export function averageCost({ amount, cost }: Cost): Decimal | undefined {
  return amount.isZero() ? undefined : cost.over(amount, 'up', PLACES);
}

/**
 * Returns the unrealized profit in USDT (negative for a loss) and the cost of the coins with a cost. At most `held` of
 * them count. The profit is net of fees: those paid are part of the cost, and the sale of the coins at `price` would
 * pay the rate `sellingFee`, a fraction such as 0.001. Returns undefined if no coin counts.
 */
export function openProfit(
  basis: Cost,
  held: Decimal,
  { price, sellingFee }: { readonly price: Decimal; readonly sellingFee: Decimal },
): { readonly profit: Decimal; readonly cost: Decimal } | undefined {
  const counted = least(held, basis.amount);
  if (counted.isZero()) return undefined;
  const cost = costOf(basis, counted);
  const value = counted.times(price, 'down', PLACES);
  return { cost, profit: value.minus(feeOn(value, sellingFee)).minus(cost) };
}

/**
 * Returns the share of the purchase cost that belongs to `part` coins, rounded up. For all coins it is the whole cost.
 */
function costOf({ amount, cost }: Cost, part: Decimal): Decimal {
  return part.equals(amount) ? cost : least(cost, cost.times(part, 'up').over(amount, 'up', PLACES));
}
