import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { AlgoParts } from './algo-orders.ts';
import { algoInput, type PlaceTwap } from './command-inputs.ts';
import type { SpotOrder } from './domain/order.ts';
import type { Twap } from './domain/twap.ts';
import { childrenOf, findTwap } from './twap-repository.ts';

/** The use cases of TWAP orders. `DueTwaps` places their children. */
export class Twaps {
  private readonly parts: AlgoParts;

  constructor(parts: AlgoParts) {
    this.parts = parts;
  }

  /**
   * Starts a TWAP order; its first child order is due at once. Refuses if the account may not trade on its side, and
   * for the same reasons as `startTwap`, for example a balance that is too small at present. A repetition with the same
   * idempotency key returns the first response and changes nothing.
   */
  async start(
    owner: UserId,
    { symbol, ...request }: PlaceTwap,
    submission: Submission | undefined,
  ): Promise<{ readonly id: string }> {
    const { commands, contextOf, sequencer } = this.parts;
    const context = await contextOf(owner, { symbol, side: request.side }, submission);
    return sequencer.execute(commands.twap, algoInput(context, request), {
      actor: owner,
      submission,
      answer: ({ id }) => ({ id }),
    });
  }

  /**
   * Ends a TWAP order of `owner` and returns 1, or 0 if it has already ended. Refuses with `l.not_found` when it is
   * unknown or belongs to another user.
   */
  async cancel(owner: UserId, id: string): Promise<{ readonly count: number }> {
    const { commands, exchange, reader, sequencer } = this.parts;
    if (exchange.twaps.get(id)?.owner !== owner) {
      // The steps that started or ended the TWAP order may be uncommitted, so the database is read after they are
      // stored.
      await sequencer.settled();
      await requireTwap(reader, owner, id);
    }
    return sequencer.execute(commands.endTwap, { owner, id, by: 'user' as const }, { actor: owner });
  }

  /**
   * A TWAP order of the owner, running or ended, with all its children. Refuses with `l.not_found` when it is unknown
   * or belongs to another user.
   */
  async find(
    owner: UserId,
    id: string,
  ): Promise<{ readonly twap: Twap; readonly orders: readonly SpotOrder[] }> {
    const { exchange, reader } = this.parts;
    const twap = await requireTwap(reader, owner, id);
    const orders = await childrenOf(reader, id, (symbol) => exchange.market(symbol).pair);
    return { twap, orders };
  }
}

async function requireTwap(reader: Reader, owner: UserId, id: string): Promise<Twap> {
  const twap = await findTwap(reader, owner, id);
  if (twap === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return twap;
}
