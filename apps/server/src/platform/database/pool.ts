import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { breakDeadConnections } from './dead-connections.ts';
import type { DatabaseLog } from './log.ts';

/** Where a PostgreSQL server is: the embedded one's socket, or the address given as DATABASE_URL. */
export type DatabaseConnection =
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
      readonly password?: string | undefined;
    }
  | { readonly connectionString: string };

export interface OpenDatabaseOptions {
  readonly connection: DatabaseConnection;
  readonly log: DatabaseLog;
  /** Shown by pg_stat_activity and in our log; tells the pools of one process apart. */
  readonly name?: string;
  /** The most connections at once; further queries wait. */
  readonly size?: number;
  readonly statementTimeoutMs?: number;
  /** Whether its sessions refuse every statement that writes. */
  readonly isReadOnly?: boolean;
}

const connectTimeoutMs = 5_000;
const idleTimeoutMs = 30_000;

const SESSION_SETTINGS: readonly string[] = [
  // Calendar arithmetic in SQL must not depend on how the server's machine was set up.
  'TimeZone=UTC',
  // When this machine vanishes, the database gives its sessions up after 25 s, and others find a place.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
];

const READ_ONLY = ['default_transaction_read_only=on'];

const oid = {
  int8: 20,
  int8Array: 1016,
  date: 1082,
  dateArray: 1182,
  timestamp: 1114,
  timestampArray: 1115,
  numericArray: 1231,
  textArray: 1009,
};

/**
 * How values of PostgreSQL become values of ours. Whole numbers of 64 bits become bigint, `numeric`
 * stays text: the driver would read numeric[] into floating point and lose money. Dates without a
 * time zone stay text, since a `Date` would shift them by the machine's zone.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    format === 'binary'
      ? pg.types.getTypeParser(id, format)
      : (parsers.get(id) ?? pg.types.getTypeParser(id))) as typeof pg.types.getTypeParser,
};

const textList: (value: string) => (string | null)[] = pg.types.getTypeParser(oid.textArray);
const unchanged = (value: string) => value;

const parsers = new Map<number, (value: string) => unknown>([
  [oid.int8, BigInt],
  [oid.int8Array, (value) => textList(value).map((item) => (item === null ? null : BigInt(item)))],
  [oid.numericArray, textList],
  [oid.date, unchanged],
  [oid.dateArray, textList],
  [oid.timestamp, unchanged],
  [oid.timestampArray, textList],
]);

/**
 * Opens a bounded pool: a statement that runs longer than its time is ended by the server.
 * Nothing is connected before the first query. Losing an idle connection is logged, not thrown: the
 * pool replaces it. Close it with `end()`.
 */
export function openDatabase(options: OpenDatabaseOptions): pg.Pool {
  const { connection, log, name = 'exchange', size = 10, statementTimeoutMs = 10_000 } = options;
  const pool = new pg.Pool({
    ...clientOptions(connection, name, options.isReadOnly === true ? READ_ONLY : []),
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: statementTimeoutMs,
  });
  // The pool watches idle connections only. One that is lost while it is lent out fails the query of whoever
  // has it; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => {
    log('warn', 'idle database connection lost', { pool: name, error: error.message });
  });
  breakDeadConnections(pool, clientOptions(connection, `${name} probe`));
  return pool;
}

/** How long a connection is waited for, and how long a statement may take, in milliseconds. */
export interface PoolLimits {
  readonly connectMs: number;
  readonly statementMs: number;
}

/**
 * Replaces the time limits of pools that have no connection yet, for work that a slow machine must be able to finish.
 * The returned function restores the usual limits, on open connections too: each gets them before its next statement.
 */
export function relaxLimits(pools: readonly pg.Pool[], limits: PoolLimits): () => void {
  const restores = pools.map((pool) => relaxLimitsOf(pool, limits));
  return () => {
    for (const restore of restores) restore();
  };
}

function relaxLimitsOf(pool: pg.Pool, { connectMs, statementMs }: PoolLimits): () => void {
  const { options } = pool;
  const usual = {
    connectMs: options.connectionTimeoutMillis,
    statementMs: options.statement_timeout,
  };
  const relaxed = new WeakSet<pg.PoolClient>();
  const noteRelaxed = (client: pg.PoolClient) => void relaxed.add(client);
  pool.on('connect', noteRelaxed);
  options.connectionTimeoutMillis = connectMs;
  options.statement_timeout = statementMs;
  return () => {
    pool.off('connect', noteRelaxed);
    options.connectionTimeoutMillis = usual.connectMs;
    options.statement_timeout = usual.statementMs;
    pool.on('acquire', (client) => {
      if (!relaxed.delete(client)) return;
      // Reason: a connection that is lost fails the statement of whoever has it, which follows this one.
      client.query(`set statement_timeout = ${Number(usual.statementMs)}`).catch(() => undefined);
    });
  };
}

/**
 * Settings of a single `pg.Client` that reads values the way the pools do, and has no time limits. `settings` are
 * further ones of its session.
 */
export function clientOptions(
  connection: DatabaseConnection,
  name: string,
  settings: readonly string[] = [],
): pg.ClientConfig {
  return {
    ...connection,
    // A socket needs no encryption, and an inherited PGSSLMODE must not ask for it.
    ...('host' in connection && connection.host.startsWith('/') ? { ssl: false } : {}),
    types: columnTypes,
    application_name: name,
    keepAlive: true,
    options: [...SESSION_SETTINGS, ...settings].map((setting) => `-c ${setting}`).join(' '),
  };
}

/** A typed query builder over a pool; `Tables` maps table names to row types. Closing it closes the pool. */
export function createKysely<Tables>(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
