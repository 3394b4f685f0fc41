import { Decimal, sum } from '@exchange/core/decimal.ts';

/** What everything was worth at a moment; the last point of a curve is now. */
export interface CurvePoint {
  /** Milliseconds UTC. */
  readonly time: number;
  /** In USDT. */
  readonly total: string;
  /** What came from outside since the point before less what left, in USDT; that of a first point counts nothing. */
  readonly netDeposits: string;
}

/** The change of a curve from its first point to another: what was earned, and what came in and is no profit. */
interface PeriodProfit {
  /** In USDT. */
  readonly amount: string;
  /** Share of what could earn; undefined where there was nothing. */
  readonly fraction: string | undefined;
  /** In USDT; negative where more left than came. */
  readonly netDeposits: string;
}

/** What was earned from the first point of a curve up to the one at `place`; deposits and withdrawals are no profit. */
export function profitUpTo(points: readonly CurvePoint[], place: number): PeriodProfit {
  const net = sum(points.slice(1, place + 1).map(({ netDeposits }) => Decimal.parse(netDeposits))).toString();
  const shown = points[place]!;
  return { ...profitBetween(points[0]!.total, shown.total, net), netDeposits: net };
}

/**
 * What somebody has earned since a moment, in USDT: the change without what came from outside or left (`net`). The
 * fraction is of what could earn, with what was added.
 */
export function profitBetween(before: string, after: string, net: string): Omit<PeriodProfit, 'netDeposits'> {
  const moved = Decimal.parse(net);
  const [from, to] = [Decimal.parse(before), Decimal.parse(after).minus(moved)];
  const earning = moved.isPositive() ? from.plus(moved) : from;
  const amount = to.minus(from);
  const fraction = earning.isPositive() ? amount.over(earning, 'down', 6).toString() : undefined;
  return { amount: amount.toString(), fraction };
}

/** What a coin has of the worth of all accounts. */
export interface CoinShare {
  /** Undefined for all the others together. */
  readonly coin: string | undefined;
  /** In USDT. */
  readonly total: string;
  readonly fraction: string;
}

/** The coins that are worth most, over all accounts, and the rest together. */
export function coinShares(
  holdings: readonly { readonly currency: string; readonly total: string }[],
  most: number,
): CoinShare[] {
  const byCoin = new Map<string, Decimal>();
  for (const { currency, total } of holdings)
    byCoin.set(currency, (byCoin.get(currency) ?? Decimal.zero).plus(Decimal.parse(total)));
  const sorted = [...byCoin]
    .filter(([, total]) => total.isPositive())
    .toSorted(([one, a], [other, b]) => b.compare(a) || one.localeCompare(other));
  const all = sorted.reduce((sum, [, total]) => sum.plus(total), Decimal.zero);
  const rest = sorted.slice(most).reduce((sum, [, total]) => sum.plus(total), Decimal.zero);
  const shown: [string | undefined, Decimal][] = sorted.slice(0, most);
  if (rest.isPositive()) shown.push([undefined, rest]);
  return shown.map(([coin, total]) => ({
    coin,
    total: total.toString(),
    fraction: total.over(all, 'down', 6).toString(),
  }));
}
