import { isUuid } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Reader } from './database.ts';
import { wholeNumber } from './whole-number.ts';

export { PAGED_ROWS_MAX };

/** Which rows of an ordered list to read. */
export interface PagedRows {
  readonly limit: number;
  readonly offset: number;
  /** The first row of the first page: newer rows are left out. */
  readonly anchor?: string | undefined;
}

/** A page as it was asked for. */
export interface AskedPage {
  readonly pageNo: number;
  readonly pageSize: number;
  readonly anchor?: string | undefined;
}

/** The rows of a page; pages count from 1. Refuses one that ends behind what can be paged through. */
export function rowsOfPage({ pageNo, pageSize, anchor }: AskedPage): PagedRows {
  const last = pageNo * pageSize;
  if (last > PAGED_ROWS_MAX) {
    const parameters = { field: 'pageNo', limit: String(PAGED_ROWS_MAX), value: String(last) };
    throw new Refused(refusal('aboveMaximum', 'l.page_depth', parameters));
  }
  return { limit: pageSize, offset: last - pageSize, anchor };
}

/**
 * The rows of a page of an ordered query, and how many it has in all, as far as they can be paged through. An anchor is the
 * id of a row, of a list that is ordered by it, newest first.
 */
export async function readPage<Tables, Names extends keyof Tables, Row>(
  reader: Reader,
  query: SelectQueryBuilder<Tables, Names, Row>,
  { limit, offset, anchor }: PagedRows,
) {
  if (anchor !== undefined && !isUuid(anchor))
    throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'anchor' }));
  const ordered = anchor === undefined ? query : query.where(sql<boolean>`id <= ${anchor}::uuid`);
  const [rows, counted] = await Promise.all([
    ordered.limit(limit).offset(offset).execute(),
    reader
      .selectFrom(ordered.clearOrderBy().limit(PAGED_ROWS_MAX).as('counted'))
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total: wholeNumber(counted.count) };
}
