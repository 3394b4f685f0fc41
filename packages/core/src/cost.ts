import { Decimal, least } from './decimal.ts';

/** What coins of one kind cost that were bought and are not sold yet: the average cost method. */
export interface Cost {
  /** How many of them, in the coin. */
  readonly amount: Decimal;
  /** What they cost in USDT, fees included. */
  readonly cost: Decimal;
  /** What sales of such coins have earned so far, in USDT after fees; negative for a loss. */
  readonly realized: Decimal;
}

/**
 * All coins of one kind that a user has. Coins that came otherwise than by a purchase or a conversion (deposits, rewards,
 * interest, income) have no cost: they change neither the average cost nor the profit.
 */
export interface CoinCost extends Cost {
  /** How many came without a cost and are still there, in the coin. */
  readonly uncosted: Decimal;
}

const PLACES = 8;

export const NO_COST: CoinCost = {
  amount: Decimal.zero,
  cost: Decimal.zero,
  realized: Decimal.zero,
  uncosted: Decimal.zero,
};

/** After coins were bought: `amount` arrived after the fee, for what was worth `value` in USDT. */
export function afterPurchase(before: CoinCost, amount: Decimal, value: Decimal): CoinCost {
  return { ...before, amount: before.amount.plus(amount), cost: before.cost.plus(value) };
}

/**
 * After coins were sold: `amount` left, and what was worth `value` in USDT arrived after the fee. Bought coins are sold
 * before those without a cost; the profit is of the bought ones.
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

/** After `amount` coins came without a cost. */
export function afterArrival(before: CoinCost, amount: Decimal): CoinCost {
  return { ...before, uncosted: before.uncosted.plus(amount) };
}

/**
 * After `amount` coins left without being sold, by a withdrawal for instance: bought ones and those without a cost leave in
 * their proportion, with their share of the cost. The average cost stays, and nothing is earned or lost.
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

/** What one of the coins cost on average, in USDT, rounded up; undefined where none was bought. */
export function averageCost({ amount, cost }: Cost): Decimal | undefined {
  return amount.isZero() ? undefined : cost.over(amount, 'up', PLACES);
}

/**
 * What those of `held` coins that were bought would earn if they were sold at `price`, in USDT before fees, and what they
 * cost; undefined where none of them was bought.
 */
export function openProfit(
  of: Cost,
  held: Decimal,
  price: Decimal,
): { readonly profit: Decimal; readonly cost: Decimal } | undefined {
  const counted = least(held, of.amount);
  if (counted.isZero()) return undefined;
  const cost = costOf(of, counted);
  return { cost, profit: counted.times(price, 'down', PLACES).minus(cost) };
}

/** What `amount` of the coins cost, rounded up; all of the cost for all of the coins. */
function costOf({ amount, cost }: Cost, part: Decimal): Decimal {
  return part.equals(amount) ? cost : least(cost, cost.times(part, 'up').over(amount, 'up', PLACES));
}
