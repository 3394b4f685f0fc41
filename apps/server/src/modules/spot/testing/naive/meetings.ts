import { Decimal, least } from '@exchange/core/decimal.ts';
import type { SelfTrade } from '../../../matching/index.ts';
import { byPriority, remainingOf, type NaiveOrder } from './order.ts';

/** What happens to one maker: a trade, or lots taken off both because they have one owner, or his end. */
export interface Meeting {
  readonly maker: NaiveOrder;
  readonly amount: Decimal;
  readonly what: 'trade' | 'decrement' | 'cancelMaker';
}

/** Why an order stops meeting others. */
export type Ending = 'complete' | 'noLiquidity' | 'priceReached' | 'ownOrder';

export interface Plan {
  readonly meetings: readonly Meeting[];
  readonly ending: Ending;
  readonly sold: Decimal;
}

/** What an order wants: by amount, by total, or by total with an amount it cannot exceed. */
export interface Wanted {
  readonly taker: NaiveOrder;
  /** The worst price; undefined for any. */
  readonly worst: Decimal | undefined;
  readonly mode: SelfTrade;
}

/** The orders of the other side that an order may meet, best first. */
export function makersFor(taker: NaiveOrder, open: readonly NaiveOrder[]): NaiveOrder[] {
  return open
    .filter(
      (other) =>
        other.resting && other.side !== taker.side && other.listed.pair.symbol === taker.listed.pair.symbol,
    )
    .sort(byPriority);
}

/** Whether a taker of this side accepts the price. */
export function accepts(taker: NaiveOrder, worst: Decimal | undefined, price: Decimal): boolean {
  if (worst === undefined) return true;
  return taker.side === 'buy' ? !price.isMore(worst) : !price.isLess(worst);
}

/** Whom the order would meet and why it would stop; changes nothing. */
export function planFor({ taker, worst, mode }: Wanted, makers: readonly NaiveOrder[]): Plan {
  const { amountDigits } = taker.listed.pair;
  const meetings: Meeting[] = [];
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
      if (mode !== 'cancelTaker') meetings.push({ maker, amount: remainingOf(maker), what: 'cancelMaker' });
      if (mode === 'cancelMaker') continue;
      ending = 'ownOrder';
      break;
    }
    meetings.push({ maker, amount: lots, what: isOwn ? 'decrement' : 'trade' });
    amountLeft = amountLeft?.minus(lots);
    totalLeft = totalLeft?.minus(lots.timesExact(price));
    if (amountLeft?.isZero() === true || totalLeft?.over(price, 'down', amountDigits).isZero() === true) {
      ending = 'complete';
      break;
    }
  }
  return { meetings, ending, sold: sumOf(meetings, 'trade') };
}

export function sumOf(meetings: readonly Meeting[], what: Meeting['what']): Decimal {
  let sum = Decimal.zero;
  for (const meeting of meetings) if (meeting.what === what) sum = sum.plus(meeting.amount);
  return sum;
}

/** Why what is left of an order that does not rest was given up; empty when nothing was. */
export function reasonOf({ meetings, ending, sold }: Plan, type: 'limit' | 'market'): string {
  if (ending === 'ownOrder') return 'selfTrade';
  if (ending === 'noLiquidity') return 'noLiquidity';
  if (ending === 'priceReached') return type === 'limit' ? 'limitReached' : 'guardReached';
  if (sumOf(meetings, 'decrement').isPositive()) return 'selfTrade';
  return sold.isZero() ? 'totalTooSmall' : '';
}

/** Why a fill-or-kill order cannot have all at once; undefined when it can. It never trades around an own order. */
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
