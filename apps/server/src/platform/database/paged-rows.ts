import { refusal, Refused } from '@exchange/core/refusal.ts';
import { PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';
import { sql, type Expression, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { wholeNumber } from './whole-number.ts';

import type { ListPage, PagedRows } from '../list-page.ts';

export { type AskedPage, type ListPage, mapPage, type PagedRows, rowsOfPage } from '../list-page.ts';
export { PAGED_ROWS_MAX };

/** The first `limit` rows of a list. */
export function firstRows(limit: number): PagedRows {
  return {
    limit,
    offset: 0,
    anchor: undefined,
    after: undefined,
  };
}

/** How a column's values are written in a place. None of them can be read in two ways when they are joined by hyphens. */
const WRITTEN = {
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  bigint: '\\d{1,18}',
  integer: '\\d{1,9}',
  text: '[0-9A-Za-z]{1,40}',
} as const;

/** A column of a list's order. */
export interface OrderColumn {
  readonly name: string;
  readonly type: keyof typeof WRITTEN;
  /** Small values first; without it, large ones. */
  readonly isAscending?: boolean;
}

type Condition = RawBuilder<boolean>;

/**
 * The order of a list: columns that together name one row. Every paged query is ordered by one and narrowed by its places,
 * which is why no row is repeated or passed over while rows arrive.
 */
export class ListOrder {
  private readonly columns: readonly OrderColumn[];
  private readonly written: RegExp;

  constructor(columns: readonly OrderColumn[]) {
    this.columns = columns;
    this.written = new RegExp(`^${columns.map(({ type }) => `(${WRITTEN[type]})`).join('-')}$`);
  }

  /** The place of a row in the list, as text for an answer. */
  placeOf(row: object): string {
    const values = new Map<string, unknown>(Object.entries(row));
    return this.columns.map(({ name }) => String(values.get(name))).join('-');
  }

  /** What follows `order by`. */
  get by(): RawBuilder<unknown> {
    return sql`${sql.join(
      this.columns.map(
        ({ name, isAscending }) => sql`${sql.ref(name)} ${sql.raw(isAscending ? 'asc' : 'desc')}`,
      ),
    )}`;
  }

  /** Leaves out the rows before the anchor. Refuses an anchor that is no place of this list. */
  from({ anchor }: Pick<PagedRows, 'anchor'>): Condition {
    if (anchor === undefined) return sql<boolean>`true`;
    return this.compare(this.read(anchor, 'anchor'), { isIncluded: true });
  }

  /** Leaves out the rows up to `after`, that row included. Refuses a text that is no place of this list. */
  behind({ after }: Pick<PagedRows, 'after'>): Condition {
    if (after === undefined) return sql<boolean>`true`;
    return this.compare(this.read(after, 'after'), { isIncluded: false });
  }

  /** The values of a place's columns, the first one first. Refuses a text that is no place of this list; `field` carried it. */
  read(place: string, field: 'anchor' | 'after'): readonly string[] {
    const values = this.written.exec(place);
    if (values === null) throw new Refused(refusal('invalidField', 'l.field_invalid', { field }));
    return values.slice(1);
  }

  private compare(values: readonly string[], { isIncluded }: { readonly isIncluded: boolean }): Condition {
    const sides = this.columns.map(({ name, type, isAscending = false }, at) => ({
      column: sql.ref(name),
      value: sql`${values[at]}::${sql.raw(type)}`,
      isAscending,
    }));
    const [first] = sides;
    if (first !== undefined && sides.every(({ isAscending }) => isAscending === first.isAscending)) {
      const columns = sql.join(sides.map(({ column }) => column));
      const place = sql.join(sides.map(({ value }) => value));
      const sign = sql.raw(`${first.isAscending ? '>' : '<'}${isIncluded ? '=' : ''}`);
      return sql<boolean>`(${columns}) ${sign} (${place})`;
    }
    return alternating(sides, isIncluded);
  }
}

interface ComparedColumn {
  readonly column: RawBuilder<unknown>;
  readonly value: RawBuilder<unknown>;
  readonly isAscending: boolean;
}

/**
 * Compares columns of which some ascend and some descend. The first column is bounded by itself besides, so that an index
 * that begins with it is read from there.
 */
function alternating(sides: readonly ComparedColumn[], isIncluded: boolean): Condition {
  const beyond = sides.reduceRight<Condition>(
    (rest, { column, value, isAscending }) =>
      sql<boolean>`(${column} ${sql.raw(isAscending ? '>' : '<')} ${value} or (${column} = ${value} and ${rest}))`,
    isIncluded ? sql<boolean>`true` : sql<boolean>`false`,
  );
  const { column, value, isAscending } = sides[0]!;
  return sql<boolean>`${column} ${sql.raw(isAscending ? '>=' : '<=')} ${value} and ${beyond}`;
}

/** The newest first, of rows whose id was made when they were. */
export const BY_ID = new ListOrder([{ name: 'id', type: 'uuid' }]);

/**
 * The rows of a page, in `order`, and how many the list has in all. `rows` is a query without order and limit; it becomes a
 * subquery that PostgreSQL flattens, so indexes serve as if it were written out.
 */
export async function readPage<Row extends object>(
  reader: QueryExecutorProvider,
  rows: Expression<Row>,
  order: ListOrder,
  page: PagedRows,
): Promise<ListPage<Row>> {
  const from = order.from(page);
  const [found, total] = await Promise.all([
    sql<Row>`
      select * from (${rows}) as listed where ${from} and ${order.behind(page)}
      order by ${order.by} limit ${page.limit + 1} offset ${page.offset}
    `.execute(reader),
    countUpToMost(reader, sql`select from (${rows}) as listed where ${from}`),
  ]);
  return listPage(found.rows, total, order, page);
}

/** How many rows a query has, counted up to `PAGED_ROWS_MAX`. */
export async function countUpToMost(
  reader: QueryExecutorProvider,
  rows: Expression<unknown>,
): Promise<number> {
  const { rows: counted } = await sql<{ count: bigint }>`
    select count(*) as count from (${rows} limit ${PAGED_ROWS_MAX}) as counted`.execute(reader);
  return wholeNumber(counted[0]?.count ?? 0n);
}

/** A page made of up to `limit + 1` rows from its first on: the last shows whether there are more. */
export function listPage<Row extends object>(
  found: readonly Row[],
  total: number,
  order: ListOrder,
  { limit, offset, anchor, after }: PagedRows,
): ListPage<Row> {
  const list = found.slice(0, limit);
  const first = list[0];
  const last = list.at(-1);
  const isFirst = offset === 0 && after === undefined;
  return {
    list,
    total,
    anchor: anchor ?? (isFirst && first !== undefined ? order.placeOf(first) : undefined),
    next: found.length > limit && last !== undefined ? order.placeOf(last) : undefined,
  };
}
