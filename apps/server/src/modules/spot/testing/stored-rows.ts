import { Decimal } from '@exchange/core/decimal.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
} from 'kysely';
import type { CopyRows, Database, Store } from '../../../platform/database/database.ts';
import type { Cell, ColumnType, RowWriter } from '../../../platform/sequencer/row-writer.ts';
import type { BufferedRow } from '../../../platform/sequencer/step.ts';

/** A row as the database driver returns it. */
type Row = Record<string, Exclude<Cell, number>>;

/** A writer's parsed SQL statement: its table, its columns, and the columns that it updates in existing rows. */
interface Statement {
  readonly table: string;
  readonly columns: readonly string[];
  readonly kind: 'insert' | 'upsert' | 'change';
  readonly updated: readonly string[];
}

const INSERT = /^insert into (\w+) \(([^)]*)\)/;
const CONFLICT = / on conflict \([^)]*\) do update set (.*)$/;
/**
 * Pattern of an SQL update of stored rows (`changeWriter`): the key first, then the changed
 * columns.
 */
const CHANGE = /^update (\w+) as t set .* from unnest\(.*\) as r\(([^)]*)\) where/;

/** The tables that `StoredRows` keeps in memory, each with the column that identifies a row. */
const KEYS: Readonly<Record<string, string>> = {
  spot_order: 'id',
  spot_order_terms: 'order_id',
  spot_trade: 'sequence',
  spot_last_price: 'symbol',
  spot_marking: 'symbol',
  spot_pair_status: 'symbol',
};

/** Pattern of a COPY query of open orders or of their terms. */
const COPIED = /^select (.+?) from (spot_order|spot_order_terms) where .*status = 'open'/;
/** Pattern of the ids to which a COPY query is limited. */
const AMONG = /id = any\('\{([^}]*)\}'::uuid\[\]\)/;

/** Pattern of the bucket numbers to which a COPY query is limited. */
const IN_BUCKETS = /= any\('\{([^}]*)\}'::int\[\]\)/;

/** The columns whose sum over the open orders a standby compares. */
const SUMMED = ['price', 'amount', 'filled_amount', 'filled_total', 'fee', 'held'];

/** The columns of optional terms in the left join, for an order without a row of terms. */
const NO_TERMS: Row = {
  stop_price: null,
  expire_at: null,
  group_id: null,
  list_name: null,
  oto_id: null,
  oto_role: null,
  oto_released_at: null,
  cancelled_amount: null,
  exit_status: null,
  entry_id: null,
  session_id: null,
};

/**
 * The tables of spot in memory, as far as its writers and its loading use them. Every step is a batch.
 * The parsed SQL of the writers decides the result, as in PostgreSQL: a column that an update does not
 * set keeps its value, and an update of a missing row changes nothing.
 */
export class StoredRows {
  private readonly statements = new Map<RowWriter<unknown>, Statement>();
  private readonly tables = new Map<string, Map<string, Row>>();
  /** Number of the current batch; it stands for PostgreSQL's transaction number. */
  private transaction = 0n;

  constructor() {
    for (const table of Object.keys(KEYS)) this.tables.set(table, new Map());
  }

  /** Stores the rows of a step in memory: inserts first, then changes. */
  write(rows: readonly BufferedRow[]): void {
    this.transaction += 1n;
    for (const { writer, row } of rows) if (writer.after === undefined) this.put(writer, row, rows);
    for (const { writer, row } of rows) if (writer.after !== undefined) this.put(writer, row, rows);
  }

  /** All rows of an in-memory table in insertion order. */
  all(table: string): Row[] {
    return [...this.tables.get(table)!.values()];
  }

  /** Orders joined with their terms, as the repository reads them. */
  orders(): Row[] {
    const terms = this.tables.get('spot_order_terms')!;
    return this.all('spot_order').map((row) => {
      const more = terms.get(row['id'] as string);
      return more === undefined ? row : { ...row, ...more };
    });
  }

  /** A database over these rows. It supports only the queries of a load and of a standby. */
  database(): Database {
    const rejectWrite = () => Promise.reject(new Error('a load changes nothing'));
    const store = this.store();
    return {
      reader: store,
      own: store,
      replica: { lagging: store },
      store,
      copying: (work) => work(this.copy),
      transaction: rejectWrite,
    };
  }

  private readonly copy: CopyRows = async (select, onRow) => {
    if (select.startsWith('select symbol, count(*)')) {
      for (const cells of this.sums()) onRow(cells);
      return;
    }
    if (select.includes('bit_xor')) {
      for (const cells of this.digests()) onRow(cells);
      return;
    }
    const [, columns = '', table = ''] = COPIED.exec(select) ?? [];
    const ids = AMONG.exec(select)?.[1]?.split(',');
    const buckets = IN_BUCKETS.exec(select)?.[1]?.split(',');
    for (const row of this.all(table)) {
      const isWanted = ids?.includes(idOf(row)) !== false && buckets?.includes(bucketOf(row)) !== false;
      if (!this.isOfOpenOrder(row) || !isWanted) continue;
      onRow(
        columns.split(', ').map((name) => (name.startsWith('uuid_hash') ? bucketOf(row) : cellOf(row, name))),
      );
    }
  };

  private isOfOpenOrder(row: Row): boolean {
    return isOpen(this.tables.get('spot_order')!.get(idOf(row))!);
  }

  /**
   * The rows that the digest query would return; the versions of a bucket themselves stand for PostgreSQL's
   * digest.
   */
  private digests(): string[][] {
    const rows = [...this.all('spot_order'), ...this.all('spot_order_terms')];
    const open = groupBy(
      rows.filter((row) => this.isOfOpenOrder(row)),
      bucketOf,
    );
    return [...open].map(([bucket, versions]) => {
      const texts = versions.map((row) => `${idOf(row)} ${String(row['xmin'])}`);
      return [bucket, String(versions.length), texts.toSorted().join()];
    });
  }

