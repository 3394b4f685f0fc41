import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** A row in COPY's text format: its cells in the order of the query's columns, null for NULL. */
export type CopiedRow = readonly (string | null)[];

/** Runs a `select` without parameters by COPY, and calls `onRow` for every row as it arrives. */
export type CopyRows = (select: string, onRow: (cells: CopiedRow) => void) => Promise<void>;

/**
 * Calls `work` with a function that reads rows with COPY, which delivers the first rows while the database still
 * produces further ones. All reads of `work` see the same snapshot and have no timeout.
 */
export async function copyingOut<T>(
  pool: Pick<pg.Pool, 'connect'>,
  work: (copy: CopyRows) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0');
    const result = await work((select, onRow) => copyRows(client, select, onRow));
    await client.query('commit');
    return result;
  } catch (cause) {
    failure = cause instanceof Error ? cause : new Error(String(cause));
    throw cause;
  } finally {
    // After a failure the state of the connection is unknown, so it is closed instead of returned to the pool.
    client.release(failure);
  }
}

/** Selects a table's columns for COPY and converts its rows to the types of the query builder. */
export interface CopiedTable<Row> {
  /** An SQL `select` of the table's columns, to which `where …` can be appended. */
  readonly select: string;
  read(cells: CopiedRow): Row;
}

const READERS: ReadonlyMap<string, (text: string) => unknown> = new Map<string, (text: string) => unknown>([
  ['bigint', BigInt],
  ['boolean', (text) => text === 't'],
]);

/**
 * Describes a table for COPY. `columns` maps each column to its SQL type. Cells of the types `bigint` and `boolean` are
 * converted. Cells of all other types stay text.
 */
export function copiedTable<Row>(
  table: string,
  columns: { readonly [Column in keyof Row & string]: string },
): CopiedTable<Row> {
  const names = Object.keys(columns);
  const readers = Object.values<string>(columns).map((type) => READERS.get(type));
  return {
    select: `select ${names.join(', ')} from ${table}`,
    read: (cells) => {
      const row: Record<string, unknown> = {};
      for (let index = 0; index < names.length; index += 1) {
        const [cell, reader] = [cells[index]!, readers[index]];
        row[names[index]!] = cell === null || reader === undefined ? cell : reader(cell);
      }
      return row as Row;
    },
  };
}

async function copyRows(
  client: pg.PoolClient,
  select: string,
  onRow: (cells: CopiedRow) => void,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of client.query(copyTo(`copy (${select}) to stdout`)) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    // Line ends inside cells are escaped, so every line end terminates a row.
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, start)) {
      onRow(cellsOf(bytes.subarray(start, end + 1)));
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

const TAB = 0x09;
const LINE_END = 0x0a;
const BACKSLASH = 0x5c;

/**
 * Splits a line of COPY's text into cells. Each cell is decoded separately, because a substring of a decoded line would
 * keep the whole line in memory.
 */
function cellsOf(line: Buffer): CopiedRow {
  const cells: (string | null)[] = [];
  let start = 0;
  let isEscaped = false;
  for (let index = 0; index < line.length; index += 1) {
    const byte = line[index];
    if (byte === BACKSLASH) isEscaped = true;
    else if (byte === TAB || byte === LINE_END) {
      cells.push(
        isEscaped ? unescaped(line.toString('utf8', start, index)) : line.toString('utf8', start, index),
      );
      start = index + 1;
      isEscaped = false;
    }
  }
  return cells;
}

const NULL = String.raw`\N`;
const ESCAPED = /\\(.)/gs;
const CONTROLS = new Map(Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }));

function unescaped(text: string): string | null {
  return text === NULL
    ? null
    : text.replaceAll(ESCAPED, (_, escaped: string) => CONTROLS.get(escaped) ?? escaped);
}
