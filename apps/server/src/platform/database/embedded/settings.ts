/** Name of the superuser and of the database that the embedded cluster is created with. */
export const embeddedUser = 'exchange';
export const embeddedDatabase = 'exchange';

/** Name of the role that the server works as: it owns nothing. */
export const embeddedRuntimeUser = 'exchange_runtime';

/** Only names the socket file: nothing listens on the network. */
export const embeddedPort = 5432;

/**
 * Command line settings of the embedded server. They are given as arguments and not in
 * `postgresql.conf`, because arguments win over the file and over ALTER SYSTEM.
 */
export function serverArguments(cluster: string, socketDirectory: string, logDirectory: string): string[] {
  const settings: Readonly<Record<string, string>> = {
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    port: String(embeddedPort),
    max_connections: '100',

    // What was acknowledged must survive a power cut.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_level: 'replica',

    // A new WAL segment filled with zeros first stalls commits by tens of milliseconds; recycling a
    // generous stock of segments and not filling new ones keeps the tail of the latency short.
    wal_init_zero: 'off',
    min_wal_size: '512MB',
    max_wal_size: '2GB',
    checkpoint_completion_target: '0.9',

    shared_buffers: '256MB',
    // Statements here are short; compiling them costs more than it saves.
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
    // Parameters are people's balances and addresses: they do not belong into a log.
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * The environment of PostgreSQL's programs: nothing of ours is inherited, neither secrets nor PG*
 * variables that would change their behaviour. English messages, because some are recognised by text.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
