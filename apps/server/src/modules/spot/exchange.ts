import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair, PairFilters } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { OrderBook } from '../matching/index.ts';
import { amend } from './amending.ts';
import type {
  AmendInput,
  CancelAllInput,
  MarkInput,
  OcoInput,
  PlaceInput,
  StatusInput,
  TriggerInput,
} from './command-inputs.ts';
import { pairStatusSet } from './events.ts';
import { ExchangeState, newMarket, type SpotMarket } from './exchange-state.ts';
import { expireEverywhere, cancelOrder } from './cancellation.ts';
import { type SpotOrder, type StatusSet, isOffBook, remainingAmount } from './domain/order.ts';
import { placeExits } from './exits.ts';
import { place, placeOco } from './placing.ts';
import { lotsOf, ticksOf } from './settlement.ts';
import { mark, trigger } from './triggers.ts';
import { pairStatusWriter, statusHistoryWriter } from './writers.ts';

export type { SpotMarket };

/**
 * The spot exchange in memory: what a step does to books, holds and balances. Every check comes before
 * the first change of a book, so a refused step leaves no trace in it; only orders that expired at the
 * beginning of a step that is then refused are put back. Commands come in through `runCommand`.
 */
export class SpotExchange extends ExchangeState {
  /** Lists a pair: open, without orders, never traded. */
  list(pair: Pair, filters: PairFilters, book: OrderBook): SpotMarket {
    const market = newMarket(pair, filters, book);
    this.markets.set(pair.symbol, market);
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

  /** Ends an open order at its owner's wish; refuses one that is not open, not his, or may not leave. */
  cancel(step: Step, owner: UserId, id: OrderId): SpotOrder {
    const order = this.orders.get(id);
    if (order === undefined || order.owner !== owner)
      throw new Refused(refusal('generic', 'l.order_not_open'));
    if (this.market(order.pair.symbol).status === 'closed')
      throw new Refused(refusal('closed', 'l.pair_closed'));
    this.ledger.halts.requireMoving(order.heldAsset);
    this.touched.clear();
    cancelOrder(this, step, order, 'user');
    this.touched.tell(step, this.market(order.pair.symbol));
    return order;
  }

  /**
   * Ends all orders of an owner that match and may leave, the oldest first. Returns how many orders that were, and how
   * many entries of a list, in which both legs of an OCO are one.
   */
  cancelAll(step: Step, { owner, base, quote, side }: CancelAllInput): { count: number; entries: number } {
    const matching = this.orders
      .ofOwner(owner)
      .filter(
        (order) =>
          (base === undefined || order.pair.base === base) &&
          (quote === undefined || order.pair.quote === quote) &&
          (side === undefined || order.side === side) &&
          this.mayCancel(order),
      )
      // The legs of an OCO have one rank; the limit leg goes first.
      .sort((one, other) => one.rank - other.rank || (isOffBook(one) ? 1 : -1));
    // Before the first is cancelled, since none of that can be undone.
    for (const { heldAsset } of matching) this.ledger.halts.requireMoving(heldAsset);
    for (const order of matching) {
      // An OCO's other leg has gone with the first.
      if (order.state === 'open') this.cancel(step, owner, order.id);
    }
    const entries = new Set(matching.map(({ id, groupId }) => (groupId === '' ? id : groupId)));
    return { count: matching.length, entries: entries.size };
  }

  trigger(step: Step, input: TriggerInput): SpotOrder | undefined {
    return trigger(this, step, input);
  }

  placeExits(step: Step, input: TriggerInput): SpotOrder | undefined {
    return placeExits(this, step, input);
  }

  /** Marks the next stops that trades of a pair met; returns how many. */
  mark(step: Step, input: MarkInput): { count: number } {
    return mark(this, step, input);
  }

  /** Ends orders whose time is over, at most so many; gives how many. */
  expire(step: Step, most?: number): { count: number } {
    return expireEverywhere(this, step, most);
  }

  /** Opens, halts or closes a pair; effective for every later step. */
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

  /** Whether orders like this one may leave now; those of a closed pair or a halted asset stay. */
  mayCancel(order: SpotOrder): boolean {
    return this.market(order.pair.symbol).status !== 'closed' && !this.ledger.isHalted(order.heldAsset);
  }

  /**
   * Puts a stored open order back in its place. Orders of one price come in the order of their rank, due
   * stops in their turn; `group` comes when all orders are there.
   */
  restore(order: SpotOrder): void {
    const { pair, id, owner, side, price } = order;
    const { bookToRestore, stops, expiries, marking } = this.market(pair.symbol);
    this.orders.add(order);
    expiries.add(order);
    if (!isOffBook(order)) {
      const amount = lotsOf(pair, remainingAmount(order));
      bookToRestore().restore({ id, owner, side, price: ticksOf(pair, price!), amount });
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

  /** Ties the legs of the OCOs together of which both are open. */
  restoreGroups(): void {
    const limits = new Map<string, SpotOrder>();
    for (const order of this.orders) {
      if (order.groupId !== '' && order.stop === undefined) limits.set(order.groupId, order);
    }
    for (const order of this.orders) {
      const limit = limits.get(order.groupId);
      if (limit !== undefined && order.stop?.status === 'waiting')
        this.groups.add(order.groupId, limit, order);
    }
  }
}
