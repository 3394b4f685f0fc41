/** Name of the superuser of the embedded PostgreSQL. */
export const embeddedUser = 'exchange';
/** Name of the exchange's database in the embedded PostgreSQL. */
export const embeddedDatabase = 'exchange';

/** Name of the database role that the exchange uses at runtime. The role owns no tables. */
export const embeddedRuntimeUser = 'exchange_runtime';

/** Port number that only determines the name of PostgreSQL's socket file. Nothing listens on the network. */
export const embeddedPort = 5432;

/**
 * Default maximum number of connections. It is enough for an exchange of a single process and for other programs such
 * as psql.
 */
const CONNECTIONS_MAX = 100;

/** Folders of the embedded PostgreSQL server, and the maximum number of its connections. */
interface ServerPlaces {
  readonly cluster: string;
  readonly socketDirectory: string;
  readonly logDirectory: string;
  readonly connectionsMax?: number | undefined;
}

/**
 * Returns the command line arguments of the embedded server. Arguments override `postgresql.conf` and ALTER
 * SYSTEM.
 */
export function serverArguments({
  cluster,
  socketDirectory,
  logDirectory,
  connectionsMax = CONNECTIONS_MAX,
}: ServerPlaces): string[] {
  const settings: Readonly<Record<string, string>> = {
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    port: String(embeddedPort),
    max_connections: String(connectionsMax),

    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_level: 'replica',

    // PostgreSQL fills a new segment of the write-ahead log with zeros, which delays commits by tens of milliseconds.
    // These settings recycle many segments and do not fill new ones.
    wal_init_zero: 'off',
    min_wal_size: '512MB',
    max_wal_size: '2GB',
    checkpoint_completion_target: '0.9',

    shared_buffers: '256MB',
    // JIT compilation is turned off, because it would cost more than it saves for the exchange's short SQL statements.
    jit: 'off',
    autovacuum: 'on',

    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'on',
    log_directory: logDirectory,
    log_filename: 'postgresql-%Y%m%d-%H%M%S.log',
    log_rotation_age: '1d',
    log_rotation_size: '10MB',
    log_line_prefix: '%m [%p] %q%a ',
    log_min_duration_statement: '1000',
    // Parameters of SQL statements contain users' balances and addresses, which must not be logged.
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * Returns the environment of PostgreSQL's programs. It inherits nothing from this process, neither secrets
 * nor PG* variables that change the programs' behavior. Messages are in English, because this code recognizes
 * some of them.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
