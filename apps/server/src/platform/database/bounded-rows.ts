import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';
import type { Reader } from './database.ts';
import { wholeNumber } from './whole-number.ts';

/** The first rows of a list that is read up to a bound, and how many the list has. A cap that a reader cannot see is a defect. */
export interface BoundedRows<Row> {
  readonly list: readonly Row[];
  /** All rows of the list, counted up to `PAGED_ROWS_MAX`. */
  readonly total: number;
  /** Whether there are rows behind those in `list`. */
  readonly hasMore: boolean;
}

/**
 * Reads the first `limit` rows of an ordered query. Rows are counted only where there are more than that.
 *
 * @param query ordered, the most urgent or the newest row first, without a limit of its own
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

/** The same for a query that is written as text: `query` ends with its `order by`. */
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

/** The same list with each row made into something else. */
export function mapBounded<Row, Made>(
  { list, ...rest }: BoundedRows<Row>,
  make: (row: Row) => Made,
): BoundedRows<Made> {
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
