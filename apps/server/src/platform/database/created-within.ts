import { firstIdAt } from '@exchange/core/ids.ts';
import { HOUR_MS } from '@exchange/core/time.ts';
import { sql, type RawBuilder } from 'kysely';

/** Bounds of a creation time, in milliseconds UTC and inclusive; undefined leaves a side open. */
export interface CreationBounds {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/**
 * Greatest time in milliseconds that is assumed between the generation of an id and the step that stores its row,
 * e.g. while the step waits in the queue.
 */
const ID_MARGIN_MS = HOUR_MS;

/**
 * A condition on rows with a UUID of version 7 as `id` and their time in `created_at`: created within the bounds.
 * The bounds of the ids let an index that ends with the id skip all other rows.
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

/** Filter of an owner's transfers, which are read newest first. */
export interface TransferRange extends CreationBounds {
  readonly asset: string | undefined;
  /** Stored status numbers; undefined for all. */
  readonly statuses: readonly number[] | undefined;
  readonly limit: number;
  readonly offset: number;
}
