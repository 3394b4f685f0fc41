import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { GridSpacing } from '@exchange/core/spot-grid.ts';
import { instant } from '@exchange/core/time.ts';
import type { Selectable } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import {
  ListOrder,
  mapPage,
  readPage,
  type ListPage,
  type PagedRows,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Grid, GridCell, GridEnding } from './domain/grid.ts';
import type { SpotOrder } from './domain/order.ts';
import { orderOf, ordersWithTerms } from './repository.ts';
import type { SpotTables } from './tables.ts';

type GridRow = Selectable<SpotTables['spot_grid']>;
type LevelRow = Selectable<SpotTables['spot_grid_level']>;

/** The running grids of all accounts. */
export async function openGrids(reader: Reader): Promise<Grid[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_grid')
    .selectAll()
    .where('ending', 'is', null)
    .orderBy('id')
    .execute();
  return withCells(reader, rows);
}

/** A grid of a user, running or ended; undefined when it is missing or belongs to another user. */
export async function findGrid(reader: Reader, owner: UserId, id: string): Promise<Grid | undefined> {
  const [grid] = await gridsWithIds(reader, [id]);
  return grid?.owner === owner ? grid : undefined;
}

/** The grids, running or ended, with one of these ids, in no order. An id without a grid is left out. */
export async function gridsWithIds(reader: Reader, ids: readonly string[]): Promise<Grid[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_grid')
    .selectAll()
    .where('id', 'in', ids)
    .execute();
  return withCells(reader, rows);
}

/** The open orders of a grid, from the lowest price to the highest. */
export async function openOrdersOfGrid(
  reader: Reader,
  grid: string,
  pairOf: (symbol: string) => Pair,
): Promise<SpotOrder[]> {
  const rows = await ordersWithTerms(reader)
    .innerJoin('spot_grid_level', 'spot_grid_level.order_id', 'spot_order.id')
    .selectAll(['spot_order', 'spot_order_terms'])
    .where('spot_grid_level.grid', '=', grid)
    .orderBy('spot_grid_level.level')
    .execute();
  return rows.map((row) => ({ ...orderOf(row, row, pairOf), parentId: grid }));
}

async function withCells(reader: Reader, grids: readonly GridRow[]): Promise<Grid[]> {
  if (grids.length === 0) return [];
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_grid_level')
    .selectAll()
    .where(
      'grid',
      'in',
      grids.map(({ id }) => id),
    )
    .orderBy('level')
    .execute();
  const cells = new Map<string, GridCell[]>(grids.map(({ id }) => [id, []]));
  for (const row of rows) cells.get(row.grid)!.push(cellOf(row));
  return grids.map((row) => gridOf(row, cells.get(row.id)!));
}

function cellOf({ grid, level, order_id: orderId, turn, cost, bought }: LevelRow): GridCell {
  return {
    grid,
    level,
    orderId: (orderId ?? undefined) as OrderId | undefined,
    turn: wholeNumber(turn),
    purchase:
      cost === null || bought === null
        ? undefined
        : { cost: Decimal.parse(cost), bought: Decimal.parse(bought) },
  };
}

function gridOf(row: GridRow, cells: readonly GridCell[]): Grid {
  const startCost = Decimal.parse(row.start_cost);
  const startQuote = Decimal.parse(row.start_quote);
  return {
    id: row.id,
    owner: row.owner as UserId,
    symbol: row.symbol,
    lowerPrice: Decimal.parse(row.lower_price),
    upperPrice: Decimal.parse(row.upper_price),
    levels: row.levels,
    spacing: row.spacing as GridSpacing,
    investment: Decimal.parse(row.investment),
    slippage: Decimal.parse(row.slippage),
    makerRate: Decimal.parse(row.maker_rate),
    takerRate: Decimal.parse(row.taker_rate),
    amount: Decimal.parse(row.amount),
    startPrice: Decimal.parse(row.start_price),
    startBase: Decimal.parse(row.start_base),
    startCost,
    startQuote,
    invested: startCost.plus(startQuote),
    allInBase: Decimal.parse(row.all_in_base),
    createdAt: instant(wholeNumber(row.created_at)),
    base: Decimal.parse(row.base),
    quote: Decimal.parse(row.quote),
    baseFee: Decimal.parse(row.base_fee),
    quoteFee: Decimal.parse(row.quote_fee),
    rounds: row.rounds,
    roundProfit: Decimal.parse(row.round_profit),
    placed: row.placed,
    cells,
    ending: (row.ending ?? undefined) as GridEnding | undefined,
    endPrice: row.end_price === null ? undefined : Decimal.parse(row.end_price),
    stopLoss: row.stop_loss === null ? undefined : Decimal.parse(row.stop_loss),
    takeProfit: row.take_profit === null ? undefined : Decimal.parse(row.take_profit),
    sellsAtEnd: row.sells_at_end,
    soldBase: Decimal.parse(row.sold_base),
    soldQuote: Decimal.parse(row.sold_quote),
    updatedAt: instant(wholeNumber(row.updated_at)),
  };
}

const BY_POSITION = new ListOrder([{ name: 'position', type: 'integer' }]);

/** A page of the orders that a grid has placed, newest first. */
export async function ordersOfGrid(
  reader: Reader,
  grid: string,
  pairOf: (symbol: string) => Pair,
  page: PagedRows,
): Promise<ListPage<SpotOrder>> {
  const orders = ordersWithTerms(reader)
    .innerJoin('spot_grid_order', 'spot_grid_order.order_id', 'spot_order.id')
    .selectAll(['spot_order', 'spot_order_terms'])
    .select('spot_grid_order.position')
    .where('spot_grid_order.grid', '=', grid);
  return mapPage(await readPage(reader, orders, BY_POSITION, page), (row) => orderOf(row, row, pairOf));
}
