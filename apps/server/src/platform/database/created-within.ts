import { firstIdAt } from '@exchange/core/ids.ts';
import { HOUR_MS } from '@exchange/core/time.ts';
import { sql, type RawBuilder } from 'kysely';

/**
 * Bounds of the creation time of rows, in milliseconds UTC and inclusive. An undefined bound means no limit on that
 * side.
 */
export interface CreationBounds {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/**
 * Assumed maximum time in milliseconds between the generation of an id and the step that stores its row, because the
 * step may wait in the sequencer's queue.
 */
const ID_MARGIN_MS = HOUR_MS;

/**
 * Returns an SQL condition that selects rows created from `from` to `to` (both inclusive, undefined for no
 * bound). The table has UUIDs of version 7 in `id` and creation times in `created_at`. The condition also
 * bounds the ids, so that an index on the id skips most other rows.
 */
export function createdWithin({ from, to }: CreationBounds): RawBuilder<boolean> {
  const isAfter =
    from === undefined
      ? sql`true`
      : sql`id >= ${firstIdAt(from - ID_MARGIN_MS)}::uuid and created_at >= ${from}::bigint`;
  const isBefore =
    to === undefined
      ? sql`true`
      : sql`id < ${firstIdAt(to + ID_MARGIN_MS)}::uuid and created_at <= ${to}::bigint`;
  return sql<boolean>`(${isAfter} and ${isBefore})`;
}

/**
 * Selects an owner's transfers (deposits or withdrawals) by coin (undefined: every coin), status and creation time, and
 * a page of them.
 */
export interface TransferRange extends CreationBounds {
  readonly asset: string | undefined;
  /** Stored numbers of the statuses to select; undefined selects all statuses. */
  readonly statuses: readonly number[] | undefined;
  readonly limit: number;
  readonly offset: number;
}
