import type { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import { makersFor, planFor, reasonOf, type Meeting, type Plan } from './meetings.ts';
import { becomes, remainingOf, type NaiveOrder, type NaiveTrade } from './order.ts';
import { end, endAlone, marketOf, needed, partnerOf, releaseFrom, type NaiveStep } from './state.ts';

/** Lets an order that has its funds set aside meet the book, then rests it or ends it. */
export function enterMarket(step: NaiveStep, order: NaiveOrder, worst: Decimal | undefined): void {
  const { state } = step;
  const plan = planFor({ taker: order, worst, mode: order.selfTrade }, makersFor(order, state.orders));
  for (const meeting of plan.meetings) carryOut(step, order, meeting);
  conclude(step, order, plan);
}

function conclude(step: NaiveStep, order: NaiveOrder, plan: Plan): void {
  const stays = order.timeInForce === 'GTC' || order.timeInForce === 'GTT';
  const wantsMore = plan.ending === 'noLiquidity' || plan.ending === 'priceReached';
  step.changed.add(order);
  if (becomes(order.type) === 'limit' && stays && wantsMore) {
    order.resting = true;
    giveBackSpare(step, order);
    return;
  }
  const reason = reasonOf(plan, becomes(order.type));
  if (reason === '') finish(step, order);
  else end(step, order, 'cancelled', reason);
}

function carryOut(step: NaiveStep, taker: NaiveOrder, { maker, amount, what }: Meeting): void {
  const { state } = step;
  step.changed.add(maker);
  maker.updatedAt = step.now;
  if (what === 'cancelMaker') {
    end(step, maker, 'cancelled', 'selfTrade');
    return;
  }
  if (what === 'trade') trade(step, taker, maker, amount);
  else {
    maker.cancelledAmount = maker.cancelledAmount.plus(amount);
    taker.cancelledAmount = taker.cancelledAmount.plus(amount);
  }
  const partner = partnerOf(state, maker);
  if (partner !== undefined) endAlone(step, partner, 'cancelled', 'oco');
  if (remainingOf(maker).isPositive()) giveBackSpare(step, maker);
  else finish(step, maker);
}

/** Nothing is left: all of it was traded, or some had been taken off because its owner met himself. */
function finish(step: NaiveStep, order: NaiveOrder): void {
  if (order.cancelledAmount.isZero()) end(step, order, 'filled', '');
  else end(step, order, 'cancelled', 'selfTrade');
}

/** Money moves: each side pays what it froze and gets the other's, less a fee on what it gets. */
function trade(step: NaiveStep, taker: NaiveOrder, maker: NaiveOrder, amount: Decimal): void {
  const { accounts } = step.state;
  const { base, quote, symbol } = taker.listed.pair;
  const price = maker.price!;
  const total = price.timesExact(amount);
  const [buyer, seller] = taker.side === 'buy' ? [taker, maker] : [maker, taker];
  const buyerFee = feeOn(amount, buyer === taker ? taker.takerRate : maker.makerRate);
  const sellerFee = feeOn(total, seller === taker ? taker.takerRate : maker.makerRate);

  accounts.take(buyer.owner, quote, total);
  accounts.fund(seller.owner, quote, total.minus(sellerFee));
  accounts.earn(quote, sellerFee);
  accounts.take(seller.owner, base, amount);
  accounts.fund(buyer.owner, base, amount.minus(buyerFee));
  accounts.earn(base, buyerFee);
  buyer.held = buyer.held.minus(total);
  seller.held = seller.held.minus(amount);

  for (const order of [taker, maker]) {
    order.filledAmount = order.filledAmount.plus(amount);
    order.filledTotal = order.filledTotal.plus(total);
    order.fee = order.fee.plus(order === buyer ? buyerFee : sellerFee);
    order.updatedAt = step.now;
  }
  const [takerFee, makerFee] = taker === buyer ? [buyerFee, sellerFee] : [sellerFee, buyerFee];
  const record: NaiveTrade = {
    symbol,
    price,
    amount,
    total,
    takerSide: taker.side,
    taker: taker.owner,
    takerOrder: taker.label,
    takerFee,
    maker: maker.owner,
    makerOrder: maker.label,
    makerFee,
    valueUsdt: step.quoteValue?.times(total, 'down', 8),
  };
  step.trades.push(record);
  marketOf(step.state, symbol).last = price;
}

/** Gives back what an open order holds beyond its need. */
function giveBackSpare(step: NaiveStep, order: NaiveOrder): void {
  const spare = order.held.minus(needed(step.state, order));
  if (spare.isNegative()) throw new Error(`naive: ${order.label} holds too little`);
  releaseFrom(step, order, spare);
}
