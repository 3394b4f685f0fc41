import type { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import { makersFor, planFor, reasonOf, type MatchStep, type Plan } from './matching.ts';
import { becomes, remainingOf, type NaiveOrder, type NaiveTrade } from './order.ts';
import {
  endWithPartner,
  endAlone,
  marketOf,
  requiredHoldNow,
  partnerOf,
  releaseFrom,
  type NaiveStep,
} from './state.ts';

/** Matches an order whose funds are held, then rests or ends it. */
export function enterMarket(step: NaiveStep, order: NaiveOrder, worst: Decimal | undefined): void {
  const { state } = step;
  const plan = planFor({ taker: order, worst, mode: order.selfTrade }, makersFor(order, state.orders));
  for (const meeting of plan.steps) apply(step, order, meeting);
  conclude(step, order, plan);
}

function conclude(step: NaiveStep, order: NaiveOrder, plan: Plan): void {
  const mayRest = order.timeInForce === 'GTC' || order.timeInForce === 'GTT';
  const wantsMore = plan.ending === 'noLiquidity' || plan.ending === 'priceReached';
  step.changed.add(order);
  if (becomes(order.type) === 'limit' && mayRest && wantsMore) {
    order.resting = true;
    releaseExcess(step, order);
    return;
  }
  const reason = reasonOf(plan, becomes(order.type));
  if (reason === '') finish(step, order);
  else endWithPartner(step, order, 'cancelled', reason);
}

function apply(step: NaiveStep, taker: NaiveOrder, { maker, amount, kind }: MatchStep): void {
  const { state } = step;
  step.changed.add(maker);
  maker.updatedAt = step.now;
  if (kind === 'cancelMaker') {
    endWithPartner(step, maker, 'cancelled', 'selfTrade');
    return;
  }
  if (kind === 'trade') trade(step, taker, maker, amount);
  else {
    maker.cancelledAmount = maker.cancelledAmount.plus(amount);
    taker.cancelledAmount = taker.cancelledAmount.plus(amount);
  }
  const partner = partnerOf(state, maker);
  if (partner !== undefined) endAlone(step, partner, 'cancelled', 'oco');
  if (remainingOf(maker).isPositive()) releaseExcess(step, maker);
  else finish(step, maker);
}

/** Ends a completely matched order: as filled, or as cancelled if self-trade prevention removed a part. */
function finish(step: NaiveStep, order: NaiveOrder): void {
  if (order.cancelledAmount.isZero()) endWithPartner(step, order, 'filled', '');
  else endWithPartner(step, order, 'cancelled', 'selfTrade');
}

/** Settles a trade: each side pays with its frozen funds and receives the other side's funds, less a fee. */
function trade(step: NaiveStep, taker: NaiveOrder, maker: NaiveOrder, amount: Decimal): void {
  const { accounts } = step.state;
  const { base, quote, symbol } = taker.listed.pair;
  const price = maker.price!;
  const total = price.timesExact(amount);
  const [buyer, seller] = taker.side === 'buy' ? [taker, maker] : [maker, taker];
  const buyerFee = feeOn(amount, buyer === taker ? taker.takerRate : maker.makerRate);
  const sellerFee = feeOn(total, seller === taker ? taker.takerRate : maker.makerRate);

  accounts.payFrozen(buyer.owner, quote, total);
  accounts.fund(seller.owner, quote, total.minus(sellerFee));
  accounts.earn(quote, sellerFee);
  accounts.payFrozen(seller.owner, base, amount);
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

/** Releases the part of the held funds that an open order no longer needs. */
function releaseExcess(step: NaiveStep, order: NaiveOrder): void {
  const excess = order.held.minus(requiredHoldNow(step.state, order));
  if (excess.isNegative()) throw new Error(`naive: ${order.label} holds too little`);
  releaseFrom(step, order, excess);
}
