import { shortOf } from '@exchange/core/funds.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { ladderHold, ladderProblem, ladderRungs, rungRequest } from '@exchange/core/spot-ladder.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { userAddress } from '../ledger/index.ts';
import { assetReleasedBy, cancelOrder } from './cancellation.ts';
import type { CancelLadderInput, LadderInput } from './command-inputs.ts';
import type { Ladder } from './domain/ladder.ts';
import type { SpotOrder } from './domain/order.ts';
import type { ExchangeState } from './exchange-state.ts';
import { bestFor, holdAtEntry, prepareMarket, viewOf } from './placing.ts';
import { incomingOf, newOrder, placeHold, restOnBook } from './resting.ts';
import { ladderOrderWriter, ladderWriter } from './writers.ts';

/**
 * Places all orders of a ladder, or none: every check and every hold precedes the first change of the book. The
 * client order id of the orders is the id of the ladder.
 */
export function placeLadder(
  state: ExchangeState,
  step: Step,
  input: LadderInput,
): { readonly ladder: Ladder; readonly orders: readonly SpotOrder[] } {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  const { owner, request } = input;
  prepareMarket(state, step, market);
  const view = viewOf(market, step, input.reference, bestFor(market, request.side));
  const { resting } = state.orders.countsOf(owner, pair.symbol);
  const problem = ladderProblem(pair, filters, request, view, resting);
  if (problem !== undefined) throw new Refused(problem);
  const rungs = ladderRungs(pair, request);
  const { asset, amount: needed } = ladderHold(pair, request.side, rungs);
  const available = state.ledger.balance(userAddress(owner, 'spot', 'available'), asset);
  const shortage = shortOf({ needed, available, asset, field: 'amount' });
  if (shortage !== undefined) throw new Refused(shortage);

  const id = step.newId();
  const ladder: Ladder = {
    id,
    owner,
    symbol: pair.symbol,
    side: request.side,
    fromPrice: request.fromPrice,
    toPrice: request.toPrice,
    count: request.count,
    amount: request.amount,
    sizes: request.sizes,
    createdAt: step.now,
  };
  const context = { ...input, clientId: id };
  const orders = rungs.map((rung) => newOrder(step, pair, context, rungRequest(request.side, rung)));
  for (const order of orders)
    placeHold(state, step, order, holdAtEntry(order, incomingOf(order, undefined), undefined));
  step.forbidRefusal();
  step.write(ladderWriter, ladder);
  for (const [position, order] of orders.entries()) {
    restOnBook(state, step, market, order);
    state.ladders.add(id, order.id);
    step.write(ladderOrderWriter, { ladder: id, position, orderId: order.id });
  }
  state.changedLevels.publish(step, market);
  return { ladder, orders };
}

/**
 * Cancels the orders of a ladder that are still open. Returns their number, 0 if all have ended. Refuses when
 * the pair is closed or the released asset is halted.
 */
export function cancelLadder(
  state: ExchangeState,
  step: Step,
  { owner, symbol, orders }: CancelLadderInput,
): { readonly count: number } {
  const market = state.market(symbol);
  const open = orders.flatMap((id) => {
    const order = state.orders.get(id);
    return order?.owner === owner && order.pair.symbol === symbol ? [order] : [];
  });
  if (open.length === 0) return { count: 0 };
  if (market.status === 'closed') throw new Refused(refusal('closed', 'l.pair_closed'));
  // The halts are checked before the first cancellation, because a cancellation cannot be undone.
  for (const order of open) state.ledger.halts.requireNotHalted(assetReleasedBy(state, order));
  state.changedLevels.clear();
  for (const order of open) cancelOrder(state, step, order, 'user');
  state.changedLevels.publish(step, market);
  return { count: open.length };
}
