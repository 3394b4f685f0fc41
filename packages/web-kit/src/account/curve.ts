import { Decimal, sum } from '@exchange/core/decimal.ts';

/**
 * A user's total worth in USDT at a time in milliseconds UTC. The last point of a curve is the current worth;
 * its time is 0.
 */
export interface CurvePoint {
  readonly time: number;
  readonly total: string;
  /**
   * Deposits and other inflows from outside less outflows since the previous point, in USDT; not used for the
   * first point.
   */
  readonly netDeposits: string;
}

/**
 * The change of a user's total worth since the first point of the curve, split into profit and net deposits.
 */
interface PeriodProfit {
  /** Profit in USDT in the period. */
  readonly amount: string;
  /** Profit as a fraction of the invested amount; undefined when nothing was invested. */
  readonly fraction: string | undefined;
  /** Deposits and other inflows from outside less outflows, in USDT. */
  readonly netDeposits: string;
}

/**
 * Profit from the first point of a curve up to the point at `place`. Deposits and withdrawals do not count as
 * profit.
 */
export function profitUpTo(points: readonly CurvePoint[], place: number): PeriodProfit {
  const net = sum(points.slice(1, place + 1).map(({ netDeposits }) => Decimal.parse(netDeposits))).toString();
  const point = points[place]!;
  return { ...profitBetween(points[0]!.total, point.total, net), netDeposits: net };
}

/**
 * Profit between two totals in USDT: their difference minus the net deposits in between (`net`). The fraction
 * is relative to the opening total plus positive net deposits, truncated to six decimals; undefined if
 * that sum is not positive.
 */
export function profitBetween(before: string, after: string, net: string): Omit<PeriodProfit, 'netDeposits'> {
  const moved = Decimal.parse(net);
  const [start, end] = [Decimal.parse(before), Decimal.parse(after).minus(moved)];
  const earning = moved.isPositive() ? start.plus(moved) : start;
  const amount = end.minus(start);
  const fraction = earning.isPositive() ? amount.over(earning, 'down', 6).toString() : undefined;
  return { amount: amount.toString(), fraction };
}

/** A coin's worth in USDT over all accounts, and its fraction of the total. */
export interface CoinShare {
  /** Undefined for the entry that combines all remaining coins. */
  readonly coin: string | undefined;
  readonly total: string;
  readonly fraction: string;
}

/** The coins that are worth most over all accounts, and one entry for all remaining coins. */
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
