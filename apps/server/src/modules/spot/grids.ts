import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Reader } from '../../platform/database/database.ts';
import { type AskedPage, type ListPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { AlgoParts } from './algo-orders.ts';
import { algoInput, type PlaceGrid } from './command-inputs.ts';
import type { Grid } from './domain/grid.ts';
import type { CancelledGrid } from './grid.ts';
import type { SpotOrder } from './domain/order.ts';
import { findGrid, openOrdersOfGrid, ordersOfGrid } from './grid-repository.ts';

/** The use cases of trading grids: start, cancellation and reading. */
export class Grids {
  private readonly parts: AlgoParts;

  constructor(parts: AlgoParts) {
    this.parts = parts;
  }

  /**
   * Starts a grid. Refuses an invalid request, an account that may not buy and sell, more than
   * `GRID_OPEN_MAX` running grids of the account, more open orders than the pair permits, a balance below the
   * investment, and a book that cannot fill the purchase at the start within the slippage. A repetition with
   * the same idempotency key returns the first response and changes nothing.
   */
  async start(
    owner: UserId,
    { symbol, ...request }: PlaceGrid,
    submission: Submission | undefined,
  ): Promise<{ readonly id: string }> {
    const { commands, contextOf, sequencer } = this.parts;
    // A grid buys and sells, so both must be permitted.
    await contextOf(owner, { symbol, side: 'sell' }, submission);
    const context = await contextOf(owner, { symbol, side: 'buy' }, submission);
    return sequencer.execute(commands.grid, algoInput(context, request), {
      actor: owner,
      submission,
      answer: ({ id }) => ({ id }),
    });
  }

  /**
   * Cancels a grid with its open orders; the result's `count` is 1, or 0 if the grid has ended. With `sells`,
   * also sells its coins at once; the result contains the sold amount and its proceeds. Orders whose held
   * coin is halted end when the halt is lifted. Refuses with `l.not_found` when it is unknown or belongs to
   * another user; with other keys when the pair is closed, and a sale when the account may not sell.
   */
  async cancel(owner: UserId, id: string, sells: boolean): Promise<CancelledGrid> {
    const { commands, contextOf, exchange, reader, sequencer } = this.parts;
    const running = exchange.grids.ofOwner({ owner, id });
    if (sells && running !== undefined) {
      const { quoteValue, mostMarked } = await contextOf(
        owner,
        { symbol: running.symbol, side: 'sell' },
        undefined,
      );
      const input = { owner, id, sells, quoteValue, mostMarked };
      return sequencer.execute(commands.cancelGrid, input, { actor: owner });
    }
    if (running === undefined) {
      // The start or the end of the grid may not be stored yet, so the read waits for the pending steps.
      await sequencer.settled();
      await requireGrid(reader, owner, id);
    }
    return sequencer.execute(commands.cancelGrid, { owner, id }, { actor: owner });
  }

  /**
   * A grid of the owner, running or ended, with its open orders. Refuses with `l.not_found` when it is unknown or
   * belongs to another user.
   */
  async find(
    owner: UserId,
    id: string,
  ): Promise<{ readonly grid: Grid; readonly orders: readonly SpotOrder[] }> {
    const { exchange, reader } = this.parts;
    const grid = await requireGrid(reader, owner, id);
    const orders = await openOrdersOfGrid(reader, id, (symbol) => exchange.market(symbol).pair);
    return { grid, orders };
  }

  /**
   * A page of the orders that a grid of the owner has placed, newest first. Refuses with `l.not_found` when the grid is
   * unknown or belongs to another user.
   */
  async orders(owner: UserId, id: string, page: AskedPage): Promise<ListPage<SpotOrder>> {
    const { exchange, reader } = this.parts;
    await requireGrid(reader, owner, id);
    return ordersOfGrid(reader, id, (symbol) => exchange.market(symbol).pair, rowsOfPage(page));
  }

  /**
   * The price with which the results of a grid are computed: that of the pair's last trade; for an ended
   * grid, its `endPrice`; the price at the start if the pair had no trade.
   */
  priceOf({ symbol, startPrice, endPrice }: Pick<Grid, 'symbol' | 'startPrice' | 'endPrice'>): Decimal {
    return endPrice ?? this.parts.exchange.market(symbol).last ?? startPrice;
  }
}

async function requireGrid(reader: Reader, owner: UserId, id: string): Promise<Grid> {
  const grid = await findGrid(reader, owner, id);
  if (grid === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return grid;
}
