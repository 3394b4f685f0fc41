import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { AlgoParts } from './algo-orders.ts';
import { algoInput, type PlaceIceberg } from './command-inputs.ts';
import type { Iceberg } from './domain/iceberg.ts';
import type { SpotOrder } from './domain/order.ts';
import { findIceberg, ordersOfIceberg } from './iceberg-repository.ts';

/** The use cases of icebergs: placement, cancellation and reading. */
export class Icebergs {
  private readonly parts: AlgoParts;

  constructor(parts: AlgoParts) {
    this.parts = parts;
  }

  /**
   * Places an iceberg. Refuses an account that may not trade on its side, an invalid request, more than
   * `ICEBERG_OPEN_MAX` running icebergs of the account, more open orders than the pair permits, and a balance
   * below what a limit order over the whole amount would hold. A repetition with the same idempotency key
   * returns the first response and changes nothing.
   */
  async place(
    owner: UserId,
    { symbol, ...request }: PlaceIceberg,
    submission: Submission | undefined,
  ): Promise<{ readonly id: string }> {
    const { commands, contextOf, sequencer } = this.parts;
    const context = await contextOf(owner, { symbol, side: request.side }, submission);
    return sequencer.execute(commands.iceberg, algoInput(context, request), {
      actor: owner,
      submission,
      answer: ({ id }) => ({ id }),
    });
  }

  /**
   * Cancels an iceberg with its slice, and returns 1; 0 if it has ended. Refuses with `l.not_found` when it is unknown
   * or belongs to another user. Also refuses, with other keys, when the pair is closed or the released coin is
   * halted.
   */
  async cancel(owner: UserId, id: string): Promise<{ readonly count: number }> {
    const { commands, exchange, reader, sequencer } = this.parts;
    if (exchange.icebergs.get(id)?.owner !== owner) {
      // The start or the end of the iceberg may not be stored yet, so the read waits for the pending steps.
      await sequencer.settled();
      await requireIceberg(reader, owner, id);
    }
    return sequencer.execute(commands.cancelIceberg, { owner, id }, { actor: owner });
  }

  /**
   * An iceberg of the owner, running or ended, with all its orders. Refuses with `l.not_found` when it is unknown or
   * belongs to another user.
   */
  async find(
    owner: UserId,
    id: string,
  ): Promise<{ readonly iceberg: Iceberg; readonly orders: readonly SpotOrder[] }> {
    const { exchange, reader } = this.parts;
    const iceberg = await requireIceberg(reader, owner, id);
    const orders = await ordersOfIceberg(reader, id, (symbol) => exchange.market(symbol).pair);
    return { iceberg, orders };
  }
}

async function requireIceberg(reader: Reader, owner: UserId, id: string): Promise<Iceberg> {
  const iceberg = await findIceberg(reader, owner, id);
  if (iceberg === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return iceberg;
}
