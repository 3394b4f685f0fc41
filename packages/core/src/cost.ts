import { Decimal, least } from './decimal.ts';

/**
 * What coins of one kind cost that were bought by trading and are not sold yet: the average cost method. Coins that came
 * otherwise (deposits, products, rewards) have no cost known here and do not count.
 */
export interface Cost {
  /** How many of them, in the coin. */
  readonly amount: Decimal;
  /** What they cost in USDT, fees included. */
  readonly cost: Decimal;
  /** What sales of such coins have earned so far, in USDT after fees; negative for a loss. */
  readonly realized: Decimal;
}

const PLACES = 8;

export const NO_COST: Cost = { amount: Decimal.zero, cost: Decimal.zero, realized: Decimal.zero };

/** After coins were bought: `amount` arrived after the fee, for what was worth `value` in USDT. */
export function afterPurchase(before: Cost, amount: Decimal, value: Decimal): Cost {
  return { ...before, amount: before.amount.plus(amount), cost: before.cost.plus(value) };
}

/** After coins were sold: `amount` went, and what was worth `value` in USDT arrived after the fee. What was not bought goes last. */
export function afterSale(before: Cost, amount: Decimal, value: Decimal): Cost {
  const counted = least(amount, before.amount);
  if (counted.isZero()) return before;
  const cost = costOf(before, counted);
  const earned = value.times(counted, 'down').over(amount, 'down', PLACES);
  return {
    amount: before.amount.minus(counted),
    cost: before.cost.minus(cost),
    realized: before.realized.plus(earned).minus(cost),
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
