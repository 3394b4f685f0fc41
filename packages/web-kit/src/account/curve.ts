import { Decimal } from '@exchange/core/decimal.ts';

/** What everything was worth at a moment; the last point of a curve is now. */
export interface CurvePoint {
  /** Milliseconds UTC. */
  readonly time: number;
  /** In USDT. */
  readonly total: string;
}

/** From one value to another: the difference in USDT, and as a fraction where there was something before. */
export function changeBetween(
  before: string,
  after: string,
): { amount: string; fraction: string | undefined } {
  const [from, to] = [Decimal.parse(before), Decimal.parse(after)];
  const amount = to.minus(from);
  const fraction = from.isPositive() ? amount.over(from, 'down', 6).toString() : undefined;
  return { amount: amount.toString(), fraction };
}

/**
 * What somebody has earned since a moment, in USDT: the change without what came from outside or left (`net`). The
 * fraction is of what could earn, with what was added.
 */
export function profitBetween(before: string, after: string, net: string): ReturnType<typeof changeBetween> {
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
    ...{ coin, total: total.toString() },
    fraction: total.over(all, 'down', 6).toString(),
  }));
}
