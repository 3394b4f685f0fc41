import { Decimal } from '@exchange/core/decimal.ts';
import { firstIdAt, instantOfId, isUuid, type UserId } from '@exchange/core/ids.ts';
import { HOUR_MS } from '@exchange/core/time.ts';
import type { Role } from '@exchange/wire/operation.ts';
import { sql, type RawBuilder } from 'kysely';
import type { RecordQuery, RecordRow, RecordSource } from '../console/records.ts';
import type { Reader } from './database.ts';

/**
 * Values of a table's row by camel-case column name. Decimals have no trailing zeros. Missing values are empty texts.
 */
export type RecordValues = Readonly<Record<string, string>>;

interface RecordText {
  readonly event: string;
  readonly amount?: string | undefined;
  readonly asset?: string | undefined;
  readonly status?: string | undefined;
}

/**
 * Describes how operators find and see the rows of a table. The table's ids are UUIDs of version 7, and it has an index
 * on owner and id.
 */
export interface TableRecords {
  readonly kind: string;
  readonly roles?: readonly Role[];
  readonly table: string;
  /** Names of the columns of the table that are read and shown, in this order. */
  readonly columns: readonly string[];
  /** Additional values of a row that SQL computes, by name. */
  readonly computed?: Readonly<Record<string, RawBuilder<unknown>>>;
  /** The column with the row's creation time in milliseconds UTC. By default the time is taken from the id. */
  readonly at?: string;
  /** Names of those `columns` that contain times in milliseconds. */
  readonly times?: readonly string[];
  /** An additional SQL condition for the rows that operators may see; absent for all rows. */
  readonly where?: RawBuilder<unknown>;
  /** Additional SQL conditions by which an operators' search finds rows. Each condition needs an index. */
  readonly named?: (query: RecordQuery) => readonly RawBuilder<unknown>[];
  readonly describe: (values: RecordValues) => RecordText;
}

/**
 * Assumed maximum time in milliseconds between the generation of an id and the creation time that its step stores with
 * the row.
 */
const ID_MARGIN_MS = HOUR_MS;

/** Returns the rows of one table as a source of records for operators. */
export function recordsOfTable(reader: Reader, records: TableRecords): RecordSource {
  const { table, at, where = sql`true` } = records;
  const toRow = (row: Record<string, string | null>) => rowOfTable(records, row);
  const selected = sql`select id::text, owner::text, ${at === undefined ? sql`null` : sql.ref(at)}::text as at,
    ${sql.join(valuesOf(records).map(([name, value]) => sql`(${value})::text as ${sql.id(`c_${name}`)}`))}
    from ${sql.table(table)}`;
  const read = async (condition: RawBuilder<unknown>, limit: number) => {
    const { rows } = await sql<Record<string, string | null>>`
      ${selected} where ${condition} and ${where} order by ${sql.ref(`${table}.id`)} desc limit ${limit}`.execute(
      reader,
    );
    return rows.map(toRow);
  };
  return {
    kind: records.kind,
    ...(records.roles === undefined ? {} : { roles: records.roles }),
    find: async (query, limit) => {
      const conditions = [
        ...(query.id === undefined ? [] : [sql`id = ${query.id}::uuid`]),
        ...(records.named?.(query) ?? []),
      ];
      const found = await Promise.all(conditions.map((condition) => read(condition, limit)));
      return [...new Map(found.flat().map((row) => [row.id, row])).values()].slice(0, limit);
    },
    page: (owner, { before, from, to, limit }) => {
      const bounds = [
        sql`owner = ${owner}::uuid`,
        ...(before !== undefined && isUuid(before) ? [sql`id < ${before}::uuid`] : []),
        ...(from === undefined ? [] : [sql`id >= ${firstIdAt(from - ID_MARGIN_MS)}::uuid`]),
        ...(to === undefined ? [] : [sql`id < ${firstIdAt(to + ID_MARGIN_MS)}::uuid`]),
        ...(at === undefined || from === undefined ? [] : [sql`${sql.ref(at)} >= ${from}::bigint`]),
        ...(at === undefined || to === undefined ? [] : [sql`${sql.ref(at)} <= ${to}::bigint`]),
      ];
      return read(sql.join(bounds, sql` and `), limit);
    },
    open: async (id) => (isUuid(id) ? (await read(sql`id = ${id}::uuid`, 1))[0] : undefined),
  };
}

/** Returns the SQL expressions of all values of a row (columns and computed values), by name. */
function valuesOf({
  columns,
  computed = {},
}: TableRecords): readonly (readonly [string, RawBuilder<unknown>])[] {
  return [...columns.map((name) => [name, sql.ref(name)] as const), ...Object.entries(computed)];
}

function rowOfTable(records: TableRecords, row: Readonly<Record<string, string | null>>): RecordRow {
  const id = row['id'] ?? '';
  const times = new Set(records.times);
  const values = Object.fromEntries(
    valuesOf(records).map(([name]) => {
      const value = row[`c_${name}`] ?? '';
      return [camelCase(name), times.has(name) ? timeText(value) : plainNumber(value)];
    }),
  );
  return recordRow({
    id,
    owner: (row['owner'] ?? undefined) as UserId | undefined,
    at: row['at'] === null ? instantOfId(id) : Number(row['at']),
    cursor: id,
    detail: values,
    ...records.describe(values),
  });
}

/**
 * Returns a timeline row with its label for search results, which consists of the row's event, amount and
 * status.
 */
export function recordRow(row: Omit<RecordRow, 'label'>): RecordRow {
  const { event, amount, asset, status } = row;
  const worth = amount === undefined ? [] : [`${amount} ${asset ?? ''}`.trim()];
  return { ...row, label: [event, ...worth, ...(status === undefined ? [] : [status])].join(', ') };
}

/**
 * Formats a time, given as decimal digits of its milliseconds UTC, as text in UTC to the second. An empty
 * text stays empty.
 */
export function timeText(value: string): string {
  return value === '' ? '' : `${new Date(Number(value)).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Returns a stored decimal without trailing zeros, and any other text unchanged. */
export function plainNumber(value: string): string {
  return /^-?\d+\.\d+$/.test(value) ? Decimal.parse(value).toString() : value;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
