import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { readBoundedText, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Reader, Store } from '../../platform/database/database.ts';
import type { TreasuryTables } from './tables.ts';

/**
 * Name of a database table with transfers that the signer signs for the exchange. A transfer has ended when
 * `closed_at` of its row is set.
 */
type TransferTable = 'treasury_transfer' | 'treasury_sweep' | 'treasury_return';
type Row<Table extends TransferTable> = Selectable<TreasuryTables[Table]>;
/**
 * For each table of `TransferTable`, the type of the columns that this file reads or changes in all of them.
 */
type SharedColumns = Record<TransferTable, Pick<Row<TransferTable>, 'id' | 'state' | 'closed_at'>>;

/**
 * Stores the row of a new transfer. Returns false, without storing it, if another transfer that has not ended has the
 * same values in the columns `unique`.
 */
export async function insertOpenRow<Table extends TransferTable>(
  store: Store,
  table: Table,
  unique: readonly (keyof TreasuryTables[Table] & string)[],
  row: Insertable<TreasuryTables[Table]>,
): Promise<boolean> {
  const anyTable: TransferTable = table;
  const stored = await store
    .withTables<Record<TransferTable, Record<string, unknown>>>()
    .insertInto(anyTable)
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns([...unique])
        .where('closed_at', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/**
 * Reads the rows of a transfer table whose transfers have not ended, oldest first, at most `limit`; if
 * `network` is undefined, those of all networks.
 */
export function readOpenRows<Table extends TransferTable>(
  reader: Reader,
  table: Table,
  { network, limit }: { readonly network: string | undefined; readonly limit: number },
): Promise<BoundedRows<Row<Table>>> {
  const isOnNetwork = network === undefined ? sql`true` : sql`network = ${network}`;
  const query = sql<Row<Table>>`
    select * from ${sql.table(table)} where closed_at is null and ${isOnNetwork} order by id`;
  return readBoundedText(reader, query, limit);
}

/** Reads the rows of a transfer table whose transfers have ended, newest first, at most `limit`. */
export function readClosedRows<Table extends TransferTable>(
  reader: Reader,
  table: Table,
  limit: number,
): Promise<BoundedRows<Row<Table>>> {
  const query = sql<Row<Table>>`
    select * from ${sql.table(table)} where closed_at is not null order by id desc`;
  return readBoundedText(reader, query, limit);
}

/**
 * Changes the row of a transfer whose state is one of `from`. Columns that are absent or undefined keep their values.
 * Returns false if the row is in another state or does not exist.
 */
export async function changeRow<Table extends TransferTable>(
  store: Store,
  table: Table,
  id: string,
  from: readonly string[],
  columns: Updateable<TreasuryTables[Table]>,
): Promise<boolean> {
  const anyTable: TransferTable = table;
  const changed = await store
    .withTables<SharedColumns>()
    .updateTable(anyTable)
    .set(columns)
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
