import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { type AskedPage, type ListPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { AlgoParts } from './algo-orders.ts';
import { ladderInput, type PlaceLadder } from './command-inputs.ts';
import type { LadderProgress } from './domain/ladder.ts';
import type { SpotOrder } from './domain/order.ts';
import { findLadder, laddersOf, ordersOfLadder } from './ladder-repository.ts';

/** The use cases of scaled ladders: placement, cancellation and reading. */
export class Ladders {
  private readonly parts: AlgoParts;

  constructor(parts: AlgoParts) {
    this.parts = parts;
  }

  /**
   * Places all orders of a ladder in one step, or none. Refuses when the account may not trade on its side,
   * when an order is invalid or would trade at once, when the account would have more open orders than the
   * pair permits, or when the balance is below what all orders hold. A repetition with the same idempotency
   * key returns the first response and changes nothing.
   */
  async place(
    owner: UserId,
    { symbol, ...request }: PlaceLadder,
    submission: Submission | undefined,
  ): Promise<{ readonly id: string; readonly orders: readonly string[] }> {
    const { commands, contextOf, sequencer } = this.parts;
    const context = await contextOf(owner, { symbol, side: request.side }, submission);
    const input = ladderInput(context, request);
    return sequencer.execute(commands.ladder, input, {
      actor: owner,
      submission,
      answer: ({ ladder, orders }) => ({ id: ladder.id, orders: orders.map(({ id }) => id) }),
    });
  }

  /**
   * Cancels all open orders of a ladder in one step, and returns their number; 0 if it has ended. Refuses with
   * `l.not_found` when it is unknown or belongs to another user. Also refuses, with other keys, when the pair
   * is closed or a released coin is halted.
   */
  async cancel(owner: UserId, id: string): Promise<{ readonly count: number }> {
    const { commands, sequencer } = this.parts;
    const { ladder, orders } = await this.find(owner, id);
    const input = { owner, symbol: ladder.symbol, orders: orders.map((order) => order.id) };
    return sequencer.execute(commands.cancelLadder, input, { actor: owner });
  }

  /**
   * A page of the owner's ladders, newest first: with `hasEnded` those without open orders, otherwise those with open
   * orders.
   */
  async list(owner: UserId, hasEnded: boolean, page: AskedPage): Promise<ListPage<LadderProgress>> {
    const { exchange, reader, sequencer } = this.parts;
    // Waits until all steps are stored, because orders in memory may be newer than the stored rows, which are read
    // next.
    await sequencer.settled();
    const openOrders = exchange.orders.ofOwner(owner).map(({ id }) => id);
    return laddersOf(reader, owner, { openOrders, hasEnded }, rowsOfPage(page));
  }

  /**
   * A ladder of the owner, running or ended, with all its orders. Refuses with `l.not_found` when it is unknown or
   * belongs to another user.
   */
  async find(
    owner: UserId,
    id: string,
  ): Promise<{ readonly ladder: LadderProgress; readonly orders: readonly SpotOrder[] }> {
    const { exchange, reader } = this.parts;
    const ladder = await findLadder(reader, owner, id);
    if (ladder === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const orders = await ordersOfLadder(reader, id, (symbol) => exchange.market(symbol).pair);
    return { ladder, orders };
  }
}
