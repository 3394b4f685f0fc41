import { callbackify } from 'node:util';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { breakDeadConnections } from './dead-connections.ts';
import type { DatabaseLog } from './log.ts';
import type { SessionFence } from './session-fence.ts';

/** Address of a PostgreSQL database: at the socket of the embedded server, or a URL such as that in DATABASE_URL. */
export type DatabaseConnection = (
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
      readonly password?: string | undefined;
    }
  | { readonly connectionString: string }
) & {
  /**
   * Marks and admits the database sessions of a process that can be replaced by another one while it runs, as a worker
   * can; undefined for other processes.
   */
  readonly fence?: SessionFence | undefined;
};

export interface OpenDatabaseOptions {
  readonly connection: DatabaseConnection;
  readonly log: DatabaseLog;
  /**
   * Application name of the pool's database sessions, shown in pg_stat_activity and in the log.
   */
  readonly name?: string;
  /** Maximum number of connections of the pool. Further queries wait for a free connection. */
  readonly size?: number;
  readonly statementTimeoutMs?: number;
  /** True if the pool's database sessions reject every statement that writes. */
  readonly isReadOnly?: boolean;
}

/**
 * Time limit in milliseconds for obtaining a connection from a pool. On a busy machine, opening several connections
 * takes seconds. The limit is below the apps' timeout of 12 s.
 */
export const connectTimeoutMs = 10_000;
/**
 * Milliseconds after which an idle connection is closed. The value is high, because opening a connection costs the
 * database about 50 ms of processor time.
 */
export const idleTimeoutMs = 300_000;

const SESSION_SETTINGS: readonly string[] = [
  // Time zone of the database sessions, so that calendar arithmetic in SQL does not depend on the time zone of the
  // database server.
  'TimeZone=UTC',
  // Keepalives make the database end this machine's sessions 25 s after the machine has failed.
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
 * Conversion of PostgreSQL values: 64-bit integers become bigint. `numeric` stays text, because a floating-point number
 * would lose precision. Dates and timestamps without time zone stay text, because a `Date` would depend on the
 * machine's time zone.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    format === 'binary'
      ? pg.types.getTypeParser(id, format)
      : (parsers.get(id) ?? pg.types.getTypeParser(id))) as typeof pg.types.getTypeParser,
};

const textList: (value: string) => (string | null)[] = pg.types.getTypeParser(oid.textArray);
const asText = (value: string) => value;

const parsers = new Map<number, (value: string) => unknown>([
  [oid.int8, BigInt],
  [oid.int8Array, (value) => textList(value).map((item) => (item === null ? null : BigInt(item)))],
  [oid.numericArray, textList],
  [oid.date, asText],
  [oid.dateArray, textList],
  [oid.timestamp, asText],
  [oid.timestampArray, textList],
]);

/**
 * Opens a database pool, which connects at the first query. The database ends statements that exceed the time limit, by
 * default 10 s. A lost idle connection is logged and replaced. Close the pool with `end()`.
 */
export function openDatabase(options: OpenDatabaseOptions): pg.Pool {
  const { connection, log, name = 'exchange', size = 10, statementTimeoutMs = 10_000 } = options;
  const pool = new pg.Pool({
    ...clientOptions(connection, name, options.isReadOnly === true ? READ_ONLY : []),
    ...admissionOf(connection),
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: statementTimeoutMs,
  });
  // The pool listens for errors of idle connections only. The loss of a connection in use fails its query. Without this
  // listener the loss would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => {
    log('warn', 'idle database connection lost', { pool: name, error: error.message });
  });
  breakDeadConnections(pool, clientOptions(connection, `${name} probe`));
  return pool;
}

/**
 * Time limits of a database pool for obtaining a connection and for a statement, in milliseconds.
 */
export interface PoolLimits {
  readonly connectMs: number;
  readonly statementMs: number;
}

/**
 * Replaces the time limits of database pools that have no connection yet, for slow work during the start. The returned
 * function restores the usual limits. Each open connection applies them before its next statement.
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
  const markRelaxed = (client: pg.PoolClient) => void relaxed.add(client);
  pool.on('connect', markRelaxed);
  options.connectionTimeoutMillis = connectMs;
  options.statement_timeout = statementMs;
  return () => {
    pool.off('connect', markRelaxed);
    options.connectionTimeoutMillis = usual.connectMs;
    options.statement_timeout = usual.statementMs;
    pool.on('acquire', (client) => {
      if (!relaxed.delete(client)) return;
      // If the statement timeout cannot be set because the connection is lost, the caller's next statement
      // fails too and reports the error.
      client.query(`set statement_timeout = ${Number(usual.statementMs)}`).catch(() => undefined);
    });
  };
}

/**
 * Returns options for a single `pg.Client` that converts values like the pools and has no time limits.
 * `settings` are additional session settings.
 */
export function clientOptions(
  { fence, ...connection }: DatabaseConnection,
  name: string,
  settings: readonly string[] = [],
): pg.ClientConfig {
  return {
    ...connection,
    // Connections over a Unix socket use no TLS, even if the environment variable PGSSLMODE requests it.
    ...('host' in connection && connection.host.startsWith('/') ? { ssl: false } : {}),
    types: columnTypes,
    application_name: `${fence?.mark ?? ''}${name}`,
    keepAlive: true,
    options: [...SESSION_SETTINGS, ...settings].map((setting) => `-c ${setting}`).join(' '),
  };
}

/**
 * Returns the pool option that calls the `admit` function of the connection's fence, if it has one, for each
 * new session. A session that is not admitted is not used.
 */
export function admissionOf({ fence }: DatabaseConnection): Pick<pg.PoolConfig, 'verify'> {
  return fence === undefined ? {} : { verify: callbackify(fence.admit) };
}

/**
 * Returns a typed query builder over a pool; `Tables` maps table names to row types. Closing it closes the
 * pool.
 */
export function createKysely<Tables>(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Opens a database connection, runs `use` with it, and closes it. */
export async function withClient<T>(
  options: pg.ClientConfig,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(options);
  // A lost connection also fails the running query, which reports the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    // The connection is discarded in any case, so a failure to end it is ignored.
    await client.end().catch(() => undefined);
  }
}
