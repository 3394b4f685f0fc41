import type { Pair, PairFilters, Side } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { OrderBook } from '../matching/index.ts';
import { amend } from './amending.ts';
import type {
  AmendInput,
  CancelAllInput,
  CancelInput,
  MarkInput,
  OcoInput,
  OtoInput,
  PlaceInput,
  StatusInput,
  TriggerInput,
} from './command-inputs.ts';
import { pairStatusSet } from './events.ts';
import { ExchangeState, newMarket, type SpotMarket } from './exchange-state.ts';
import { assetReleasedBy, expireEverywhere, cancelOrder } from './cancellation.ts';
import {
  type SpotOrder,
  type StatusSet,
  isOffBook,
  isPending,
  listIdOf,
  remainingAmount,
} from './domain/order.ts';
import { placeExits } from './exits.ts';
import { HiddenSlices } from './iceberg.ts';
import { type PlacedOto, placeOto, releaseOto } from './oto.ts';
import { place, placeOco } from './placing.ts';
import { lotsOf, ticksOf } from './settlement.ts';
import { mark, trigger } from './triggers.ts';
import { endTwap } from './twap.ts';
import { pairStatusWriter, statusHistoryWriter } from './writers.ts';

export type { SpotMarket };

/**
 * The spot exchange in memory: books, waiting orders and holds. After its loading, only commands change it on the
 * writer. A command makes all its checks before it changes a book, so a refused command changes nothing; orders
 * that it expired at its start are restored.
 */
export class SpotExchange extends ExchangeState {
  /** Adds a pair to the exchange: open, without orders and trades. */
  list(pair: Pair, filters: PairFilters, book: OrderBook): SpotMarket {
    const market = newMarket(pair, filters, book);
    this.markets.set(pair.symbol, market);
    book.replenishFrom(new HiddenSlices(this, market));
    return market;
  }

  place(step: Step, input: PlaceInput): SpotOrder {
    return place(this, step, input);
  }

  placeOco(step: Step, input: OcoInput): { groupId: string; limit: SpotOrder; stop: SpotOrder } {
    return placeOco(this, step, input);
  }

  amend(step: Step, input: AmendInput): SpotOrder {
    return amend(this, step, input);
  }

  /**
   * Cancels an open order for its owner. Refuses if the order is not open, belongs to another user or is not in
   * the state `onlyIf`, and if the pair is closed or the asset to release is halted.
   */
  cancel(step: Step, { owner, order: id, onlyIf }: CancelInput): SpotOrder {
    const order = this.orders.get(id);
    if (order === undefined || order.owner !== owner)
      throw new Refused(refusal('generic', 'l.order_not_open'));
    const state = order.filledAmount.isZero() ? 'unfilled' : 'partlyFilled';
    if (onlyIf !== undefined && onlyIf !== state)
      throw new Refused(refusal('generic', 'l.cancel_restricted'));
    if (this.market(order.pair.symbol).status === 'closed')
      throw new Refused(refusal('closed', 'l.pair_closed'));
    this.ledger.halts.requireNotHalted(assetReleasedBy(this, order));
    this.changedLevels.clear();
    cancelOrder(this, step, order, 'user');
    this.changedLevels.publish(step, this.market(order.pair.symbol));
    return order;
  }

  /**
   * Cancels, in order of rank (time priority), all open orders of an owner that match the filter and may be cancelled,
   * and with `endsTwaps` ends the running TWAP orders that match, which have no open order between their children.
   * Returns the number of cancelled orders (`count`), and the number of entries (`entries`): orders with each order
   * list counted once, and TWAP orders. Refuses while the halt of an asset to release is not stored yet.
   */
  cancelAll(step: Step, input: CancelAllInput): { count: number; entries: number } {
    const { owner, base, quote, side, endsTwaps = false } = input;
    const isMatching = (pair: Pair, orderSide: Side) =>
      (base === undefined || pair.base === base) &&
      (quote === undefined || pair.quote === quote) &&
      (side === undefined || orderSide === side);
    const matching = this.orders
      .ofOwner(owner)
      .filter((order) => isMatching(order.pair, order.side) && this.mayCancel(order))
      .sort((first, second) => first.rank - second.rank || placeInList(first) - placeInList(second));
    // Every order is checked before the first cancellation, because a cancellation cannot be undone.
    for (const order of matching) this.ledger.halts.requireNotHalted(assetReleasedBy(this, order));
    for (const order of matching) {
      // An order of a list may have been cancelled already, together with an earlier order of the list.
      if (order.state === 'open') this.cancel(step, { owner, order: order.id });
    }
    const twaps = endsTwaps ? this.twaps.allOf(owner) : [];
    const ending = twaps.filter((twap) => isMatching(this.market(twap.symbol).pair, twap.side));
    for (const { id } of ending) endTwap(this, step, { owner, id, by: 'user' });
    const entries = new Set(matching.map((order) => listIdOf(order) || order.id));
    return { count: matching.length, entries: entries.size + ending.length };
  }

  trigger(step: Step, input: TriggerInput): SpotOrder | undefined {
    return trigger(this, step, input);
  }

