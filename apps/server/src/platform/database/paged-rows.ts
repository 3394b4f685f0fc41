import { refusal, Refused } from '@exchange/core/refusal.ts';
import { PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';
import { sql, type Expression, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { wholeNumber } from './whole-number.ts';

import type { ListPage, PagedRows } from '../list-page.ts';

export {
  COUNT_ONLY,
  type RequestedPage as AskedPage,
  type ListPage,
  mapPage,
  type PagedRows,
  rowsOfPage,
} from '../list-page.ts';
export { PAGED_ROWS_MAX };

/** Returns the selection of only the first `limit` rows of a list, for a read without pages. */
export function firstRows(limit: number): PagedRows {
  return {
    limit,
    offset: 0,
    anchor: undefined,
    after: undefined,
  };
}

/**
 * Patterns of column values, by type. A position in a list is the row's values joined by hyphens; with these patterns
 * it can be split unambiguously.
 */
const VALUE_PATTERNS = {
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  bigint: '\\d{1,18}',
  integer: '\\d{1,9}',
  text: '[0-9A-Za-z]{1,40}',
} as const;

/** A column by which the rows of a list are ordered. */
export interface OrderColumn {
  readonly name: string;
  readonly type: keyof typeof VALUE_PATTERNS;
  /** Whether rows are ordered from the smallest value to the largest; by default from the largest to the smallest. */
  readonly isAscending?: boolean;
}

type Condition = RawBuilder<boolean>;

/**
 * The order of a list, by columns that together identify a row. Pages are delimited by the positions of rows instead of
 * by their numbers, so that no row is repeated or skipped when rows are added between two pages.
 */
export class ListOrder {
  private readonly columns: readonly OrderColumn[];
  private readonly placePattern: RegExp;

  constructor(columns: readonly OrderColumn[]) {
    this.columns = columns;
    this.placePattern = new RegExp(`^${columns.map(({ type }) => `(${VALUE_PATTERNS[type]})`).join('-')}$`);
  }

  /** Returns the position of a row in the list, as text that the answer with a page contains. */
  placeOf(row: object): string {
    const values = new Map<string, unknown>(Object.entries(row));
    return this.columns.map(({ name }) => String(values.get(name))).join('-');
  }

  /** Returns the part of an SQL query after `order by`. */
  get by(): RawBuilder<unknown> {
    return sql`${sql.join(
      this.columns.map(
        ({ name, isAscending }) => sql`${sql.ref(name)} ${sql.raw(isAscending ? 'asc' : 'desc')}`,
      ),
    )}`;
  }

  /**
   * Returns an SQL condition that skips the rows before the anchor, which is the position of the first row of
   * the first page. Without an anchor no row is skipped. Throws `Refused` if the anchor is not a position in
   * this list.
   */
  fromAnchor({ anchor }: Pick<PagedRows, 'anchor'>): Condition {
    if (anchor === undefined) return sql<boolean>`true`;
    return this.compare(this.read(anchor, 'anchor'), { isIncluded: true });
  }

  /**
   * Returns an SQL condition that skips the rows up to and including the position `after`; without `after` no
   * row is skipped. Throws `Refused` if `after` is not a position in this list.
   */
  afterPlace({ after }: Pick<PagedRows, 'after'>): Condition {
    if (after === undefined) return sql<boolean>`true`;
    return this.compare(this.read(after, 'after'), { isIncluded: false });
  }

  /**
   * Parses a position in a list into the values of its columns, in order. Throws `Refused`, with the name `field`, for
   * a text that is no position.
   */
  read(place: string, field: 'anchor' | 'after'): readonly string[] {
    const values = this.placePattern.exec(place);
    if (values === null) throw new Refused(refusal('invalidField', 'l.field_invalid', { field }));
    return values.slice(1);
  }

  private compare(values: readonly string[], { isIncluded }: { readonly isIncluded: boolean }): Condition {
    const sides = this.columns.map(({ name, type, isAscending = false }, index) => ({
      column: sql.ref(name),
      value: sql`${values[index]}::${sql.raw(type)}`,
      isAscending,
    }));
    const [first] = sides;
    if (first !== undefined && sides.every(({ isAscending }) => isAscending === first.isAscending)) {
      const columns = sql.join(sides.map(({ column }) => column));
      const place = sql.join(sides.map(({ value }) => value));
      const sign = sql.raw(`${first.isAscending ? '>' : '<'}${isIncluded ? '=' : ''}`);
      return sql<boolean>`(${columns}) ${sign} (${place})`;
    }
    return mixedComparison(sides, isIncluded);
  }
}

interface ComparedColumn {
  readonly column: RawBuilder<unknown>;
  readonly value: RawBuilder<unknown>;
  readonly isAscending: boolean;
}

/**
 * Returns an SQL comparison of columns with mixed directions. The first column is also bounded separately, so
 * that an index on it can be used.
 */
function mixedComparison(sides: readonly ComparedColumn[], isIncluded: boolean): Condition {
  const comparison = sides.reduceRight<Condition>(
    (rest, { column, value, isAscending }) =>
      sql<boolean>`(${column} ${sql.raw(isAscending ? '>' : '<')} ${value} or (${column} = ${value} and ${rest}))`,
    isIncluded ? sql<boolean>`true` : sql<boolean>`false`,
  );
  const { column, value, isAscending } = sides[0]!;
  return sql<boolean>`${column} ${sql.raw(isAscending ? '>=' : '<=')} ${value} and ${comparison}`;
}

/** The order of a list whose rows have a UUID of version 7 in `id`: newest first. */
export const BY_ID = new ListOrder([{ name: 'id', type: 'uuid' }]);

/**
 * Reads a page in `order`, and counts the rows from the anchor on, up to `PAGED_ROWS_MAX`. `rows` is a query without
 * order and limit.
 */
export async function readPage<Row extends object>(
  reader: QueryExecutorProvider,
  rows: Expression<Row>,
  order: ListOrder,
  page: PagedRows,
): Promise<ListPage<Row>> {
  const isFromAnchor = order.fromAnchor(page);
  const [result, total] = await Promise.all([
    sql<Row>`
      select * from (${rows}) as listed where ${isFromAnchor} and ${order.afterPlace(page)}
      order by ${order.by} limit ${page.limit + 1} offset ${page.offset}
    `.execute(reader),
    countUpToMost(reader, sql`select from (${rows}) as listed where ${isFromAnchor}`),
  ]);
  return listPage(result.rows, total, order, page);
}

/** Counts the rows of a query, up to `PAGED_ROWS_MAX`. */
export async function countUpToMost(
  reader: QueryExecutorProvider,
  rows: Expression<unknown>,
): Promise<number> {
  const { rows: counted } = await sql<{ count: bigint }>`
    select count(*) as count from (${rows} limit ${PAGED_ROWS_MAX}) as counted`.execute(reader);
  return wholeNumber(counted[0]?.count ?? 0n);
}

/**
 * Builds a page of at most `limit` rows from up to `limit + 1` rows that were read. The extra row is not part of the
 * page; it only shows that further rows follow.
 */
export function listPage<Row extends object>(
  rows: readonly Row[],
  total: number,
  order: ListOrder,
  { limit, offset, anchor, after }: PagedRows,
): ListPage<Row> {
  const list = rows.slice(0, limit);
  const first = list[0];
  const last = list.at(-1);
  const isFirst = offset === 0 && after === undefined;
  return {
    list,
    total,
    anchor: anchor ?? (isFirst && first !== undefined ? order.placeOf(first) : undefined),
    next: rows.length > limit && last !== undefined ? order.placeOf(last) : undefined,
  };
}
