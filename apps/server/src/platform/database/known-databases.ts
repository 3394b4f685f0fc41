import type pg from 'pg';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { CommitWaits } from './commit-waits.ts';

/** A database of the exchange as operators see it. */
export interface KnownDatabase {
  /** A text that identifies the row within one list of databases. */
  readonly id: string;
  readonly name: string;
  readonly part: 'primary' | 'copy' | 'reads';
  /**
   * `commits` for the primary; `reads` for the database of large reads (REPLICA_DATABASE_URL) if it answers; `gone` for
   * a configured synchronous standby without a connection; `not answering`; `not known` for a copy (streaming replica)
   * whose state the server may not read; otherwise the state of a copy as named in `pg_stat_replication`.
   */
  readonly state:
    | 'commits'
    | 'reads'
    | 'gone'
    | 'not answering'
    | 'not known'
    | 'streaming'
    | 'catchup'
    | 'startup'
    | 'stopping'
    | 'backup';
  /**
   * Time at which the primary was started, or at which a copy has connected to it; undefined for other
   * databases, and if unknown.
   */
  readonly since?: Instant | undefined;
  readonly address?: string | undefined;
  /**
   * Number of bytes of the primary's write-ahead log that the copy has not applied yet; undefined for other
   * databases, and if unknown.
   */
  readonly bytesBehind?: number | undefined;
  /**
   * Milliseconds by which a copy was behind when it last applied a change. For the database of large reads,
   * the lag that `replicaLag` returns. 0 if all changes are applied. Undefined for the primary or if unknown.
   */
  readonly msBehind?: number | undefined;
  /**
   * For a copy, whether the primary's commits wait for it, or why this is unknown. For another database, a
   * note on what it stores or whether its reads lag behind. In words for operators.
   */
  readonly commits: string;
  readonly version?: string | undefined;
}

/** Connection pools of the databases whose state is read, and the monitor of the synchronous standbys. */
export interface DatabaseSources {
  /** Connection pool of the primary database, for the queries that read its state. */
  readonly pool: Pick<pg.Pool, 'query'>;
  /** Connection pool of the database of large reads; undefined if large reads use the primary. */
  readonly replica: Pick<pg.Pool, 'query'> | undefined;
  readonly commitWaits: Pick<CommitWaits, 'poll'>;
}

interface PrimaryRow {
  readonly address: string | null;
  readonly version: string;
  readonly since: number;
}

interface CopyRow {
  readonly pid: number;
  readonly name: string | null;
  readonly address: string | null;
  readonly state: string | null;
  readonly sync: string | null;
  readonly since: number | null;
  readonly bytes: string | null;
  readonly ms: number | null;
}

type ReadsRow = Omit<PrimaryRow, 'since'>;

const COPIES_MAX = 100;
const COPY_STATES: ReadonlySet<string> = new Set(['streaming', 'catchup', 'startup', 'stopping', 'backup']);
/** Meaning of the values of `pg_stat_replication.sync_state`, in words for operators. */
const COMMITS: ReadonlyMap<string, string> = new Map([
  ['sync', 'wait for this copy'],
  ['quorum', 'wait for some of these copies'],
  ['potential', 'wait for this copy if another one is gone'],
  ['async', 'do not wait for this copy'],
]);
const ADDRESS = `host(inet_server_addr()) || ':' || inet_server_port() as address, current_setting('server_version') as version`;

/**
 * Reads the state of the primary, of its copies (at most 100), of the synchronous copies without a connection, and of
 * the database of large reads, in this order. A role that may not read replication statistics sees the names of the
 * copies, but not how far they are behind. Rejects if the primary does not answer.
 */
export async function knownDatabases({
  pool,
  replica,
  commitWaits,
}: DatabaseSources): Promise<readonly KnownDatabase[]> {
  const [primary, copies, reads, { standbys }] = await Promise.all([
    readPrimary(pool),
    readCopies(pool),
    replica === undefined ? [] : readReplica(replica),
    commitWaits.poll(),
  ]);
  const gone = [...standbys].flatMap(([name, state]): KnownDatabase[] =>
    state.startsWith('gone')
      ? [
          {
            id: `gone ${name}`,
            name: name === '*' ? '(any)' : name,
            part: 'copy',
            state: 'gone',
            commits: `wait for this copy, ${state}`,
          },
        ]
      : [],
  );
  return [primary, ...copies, ...gone, ...reads];
}