  placeExits(step: Step, input: TriggerInput): SpotOrder | undefined {
    return placeExits(this, step, input);
  }

  placeOto(step: Step, input: OtoInput): PlacedOto {
    return placeOto(this, step, input);
  }

  releaseOto(step: Step, input: TriggerInput): SpotOrder | undefined {
    return releaseOto(this, step, input);
  }

  /**
   * Marks the next stop orders triggered by trades of a pair as due; returns their number, including trailing
   * stops that were activated.
   */
  mark(step: Step, input: MarkInput): { count: number } {
    return mark(this, step, input);
  }

  /**
   * Ends expired orders of all pairs, at most `most` of them, and returns their number. Skips pairs with a halted coin
   * and pairs whose stops are still to be marked.
   */
  expire(step: Step, most?: number): { count: number } {
    return expireEverywhere(this, step, most);
  }

  /** Sets a pair's status (open, cancelOnly or closed), effective for every later step. */
  setStatus(step: Step, { symbol, status, by, reason }: StatusInput): StatusSet {
    const market = this.market(symbol);
    const statusBefore = market.status;
    market.status = status;
    step.onUndo(() => {
      market.status = statusBefore;
    });
    const set = { sequence: step.sequence, symbol, status, statusBefore, by, reason, at: step.now };
    step.write(pairStatusWriter, set);
    step.write(statusHistoryWriter, set);
    step.publish(pairStatusSet, set);
    return set;
  }

  /**
   * Whether an order may be cancelled now: its pair is not closed, and the asset that the cancellation releases
   * has no stored halt.
   */
  mayCancel(order: SpotOrder): boolean {
    return (
      this.market(order.pair.symbol).status !== 'closed' &&
      !this.ledger.isHalted(assetReleasedBy(this, order))
    );
  }

  /**
   * Restores a stored open order. Orders of one price level must be restored in order of rank (time priority), and due
   * stops in execution order. Call `restoreGroups` after the last order.
   */
  restore(order: SpotOrder): void {
    const { pair, id, trader, side, price } = order;
    const { bookToRestore, stops, expiries, marking } = this.market(pair.symbol);
    this.orders.add(order);
    expiries.add(order);
    if (isPending(order)) return;
    if (!isOffBook(order)) {
      const amount = lotsOf(pair, remainingAmount(order));
      bookToRestore().restore({ id, owner: trader, side, price: ticksOf(pair, price!), amount });
    } else if (order.stop!.status === 'waiting') {
      const { activatedAt, tradeSequence } = order.stop!;
      const isJustActive =
        activatedAt !== undefined && tradeSequence === marking?.trades[marking.next]!.sequence;
      if (isJustActive) stops.addActivated(order);
      else stops.add(order);
    } else {
      this.queueDue(order);
    }
  }

  /** Removes an order that `restore` has added, e.g. to restore it in its current state. */
  discard(order: SpotOrder): void {
    const { bookToRestore, stops, expiries } = this.market(order.pair.symbol);
    this.orders.remove(order);
    expiries.remove(order);
    if (isPending(order)) return;
    if (!isOffBook(order)) bookToRestore().cancel(order.id);
    else if (order.stop!.status === 'waiting') stops.remove(order);
    else this.due.remove(order.id);
  }

  /**
   * Links the legs of each OCO with two open legs, and the orders of each OTO with pending orders. If the working order
   * of an OTO is no longer open, its pending orders are queued to be placed.
   */
  restoreGroups(): void {
    this.restoreOtos();
    const limits = new Map<string, SpotOrder>();
    for (const order of this.orders) {
      if (order.groupId !== '' && order.stop === undefined && !isPending(order))
        limits.set(order.groupId, order);
    }
    for (const order of this.orders) {
      const limit = limits.get(order.groupId);
      if (limit !== undefined && order.stop?.status === 'waiting')
        this.groups.add(order.groupId, limit, order);
    }
  }

  private restoreOtos(): void {
    const working = new Map<string, SpotOrder>();
    const pending = new Map<string, SpotOrder[]>();
    for (const order of this.orders) {
      if (order.oto?.role === 'working') working.set(order.oto.id, order);
      else if (isPending(order)) pending.set(order.oto!.id, [...(pending.get(order.oto!.id) ?? []), order]);
    }
    for (const [id, orders] of pending) {
      const [first, ...others] = orders.toSorted((one, two) => placeInList(one) - placeInList(two));
      const open = working.get(id);
      // If pending orders are open and the working order is not, the working order was filled and the
      // pending orders must be placed. Any other end of the working order ends the whole list.
      if (open === undefined) this.owedOtos.add(first!, first!.rank);
      this.otos.add(id, {
        working: open?.id ?? first!.id,
        pending: [first!.id, ...others.map((order) => order.id)],
      });
    }
  }
}

/**
 * Sort key of orders with the same rank, which one command placed: the order on the book, then waiting
 * limit orders, then stops. The cancellation of the first order of a list cancels the list.
 */
function placeInList(order: SpotOrder): number {
  return (isOffBook(order) ? 2 : 0) + (order.stop === undefined ? 0 : 1);
}
