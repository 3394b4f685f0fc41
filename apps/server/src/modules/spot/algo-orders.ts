import type { UserId } from '@exchange/core/ids.ts';
import type { Reader } from '../../platform/database/database.ts';
import { type AskedPage, type ListPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import { algoOrdersOf, type AlgoOrder } from './algo-repository.ts';
import type { PlacementContext, PlaceOrder } from './command-inputs.ts';
import type { SpotCommands } from './commands.ts';
import type { SpotExchange } from './exchange.ts';

/** Dependencies of the use cases of all kinds of algo orders. */
export interface AlgoParts {
  readonly commands: SpotCommands;
  readonly exchange: SpotExchange;
  readonly reader: Reader;
  readonly sequencer: Pick<Sequencer, 'execute' | 'settled'>;
  /**
   * Reads the values that the command of an order or algo order takes as input besides the request: main account, fee
   * rates and prices. Refuses if the owner may not trade on the order's side.
   */
  readonly contextOf: (
    owner: UserId,
    order: Pick<PlaceOrder, 'symbol' | 'side'>,
    submission: Submission | undefined,
  ) => Promise<PlacementContext>;
}

/** Reads lists of a user's algo orders of all kinds. */
export class AlgoOrders {
  private readonly parts: Pick<AlgoParts, 'exchange' | 'reader' | 'sequencer'>;

  constructor(parts: Pick<AlgoParts, 'exchange' | 'reader' | 'sequencer'>) {
    this.parts = parts;
  }

  /**
   * A page of the owner's algo orders of all kinds, newest first: with `hasEnded` those that have ended, otherwise the
   * running ones.
   */
  async list(owner: UserId, hasEnded: boolean, page: AskedPage): Promise<ListPage<AlgoOrder>> {
    const { exchange, reader, sequencer } = this.parts;
    // Waits until all steps are stored, because orders in memory may be newer than the stored rows, which are read
    // next.
    await sequencer.settled();
    const openOrders = exchange.orders.ofOwner(owner).map(({ id }) => id);
    return algoOrdersOf(reader, owner, { openOrders, hasEnded }, rowsOfPage(page));
  }
}
