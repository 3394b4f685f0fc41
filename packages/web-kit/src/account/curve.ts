import { Decimal, sum } from '@exchange/core/decimal.ts';

/**
 * The total value in USDT of a user's accounts at a time in milliseconds UTC. The last point of a curve is the current
 * value, and its time is 0.
 */
export interface CurvePoint {
  readonly time: number;
  readonly total: string;
  /**
   * Deposits and other inflows from outside minus outflows since the previous point, in USDT. The value of the first
   * point is not used.
   */
  readonly netDeposits: string;
}

/**
 * The change of the total value of a user's accounts in USDT from the first point of a curve to a later one,
 * split into profit and net deposits.
 */
interface PeriodProfit {
  /** Profit of the period in USDT. */
  readonly amount: string;
  /**
   * Profit as a fraction of the total value at the first point, plus the net deposits if they are positive; undefined
   * if that sum is not positive.
   */
  readonly fraction: string | undefined;
  /** Deposits and other inflows from outside minus outflows in the period, in USDT. */
  readonly netDeposits: string;
}

/**
 * Computes the profit, in USDT and as a fraction, from the first point of a curve to the point with index
 * `place`, and the net deposits in between. Deposits and withdrawals do not count as profit.
 */
export function profitUpTo(points: readonly CurvePoint[], place: number): PeriodProfit {
  const net = sum(points.slice(1, place + 1).map(({ netDeposits }) => Decimal.parse(netDeposits))).toString();
  const point = points[place]!;
  return { ...profitBetween(points[0]!.total, point.total, net), netDeposits: net };
}

/**
 * Computes the profit between two total values in USDT: their difference minus the net deposits between them (`net`).
 * The fraction is relative to the first total, plus the net deposits if they are positive. It is truncated to six
 * decimals, and undefined if its divisor is not positive.
 */
export function profitBetween(before: string, after: string, net: string): Omit<PeriodProfit, 'netDeposits'> {
  const moved = Decimal.parse(net);
  const [start, end] = [Decimal.parse(before), Decimal.parse(after).minus(moved)];
  const earning = moved.isPositive() ? start.plus(moved) : start;
  const amount = end.minus(start);
  const fraction = earning.isPositive() ? amount.over(earning, 'down', 6).toString() : undefined;
  return { amount: amount.toString(), fraction };
}

/** The value of a coin in USDT over all accounts, and its fraction of the total value. */
export interface CoinShare {
  /** Code of the coin; undefined for the entry that combines all remaining coins. */
  readonly coin: string | undefined;
  readonly total: string;
  readonly fraction: string;
}

/**
 * Returns the `maxCoins` coins with the highest values over all accounts, highest first, and one last entry
 * for all other coins together if there are any. Coins without a positive value are left out.
 */
export function coinShares(
  holdings: readonly { readonly currency: string; readonly total: string }[],
  maxCoins: number,
): CoinShare[] {
  const byCoin = new Map<string, Decimal>();
  for (const { currency, total } of holdings)
    byCoin.set(currency, (byCoin.get(currency) ?? Decimal.zero).plus(Decimal.parse(total)));
  const sorted = [...byCoin]
    .filter(([, total]) => total.isPositive())
    .toSorted(([one, a], [other, b]) => b.compare(a) || one.localeCompare(other));
  const wholeTotal = sorted.reduce((sum, [, total]) => sum.plus(total), Decimal.zero);
  const restTotal = sorted.slice(maxCoins).reduce((sum, [, total]) => sum.plus(total), Decimal.zero);
  const entries: [string | undefined, Decimal][] = sorted.slice(0, maxCoins);
  if (restTotal.isPositive()) entries.push([undefined, restTotal]);
  return entries.map(([coin, total]) => ({
    coin,
    total: total.toString(),
    fraction: total.over(wholeTotal, 'down', 6).toString(),
  }));
}
