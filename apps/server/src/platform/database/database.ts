import { Kysely, PostgresDialect, type DrainOuterGeneric, type Transaction } from 'kysely';
import type pg from 'pg';
import { copyingOut, type CopyRows } from './copy-out.ts';
import { poolOfLane, type Lane, type LanePools } from './lanes.ts';

export { copiedTable, type CopiedRow, type CopyRows } from './copy-out.ts';

/** The database as modules use it. Each repository restricts its query builders to its tables with `withTables`. */
export interface Database {
  /** Reads committed data over read-only sessions. */
  readonly reader: Reader;
  /**
   * Reads committed data for the exchange's own work, even if a request has triggered the work. Its queries always use
   * the exchange's own pool, so that it does not wait for requests.
   */
  readonly own: Reader;
  /**
   * Reads from a replica that may lag behind, for large reads and statistics. Without a replica it reads like `reader`.
   * Code that moves money must not use it.
   */
  readonly replica: Replica;
  /** Runs single statements that read or write, each in its own transaction. */
  readonly store: Store;
  /**
   * Calls `work` with a function that reads many rows as a stream, and returns the result of `work`. All
   * reads of `work` see the same snapshot.
   */
  copying<T>(work: (copy: CopyRows) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction: it is committed if `work` returns, and rolled back if `work` throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** What a query builder offers for reading the tables of `DB`. Stores and transactions offer it too. */
export type Reads<DB> = Pick<
  Kysely<DB>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn' | 'case' | 'dynamic' | 'getExecutor'
>;

/** The row types of tables, by the names of the tables; the same constraint as in `Kysely.withTables`. */
// oxlint-disable-next-line typescript/no-explicit-any -- With `unknown`, an interface of tables would not satisfy it.
type AnyTables = Record<string, Record<string, any>>;

/**
 * A query builder for reads. Each repository restricts it to its own tables. It has no methods that write, so that code
 * which writes cannot be passed a connection that is read-only.
 */
export interface Reader extends Reads<unknown> {
  withTables<T extends AnyTables>(): Reads<DrainOuterGeneric<T>>;
}

/** Restricts a store, a transaction or a reader to the tables of `DB`. */
export interface Tables<DB> {
  (store: Store): Kysely<DB>;
  (reader: Reader): Reads<DB>;
}

/**
 * Returns the function with which a repository restricts a reader, store or transaction to its tables. The result can
 * write only if the argument can write.
 */
export function tablesOf<DB extends AnyTables>(): Tables<DB>;
export function tablesOf(): (reader: Reader) => unknown {
  return (reader) => reader.withTables();
}

/**
 * A reader of data that may lag behind. Its type is deliberately not `Reader`, so that it cannot be passed to code that
 * decides about money.
 */
export interface Replica {
  readonly lagging: Reader;
}

/** A query builder for single statements that read or write. Each repository restricts it to its own tables. */
export type Store = Kysely<unknown>;

/** An open transaction. Money must not be moved with it, because only the sequencer moves money. */
export type Tx = Transaction<unknown>;

/** A source of database connections: a pool, or an object that chooses or checks a pool's connections. */
export type ConnectionSource = Pick<pg.Pool, 'end'> & { connect(): Promise<pg.PoolClient> };

/**
 * Database pools for reading. A missing `reader` is replaced by the pool for writing, and a missing `replica` by
 * `reader`.
 */
export interface ReadingPools {
  readonly reader?: ConnectionSource;
  readonly replica?: ConnectionSource;
  /** Separate pools for requests and for operators. If absent, their queries use the exchange's own pools. */
  readonly lanes?: Readonly<Record<Lane, LaneOfPools>> | undefined;
}

/**
 * The database pools of one origin of queries (requests or operators), for writing and for reading.
 */
export interface LaneOfPools {
  readonly pool: pg.Pool;
  readonly reader: pg.Pool;
}

/** Creates the object through which modules use the database, from its connection pools. */
export function databaseOver(
  pool: ConnectionSource,
  { reader = pool, replica = reader, lanes }: ReadingPools = {},
): Database {
  const store = kyselyOver(lanedPool(pool, lanes, 'pool'));
  const reading = lanedPool(reader, lanes, 'reader');
  return {
    store,
    reader: kyselyOver(reading),
    own: kyselyOver(reader),
    replica: { lagging: kyselyOver(replica === reader ? reading : replica) },
    copying: (work) => copyingOut(reading, work),
    transaction: (work) => store.transaction().execute(work),
  };
}

/** Returns a pool, or if there are `lanes`, a source that chooses the pool at each query by its origin. */
function lanedPool(
  ownPool: ConnectionSource,
  lanes: ReadingPools['lanes'],
  kind: keyof LaneOfPools,
): ConnectionSource {
  if (lanes === undefined) return ownPool;
  const pools: LanePools<ConnectionSource> = {
    own: ownPool,
    requests: lanes.requests[kind],
    operators: lanes.operators[kind],
  };
  return { connect: () => poolOfLane(pools).connect(), end: () => ownPool.end() };
}

function kyselyOver(pool: ConnectionSource): Kysely<unknown> {
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
}
