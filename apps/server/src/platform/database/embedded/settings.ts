/** Names of the superuser and the database that are created with the embedded cluster. */
export const embeddedUser = 'exchange';
export const embeddedDatabase = 'exchange';

/** Name of the database role that the exchange's server works as; it owns nothing. */
export const embeddedRuntimeUser = 'exchange_runtime';

/**
 * Port number that only determines the name of PostgreSQL's socket file; nothing listens on the
 * network.
 */
export const embeddedPort = 5432;

/**
 * Default maximum number of connections; enough for one process that is the whole exchange, and programs
 * beside it.
 */
const CONNECTIONS_MAX = 100;

/** Folders of the embedded server, and how many connections it accepts. */
interface ServerPlaces {
  readonly cluster: string;
  readonly socketDirectory: string;
  readonly logDirectory: string;
  readonly connectionsMax?: number | undefined;
}

/** Command line arguments of the embedded server. Arguments override `postgresql.conf` and ALTER SYSTEM. */
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

    // PostgreSQL's write-ahead log: filling a new segment with zeros delays commits by tens of
    // milliseconds. Recycling many segments and not filling new ones keeps tail latency low.
    wal_init_zero: 'off',
    min_wal_size: '512MB',
    max_wal_size: '2GB',
    checkpoint_completion_target: '0.9',

    shared_buffers: '256MB',
    // SQL statements are short, so JIT compilation would cost more than it saves.
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
 * Environment of PostgreSQL's programs. Nothing is inherited: neither secrets nor PG* variables that change
 * their behaviour. Messages are in English, because some are recognised by their text.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
