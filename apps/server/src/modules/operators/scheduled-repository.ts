import type { Instant } from '@exchange/core/time.ts';
import type { Selectable, Updateable } from 'kysely';
import { readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import type { OperatorTables } from './tables.ts';

const WAITING_SHOWN = 500;
const ENDED_SHOWN = 50;
const DUE_AT_ONCE = 20;
const tables = tablesOf<OperatorTables>();

export type ScheduledRow = Selectable<OperatorTables['operator_scheduled']>;

export async function insertScheduled(store: Store, row: ScheduledRow): Promise<void> {
  await tables(store).insertInto('operator_scheduled').values(row).execute();
}

export async function scheduledRow(reader: Reader, id: string): Promise<ScheduledRow | undefined> {
  return tables(reader).selectFrom('operator_scheduled').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Scheduled calls for the console: at most 500 that have not ended, those with the earliest start first, then at most
 * 50 that have ended, those that ended last first.
 */
export async function scheduledRows(reader: Reader): Promise<BoundedRows<ScheduledRow>> {
  const rows = tables(reader).selectFrom('operator_scheduled').selectAll();
  const open = await readBounded(
    reader,
    rows.where('ended_at', 'is', null).orderBy('starts_at'),
    WAITING_SHOWN,
  );
  const ended = await readBounded(
    reader,
    rows.where('ended_at', 'is not', null).orderBy('ended_at', 'desc'),
    ENDED_SHOWN,
  );
  return {
    list: [...open.list, ...ended.list],
    total: open.total + ended.list.length,
    hasMore: open.hasMore,
  };
}

/**
 * The waiting calls whose start time has passed, those with the earliest start first. One query reads a limited number;
 * the next run reads further ones.
 */
export async function dueRows(reader: Reader, now: Instant): Promise<BoundedRows<ScheduledRow>> {
  const due = tables(reader)
    .selectFrom('operator_scheduled')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('starts_at', '<=', BigInt(now));
  return readBounded(reader, due.orderBy('starts_at').orderBy('id'), DUE_AT_ONCE);
}

/** Changes a call's state. Returns false if it was not in state `from`. */
export async function changeScheduled(
  store: Store,
  { id, from }: { readonly id: string; readonly from: ScheduledRow['state'] },
  change: Updateable<OperatorTables['operator_scheduled']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(store)
    .updateTable('operator_scheduled')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Sets the state of calls that were running when the server stopped to `waiting`, with the text `result`. It is unknown
 * whether these calls took effect.
 */
export async function requeueInterrupted(store: Store, result: string): Promise<void> {
  await tables(store)
    .updateTable('operator_scheduled')
    .set({ state: 'waiting', result })
    .where('state', '=', 'running')
    .execute();
}
