import type { Decimal } from '@exchange/core/decimal.ts';
import type { Grid } from './grid.ts';
import { OpenParents } from './open-parents.ts';

/** A running grid that a trade price has reached, with the ending that its stop-loss or take-profit price causes. */
export interface ReachedGrid {
  readonly grid: Grid;
  readonly ending: 'stopLoss' | 'takeProfit';
  /** The price of the trade that reached the grid's exit price. */
  readonly price: Decimal;
}

/** The running grids, and those of each pair by their stop-loss and take-profit prices. */
export class RunningGrids extends OpenParents<Grid> {
  private readonly exits = new Map<string, PairExits>();

  override add(grid: Grid): void {
    super.add(grid);
    const { symbol, stopLoss, takeProfit } = grid;
    if (stopLoss === undefined && takeProfit === undefined) return;
    let exits = this.exits.get(symbol);
    if (exits === undefined) {
      exits = { stopLosses: new SortedGrids(), takeProfits: new SortedGrids() };
      this.exits.set(symbol, exits);
    }
    if (stopLoss !== undefined) exits.stopLosses.add(stopLoss, grid);
    if (takeProfit !== undefined) exits.takeProfits.add(takeProfit, grid);
  }

  override remove(grid: Grid): void {
    super.remove(grid);
    this.forget(grid);
  }

  override clear(): void {
    super.clear();
    this.exits.clear();
  }

  /**
   * The grids of a pair that a trade at this price reaches, each of which is returned once: those with a stop-loss
   * price at or above it, the highest first, then those with a take-profit price at or below it, the lowest first;
   * among equal prices in the order of the grids' ids. The grids must be ended in the same step.
   */
  takeReached(symbol: string, price: Decimal): readonly ReachedGrid[] {
    const exits = this.exits.get(symbol);
    if (exits === undefined) return NONE;
    const stopped = exits.stopLosses.highest?.isLess(price) === false ? exits.stopLosses.from(price) : NONE;
    const taken = exits.takeProfits.lowest?.isMore(price) === false ? exits.takeProfits.upTo(price) : NONE;
    if (stopped.length === 0 && taken.length === 0) return NONE;
    const reached: ReachedGrid[] = [];
    for (const grid of stopped) reached.push({ grid, ending: 'stopLoss', price });
    for (const grid of taken) reached.push({ grid, ending: 'takeProfit', price });
    for (const { grid } of reached) this.forget(grid);
    return reached;
  }

  /** Removes a grid from the grids that are found by stop-loss or take-profit price. */
  private forget(grid: Grid): void {
    const exits = this.exits.get(grid.symbol);
    if (exits === undefined) return;
    if (grid.stopLoss !== undefined) exits.stopLosses.remove(grid.stopLoss, grid);
    if (grid.takeProfit !== undefined) exits.takeProfits.remove(grid.takeProfit, grid);
    if (exits.stopLosses.isEmpty && exits.takeProfits.isEmpty) this.exits.delete(grid.symbol);
  }
}

const NONE: readonly never[] = [];

/** A text that sorts after every id. */
const AFTER_IDS = '~';

interface PairExits {
  readonly stopLosses: SortedGrids;
  readonly takeProfits: SortedGrids;
}

interface Entry {
  readonly price: Decimal;
  readonly grid: Grid;
}

/** Grids sorted by one of their exit prices (stop-loss or take-profit) and then by id, found by binary search. */
class SortedGrids {
  private readonly entries: Entry[] = [];

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  get lowest(): Decimal | undefined {
    return this.entries[0]?.price;
  }

  get highest(): Decimal | undefined {
    return this.entries.at(-1)?.price;
  }

  add(price: Decimal, grid: Grid): void {
    this.entries.splice(this.indexOf(price, grid.id), 0, { price, grid });
  }

  /** Removes a grid that was added with the exit price `price`; does nothing if it is absent. */
  remove(price: Decimal, grid: Grid): void {
    const index = this.indexOf(price, grid.id);
    if (this.entries[index]?.grid.id === grid.id) this.entries.splice(index, 1);
  }

  /**
   * The grids whose exit price is `price` or above, the highest exit price first, grids of one exit price by
   * id.
   */
  from(price: Decimal): readonly Grid[] {
    return this.entries
      .slice(this.indexOf(price, ''))
      .sort((first, second) => compared(second.price, first.price) || comparedIds(first.grid, second.grid))
      .map(({ grid }) => grid);
  }

  /**
   * The grids whose exit price is `price` or below, the lowest exit price first, grids of one exit price by
   * id.
   */
  upTo(price: Decimal): readonly Grid[] {
    return this.entries.slice(0, this.indexOf(price, AFTER_IDS)).map(({ grid }) => grid);
  }

  /** The index of the first entry that is not before this price and id. */
  private indexOf(price: Decimal, id: string): number {
    let [from, to] = [0, this.entries.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const entry = this.entries[middle]!;
      const order = compared(entry.price, price);
      if (order < 0 || (order === 0 && entry.grid.id < id)) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function compared(first: Decimal, second: Decimal): number {
  if (first.isLess(second)) return -1;
  return first.isMore(second) ? 1 : 0;
}

function comparedIds(first: Grid, second: Grid): number {
  return first.id < second.id ? -1 : 1;
}
