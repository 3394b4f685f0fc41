import type { Decimal } from '@exchange/core/decimal.ts';
import type { MarketView } from './checks.ts';
import { marketOf, ordersOn, type NaiveStep } from './state.ts';

/** The market data that the checks of an order use; `best` is the best price of the opposite side. */
export function marketViewFor(
  step: NaiveStep,
  symbol: string,
  order: { side: 'buy' | 'sell' },
  reference?: Decimal,
): MarketView {
  const { status, last } = marketOf(step.state, symbol);
  const opposite = ordersOn(step.state, symbol).filter(({ resting, side }) => resting && side !== order.side);
  const prices = opposite.map(({ price }) => price!).sort((a, b) => a.compare(b));
  return { status, reference, last, now: step.now, best: order.side === 'buy' ? prices[0] : prices.at(-1) };
}
