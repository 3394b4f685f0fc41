import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import type pg from 'pg';
import { copyingOut, type CopyRows } from './copy-out.ts';
import { poolOfLane, type Lane, type LanePools } from './lanes.ts';

export { copiedTable, type CopiedRow, type CopyRows } from './copy-out.ts';

/** What modules get of the database; each repository narrows it to its own tables with `withTables`. */
export interface Database {
  /** Reads everything that is committed, and cannot write: its sessions are read-only. */
  readonly reader: Reader;
  /** The same for reads that belong to the exchange itself, even where a request causes them: it waits for no request. */
  readonly own: Reader;
  /** Reads from a copy that may lag behind: for large reads of screens. Nothing that moves money takes one. */
  readonly replica: Replica;
  /** Single statements that write, and the reads that belong to them. */
  readonly store: Store;
  /** Reads many rows, all as of one moment, row by row as they come. */
  copying<T>(work: (copy: CopyRows) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Reads; each repository narrows it to its own tables. */
export type Reader = Kysely<unknown>;

/** A reader of what may lag behind. It is no `Reader`, so that no function that decides about money can be handed one unseen. */
export interface Replica {
  readonly lagging: Reader;
}

/** Reads and single statements that write; each repository narrows it to its own tables. */
export type Store = Kysely<unknown>;

/** A transaction under way. Money never moves through one: that is the sequencer's. */
export type Tx = Transaction<unknown>;

/** Pools that read where the first one writes; each falls back on the one before. */
export interface ReadingPools {
  readonly reader?: pg.Pool;
  readonly replica?: pg.Pool;
  /** Of requests and operators; without them these share the pools of the exchange's own work. */
  readonly lanes?: Readonly<Record<Lane, LaneOfPools>> | undefined;
}

/** What one lane writes and reads by. */
export interface LaneOfPools {
  readonly pool: pg.Pool;
  readonly reader: pg.Pool;
}

/** The database behind its pools. */
export function databaseOver(
  pool: pg.Pool,
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

/** Lends connections of the pool that belongs to whoever asks. */
type Lender = Pick<pg.Pool, 'connect' | 'end'>;

function lanedPool(own: pg.Pool, lanes: ReadingPools['lanes'], kind: keyof LaneOfPools): Lender {
  if (lanes === undefined) return own;
  const pools: LanePools = {
    own,
    requests: lanes.requests[kind],
    operators: lanes.operators[kind],
  };
  const connect = () => poolOfLane(pools).connect();
  return { connect: connect as Lender['connect'], end: () => own.end() };
}

function kyselyOver(pool: Lender): Kysely<unknown> {
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
}
