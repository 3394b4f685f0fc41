import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';
import type { Reader } from './database.ts';
import { wholeNumber } from './whole-number.ts';

/** The first rows of a list, with the number of all its rows, which is counted only up to a limit. */
export interface BoundedRows<Row> {
  readonly list: readonly Row[];
  /** Number of rows in the whole list, counted only up to `PAGED_ROWS_MAX`. */
  readonly total: number;
  /** Whether the whole list has more rows than the property `list` contains. */
  readonly hasMore: boolean;
}

/**
 * Reads the first `limit` rows of an ordered query. Counts the rows, up to `PAGED_ROWS_MAX`, only if there are more
 * than `limit`.
 *
 * @param query ordered, with the most urgent or newest row first, and without a limit
 */
export async function readBounded<Tables, Names extends keyof Tables, Row>(
  reader: Reader,
  query: SelectQueryBuilder<Tables, Names, Row>,
  limit: number,
): Promise<BoundedRows<Row>> {
  const rows = await query.limit(limit + 1).execute();
  return boundedOf(rows, limit, async () => {
    const { count } = await reader
      .selectFrom(query.clearOrderBy().limit(PAGED_ROWS_MAX).as('counted'))
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow();
    return wholeNumber(count);
  });
}

/** Reads the first rows like `readBounded`, for a query given as SQL text. The text must end with its `order by`. */
export async function readBoundedText<Row>(
  reader: Reader,
  query: RawBuilder<Row>,
  limit: number,
): Promise<BoundedRows<Row>> {
  const { rows } = await sql<Row>`${query} limit ${limit + 1}`.execute(reader);
  return boundedOf(rows, limit, async () => {
    const counted = await sql<{ count: bigint }>`
      select count(*) as count from (${query} limit ${PAGED_ROWS_MAX}) as counted`.execute(reader);
    return wholeNumber(counted.rows[0]!.count);
  });
}

/** Converts each of the read rows by `make`; the number of all rows stays the same. */
export function mapBounded<Row, Mapped>(
  { list, ...rest }: BoundedRows<Row>,
  make: (row: Row) => Mapped,
): BoundedRows<Mapped> {
  return { list: list.map(make), ...rest };
}

async function boundedOf<Row>(
  rows: readonly Row[],
  limit: number,
  count: () => Promise<number>,
): Promise<BoundedRows<Row>> {
  if (rows.length <= limit) return { list: rows, total: rows.length, hasMore: false };
  return { list: rows.slice(0, limit), total: await count(), hasMore: true };
}