async function readPrimary(pool: DatabaseSources['pool']): Promise<KnownDatabase> {
  const { rows } = await pool.query<PrimaryRow>(
    `select ${ADDRESS}, floor(extract(epoch from pg_postmaster_start_time()) * 1000)::float8 as since`,
  );
  const { address, version, since } = rows[0]!;
  return {
    id: 'primary',
    name: 'primary',
    part: 'primary',
    state: 'commits',
    since: instant(since),
    address: address ?? undefined,
    commits: 'are stored here first',
    version,
  };
}

async function readCopies(pool: DatabaseSources['pool']): Promise<readonly KnownDatabase[]> {
  const { rows } = await pool.query<CopyRow>(
    `select pid, application_name as name, host(client_addr) as address, state, sync_state as sync,
       floor(extract(epoch from backend_start) * 1000)::float8 as since,
       greatest(0, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint::text as bytes,
       coalesce(extract(epoch from replay_lag) * 1000, 0)::float8 as ms
     from pg_stat_replication order by application_name, pid limit ${COPIES_MAX}`,
  );
  return rows.map(({ pid, name, address, state, sync, since, bytes, ms }): KnownDatabase => {
    const row = {
      id: `copy ${pid}`,
      name: name === null || name === '' ? 'a copy' : name,
      part: 'copy',
    } as const;
    // PostgreSQL hides everything except the name from a role without the privilege to read replication statistics.
    if (state === null) {
      return {
        ...row,
        state: 'not known',
        commits: 'the role of the server may not see replication',
      };
    }
    return {
      ...row,
      state: COPY_STATES.has(state) ? (state as KnownDatabase['state']) : 'not known',
      since: since === null ? undefined : instant(since),
      address: address ?? undefined,
      bytesBehind: bytes === null ? undefined : Number(bytes),
      msBehind: bytes === null ? undefined : Math.round(ms ?? 0),
      commits: COMMITS.get(sync ?? '') ?? 'do not wait for this copy',
    };
  });
}

/**
 * Returns whether a database is a replica, and by how many seconds it lags behind the primary; 0 for a
 * primary, for a replica that has applied all changes it has received, and for one that has applied no
 * transaction since its start.
 */
export async function replicaLag(
  replica: Pick<pg.Pool, 'query'>,
): Promise<{ readonly isReplica: boolean; readonly secondsBehind: number }> {
  const { rows } = await replica.query<{ replica: boolean; seconds: number | null }>(
    `select pg_is_in_recovery() as replica,
       case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
         else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 end as seconds`,
  );
  const { replica: isReplica, seconds } = rows[0]!;
  return { isReplica, secondsBehind: seconds ?? 0 };
}

/**
 * Returns the state of the database of large reads (REPLICA_DATABASE_URL), as a list of one row. If the
 * database does not answer, the row says so instead of the call failing, because the primary may work
 * meanwhile.
 */
async function readReplica(
  replica: NonNullable<DatabaseSources['replica']>,
): Promise<readonly KnownDatabase[]> {
  const row = { id: 'reads', name: 'large lists and exports', part: 'reads' } as const;
  try {
    const [{ isReplica, secondsBehind }, { rows }] = await Promise.all([
      replicaLag(replica),
      replica.query<ReadsRow>(`select ${ADDRESS}`),
    ]);
    const { address, version } = rows[0]!;
    return [
      {
        ...row,
        state: 'reads',
        address: address ?? undefined,
        msBehind: Math.max(0, Math.round(secondsBehind * 1_000)),
        commits: isReplica ? 'reads may be this far behind' : 'reads are from a primary',
        version,
      },
    ];
  } catch {
    return [{ ...row, state: 'not answering', commits: 'large lists and exports fail' }];
  }
}
