import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { AlgoParts } from './algo-orders.ts';
import { findChase } from './chase-repository.ts';
import { nextMoveOf } from './chase.ts';
import { algoInput, type PlaceChase } from './command-inputs.ts';
import type { ChaseProgress, ChaseWait } from './domain/chase.ts';
import type { SpotOrder } from './domain/order.ts';
import { findOrder } from './repository.ts';

interface Parts extends AlgoParts {
  readonly referenceOf: (symbol: string) => Decimal | undefined;
}

/** The use cases of chase orders. `DueChases` sends the commands that change the prices of their orders. */
export class Chases {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Starts a chase order. Refuses an account that may not trade on its side, an invalid request, more than
   * `CHASE_OPEN_MAX` running chase orders of the account, and a balance below what the order needs at its
   * worst price. A repetition with the same idempotency key returns the first response and changes nothing.
   */
  async start(
    owner: UserId,
    { symbol, ...request }: PlaceChase,
    submission: Submission | undefined,
  ): Promise<{ readonly id: string }> {
    const { commands, contextOf, sequencer } = this.parts;
    const context = await contextOf(owner, { symbol, side: request.side }, submission);
    return sequencer.execute(commands.chase, algoInput(context, request), {
      actor: owner,
      submission,
      answer: ({ id }) => ({ id }),
    });
  }

  /**
   * Cancels a chase order with its order, and returns 1; 0 if it has ended. Refuses with `l.not_found` when it is
   * unknown or belongs to another user. Also refuses, with other keys, when the pair is closed or the released
   * coin is halted.
   */
  async cancel(owner: UserId, id: string): Promise<{ readonly count: number }> {
    const { commands, exchange, reader, sequencer } = this.parts;
    if (exchange.chases.get(id)?.owner !== owner) {
      // The start or the end of the chase order may not be stored yet, so the read waits for the pending steps.
      await sequencer.settled();
      await requireChase(reader, owner, id);
    }
    return sequencer.execute(commands.cancelChase, { owner, id }, { actor: owner });
  }

  /**
   * A chase order of the owner, running or ended, with its order. Refuses with `l.not_found` when it is unknown or
   * belongs to another user.
   */
  async find(
    owner: UserId,
    id: string,
  ): Promise<{ readonly chase: ChaseProgress; readonly orders: readonly SpotOrder[] }> {
    const { exchange, reader, sequencer } = this.parts;
    // Waits until all steps are stored, because the price in memory may be newer than the stored rows, which are read
    // next.
    await sequencer.settled();
    const chase = await requireChase(reader, owner, id);
    const order = await findOrder(reader, owner, chase.orderId, (symbol) => exchange.market(symbol).pair);
    return { chase, orders: order === undefined ? [] : [order] };
  }

  /**
   * Why the price of a running chase order cannot follow the market now; undefined if nothing prevents it, or the chase
   * order has ended.
   */
  waitOf({ id }: Pick<ChaseProgress, 'id'>): ChaseWait | undefined {
    const { exchange, referenceOf } = this.parts;
    const chase = exchange.chases.get(id);
    if (chase === undefined) return undefined;
    const next = nextMoveOf(exchange, chase, referenceOf(chase.symbol));
    return next.kind === 'wait' ? next.wait : undefined;
  }
}

async function requireChase(reader: Reader, owner: UserId, id: string): Promise<ChaseProgress> {
  const chase = await findChase(reader, owner, id);
  if (chase === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return chase;
}