  /** The sums over the open orders of each pair, as PostgreSQL computes them. */
  private sums(): string[][] {
    const open = groupBy(this.all('spot_order').filter(isOpen), (row) => String(row['symbol']));
    return [...open].map(([symbol, rows]) => {
      const ranks = rows.reduce((sum, row) => sum + (row['rank'] as bigint), 0n);
      const values = rows.flatMap((row) => SUMMED.map((name) => Decimal.parse(String(row[name] ?? '0'))));
      const total = values.reduce((sum, value) => sum.plus(value), Decimal.zero);
      return [symbol, String(rows.length), String(ranks), total.toString()];
    });
  }

  private store(): Store {
    const answer = (query: CompiledQuery) => this.answer(query);
    const connection = {
      executeQuery: async (query: CompiledQuery) => ({ rows: answer(query) }),
    } as unknown as DatabaseConnection;
    class StoredDriver extends DummyDriver {
      override async acquireConnection(): Promise<DatabaseConnection> {
        return connection;
      }
    }
    return new Kysely<unknown>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new StoredDriver(),
        createIntrospector: (database) => new PostgresIntrospector(database),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
  }

  private answer({ sql, parameters }: CompiledQuery): Row[] {
    if (sql.includes('max("sequence")')) return [{ sequence: BigInt(this.tables.get('spot_trade')!.size) }];
    if (sql.includes('from "spot_trade"')) {
      const [sequence, symbol] = parameters as [bigint, string];
      const laterTrades = this.all('spot_trade').filter(
        (row) => row['symbol'] === symbol && (row['sequence'] as bigint) > sequence,
      );
      return laterTrades.reverse();
    }
    if (sql.includes('"exit_status" = '))
      return this.orders().filter((row) => row['exit_status'] === 'waiting' && !isOpen(row));
    // The model test sets no countdowns, so the query returns no rows.
    if (sql.includes('from "spot_countdown"')) return [];
    // The model test has no algo orders, so these queries return no rows.
    if (/from "spot_(twap|iceberg|chase|grid)"/.test(sql) || sql.includes('spot_ladder_order')) return [];
    const table = /from "(spot_last_price|spot_marking|spot_pair_status)"/.exec(sql)?.[1];
    if (table !== undefined) return this.all(table);
    // The balances of the model test are in memory only, so no account rows are stored.
    if (sql.includes('ledger_account')) return [];
    throw new Error(`not a query of a load: ${sql}`);
  }

  private put(writer: RowWriter<unknown>, row: unknown, batch: readonly BufferedRow[]): void {
    const { table, columns, kind, updated } = this.statementOf(writer);
    const stored = this.tables.get(table);
    if (stored === undefined) return;
    const fresh: Row = table === 'spot_order' && kind !== 'change' ? { ...NO_TERMS } : {};
    const cells = writer.cells(row);
    for (let index = 0; index < columns.length; index += 1)
      fresh[columns[index]!] = asRead(cells[index]!, writer.columnTypes[index]!);
    fresh['xmin'] = this.transaction;
    const name = String(fresh[KEYS[table]!]);
    const existing = stored.get(name);
    if (existing === undefined) {
      if (kind !== 'change') stored.set(name, fresh);
    } else if (kind === 'insert') {
      // A row may be written twice in one batch. A second insert in a later batch violates the primary key.
      const times = batch.filter((buffered) => buffered.writer === writer && buffered.row === row).length;
      if (times === 1) throw new Error(`${table} has ${name} already`);
      stored.set(name, fresh);
    } else for (const column of [...updated, 'xmin']) existing[column] = fresh[column]!;
  }

  private statementOf(writer: RowWriter<unknown>): Statement {
    let statement = this.statements.get(writer);
    if (statement === undefined)
      this.statements.set(writer, (statement = readStatement(writer.statement(1))));
    return statement;
  }
}

function readStatement(sql: string): Statement {
  const change = CHANGE.exec(sql);
  if (change !== null) {
    const columns = change[2]!.split(', ');
    return { table: change[1]!, columns, kind: 'change', updated: columns.slice(1) };
  }
  const insert = INSERT.exec(sql);
  if (insert === null) throw new Error(`neither an insert nor a change: ${sql}`);
  const [table, columns] = [insert[1]!, insert[2]!.split(', ')];
  const conflict = CONFLICT.exec(sql);
  if (conflict === null) return { table, columns, kind: 'insert', updated: [] };
  const updated = conflict[1]!.split(', ').map((part) => part.split(' = ')[0]!);
  return { table, columns, kind: 'upsert', updated };
}

/**
 * Converts a written cell to the type that the database driver returns: bigint for int8, text for numeric.
 */
function asRead(cell: Cell, type: ColumnType): Row[string] {
  if (cell === null) return null;
  if (type === 'bigint') return BigInt(cell);
  return typeof cell === 'number' ? String(cell) : cell;
}

const isOpen = (row: Row): boolean => row['status'] === 'open';

/** The order id of an order's row or of the row of its terms. */
const idOf = (row: Row): string => String(row['order_id'] ?? row['id']);

/** The bucket of an order. There are only 16, so that most buckets have both changed and unchanged orders. */
const bucketOf = (row: Row): string => String(idOf(row).charCodeAt(idOf(row).length - 1) % 16);

/** A cell in the text format of COPY; null for a null value. Throws for an unknown column. */
function cellOf(row: Row, name: string): string | null {
  const value = row[name];
  if (value === undefined) throw new Error(`no column ${name}`);
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return value === null ? null : String(value);
}
