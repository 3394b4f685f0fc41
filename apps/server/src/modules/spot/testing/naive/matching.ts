import { Decimal, least } from '@exchange/core/decimal.ts';
import type { SelfTrade } from '../../../matching/index.ts';
import { byPriority, remainingOf, type NaiveOrder } from './order.ts';

/** One step of matching with a maker: a trade, or an action of self-trade prevention. */
export interface MatchStep {
  readonly maker: NaiveOrder;
  readonly amount: Decimal;
  readonly kind: 'trade' | 'decrement' | 'cancelMaker';
}

/** The reason why an order stops matching. */
export type Ending = 'complete' | 'noLiquidity' | 'priceReached' | 'ownOrder';

export interface Plan {
  readonly steps: readonly MatchStep[];
  readonly ending: Ending;
  readonly sold: Decimal;
}

/** The parameters of matching an order by amount, by total, or by total with a maximum amount. */
export interface MatchRequest {
  readonly taker: NaiveOrder;
  /** The worst price that the order accepts; undefined accepts any price. */
  readonly worst: Decimal | undefined;
  readonly mode: SelfTrade;
}

/** The orders on the opposite side of the book, best first. */
export function makersFor(taker: NaiveOrder, open: readonly NaiveOrder[]): NaiveOrder[] {
  return open
    .filter(
      (maker) =>
        maker.resting && maker.side !== taker.side && maker.listed.pair.symbol === taker.listed.pair.symbol,
    )
    .sort(byPriority);
}

/** Whether a taker with the worst price `worst` accepts a price; undefined accepts any price. */
export function accepts(taker: NaiveOrder, worst: Decimal | undefined, price: Decimal): boolean {
  if (worst === undefined) return true;
  return taker.side === 'buy' ? !price.isMore(worst) : !price.isLess(worst);
}

/** Plans the matching of an order without changing anything. */
export function planFor({ taker, worst, mode }: MatchRequest, makers: readonly NaiveOrder[]): Plan {
  const { amountDigits } = taker.listed.pair;
  const meetings: MatchStep[] = [];
  let amountLeft = taker.amount === undefined ? undefined : remainingOf(taker);
  let totalLeft = taker.total;
  let ending: Ending = 'noLiquidity';
  for (const maker of makers) {
    const price = maker.price!;
    if (!accepts(taker, worst, price)) {
      ending = 'priceReached';
      break;
    }
    let lots = remainingOf(maker);
    if (amountLeft !== undefined) lots = least(lots, amountLeft);
    if (totalLeft !== undefined) lots = least(lots, totalLeft.over(price, 'down', amountDigits));
    if (lots.isZero()) {
      ending = 'complete';
      break;
    }
    const isOwn = maker.owner === taker.owner;
    if (isOwn && mode !== 'decrement') {
      if (mode !== 'cancelTaker') meetings.push({ maker, amount: remainingOf(maker), kind: 'cancelMaker' });
      if (mode === 'cancelMaker') continue;
      ending = 'ownOrder';
      break;
    }
    meetings.push({ maker, amount: lots, kind: isOwn ? 'decrement' : 'trade' });
    amountLeft = amountLeft?.minus(lots);
    totalLeft = totalLeft?.minus(lots.timesExact(price));
    if (amountLeft?.isZero() === true || totalLeft?.over(price, 'down', amountDigits).isZero() === true) {
      ending = 'complete';
      break;
    }
  }
  return { steps: meetings, ending, sold: sumOf(meetings, 'trade') };
}

export function sumOf(meetings: readonly MatchStep[], what: MatchStep['kind']): Decimal {
  let sum = Decimal.zero;
  for (const meeting of meetings) if (meeting.kind === what) sum = sum.plus(meeting.amount);
  return sum;
}

/** The reason why the remainder of an order that must not rest is cancelled; empty if nothing remains. */
export function reasonOf({ steps, ending, sold }: Plan, type: 'limit' | 'market'): string {
  if (ending === 'ownOrder') return 'selfTrade';
  if (ending === 'noLiquidity') return 'noLiquidity';
  if (ending === 'priceReached') return type === 'limit' ? 'limitReached' : 'guardReached';
  if (sumOf(steps, 'decrement').isPositive()) return 'selfTrade';
  return sold.isZero() ? 'totalTooSmall' : '';
}

/**
 * The reason why a fill-or-kill order is refused: it would meet an order of the same owner, the book cannot
 * fill it completely, or its total is too small for one amount step. Undefined if it can be filled completely.
 */
export function fillOrKillProblem(
  taker: NaiveOrder,
  worst: Decimal | undefined,
  makers: readonly NaiveOrder[],
): 'selfTrade' | 'fokUnfilled' | 'totalTooSmall' | undefined {
  const { ending, sold } = planFor({ taker, worst, mode: 'cancelTaker' }, makers);
  if (ending === 'ownOrder') return 'selfTrade';
  if (ending !== 'complete') return 'fokUnfilled';
  return sold.isZero() ? 'totalTooSmall' : undefined;
}
