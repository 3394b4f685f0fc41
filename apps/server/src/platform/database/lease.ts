import type pg from 'pg';

/**
 * Leases of processes that must exist only once: the writer and the leading worker. The advisory lock of such
 * a process belongs to a database session, which continues while the process is suspended or loops endlessly.
 * Therefore the process updates `alive_at` in its row at least every second, and a process that waits for the
 * lock ends the session of a holder that has been silent for more than `LEASE_SECONDS`.
 *
 * Both compared times are the database's: `alive_at` of the row and `state_change` of the session. A session
 * for which PostgreSQL is working (with a slow disk, a row lock, or a missing synchronous standby) is never
 * ended: its process is alive, and another holder would have to wait as well.
 */
export interface LeaseKind {
  /** Table with the one row of the lease. */
  readonly table: 'writer' | 'worker';
  /** Number of the advisory lock. It is arbitrary and used for one lease only. */
  readonly lock: bigint;
  /** Application name of the session that holds the lock. */
  readonly session: string;
  /** SQL condition on the lease's row. The session of a silent holder is ended only if this condition is true. */
  readonly isEndable: string;
}

/** Interval in milliseconds at which an idle holder renews its lease. */
export const RENEW_EVERY_MS = 1_000;
/** Interval in milliseconds at which a waiting process checks whether the lease has expired. */
export const LEASE_CHECKED_EVERY_MS = 500;
const LEASE_SECONDS = 5;

/**
 * SQLSTATEs for a table or column that does not exist yet, or on which no privileges were granted yet, because the
 * migration or the grants are still to be made.
 */
const NOT_MIGRATED = new Set(['42P01', '42703', '42501']);

/** Returns whether an error means that a table, a column or a privilege does not exist yet. */
export function isNotMigrated(cause: unknown): boolean {
  return NOT_MIGRATED.has(String((cause as { code?: unknown }).code));
}

/** Returns an SQL condition on `pg_locks` that matches the lock of this database if a session holds it. */
function isLeaseLock({ lock }: LeaseKind): string {
  return `locktype = 'advisory' and granted
  and (classid::bigint << 32 | objid::bigint) = ${lock}
  and database = (select oid from pg_database where datname = current_database())`;
}

/**
 * Returns SQL that ends the session of a silent holder. A session that waits for its client counts as silent,
 * although PostgreSQL reports it as active.
 */
function endingSilentHolder(kind: LeaseKind): string {
  return `
  select session.pid, pg_terminate_backend(session.pid) as ended
  from ${kind.table} lease
  join pg_stat_activity session
    on session.pid = lease.backend and session.backend_start = lease.backend_started_at
  where ${kind.isEndable}
    and session.application_name = $1
    and session.datname = current_database()
    and (session.state is distinct from 'active' or session.wait_event_type = 'Client')
    and clock_timestamp() - greatest(lease.alive_at, session.state_change) > $2 * interval '1 second'
    and exists (select from pg_locks where ${isLeaseLock(kind)} and pid = session.pid)`;
}

/**
 * Ends the session of a holder whose lease has expired, and returns the session's process id in the database. Returns
 * undefined if no session was ended: the holder is alive, or has no lease, because it has not taken over yet or its
 * version has no leases.
 */
export async function endSilentHolder(
  client: pg.ClientBase,
  kind: LeaseKind,
  leaseSeconds = LEASE_SECONDS,
): Promise<number | undefined> {
  try {
    const values = [kind.session, leaseSeconds];
    const { rows } = await client.query<{ pid: number; ended: boolean }>(endingSilentHolder(kind), values);
    return rows.find(({ ended }) => ended)?.pid;
  } catch (cause) {
    if (isNotMigrated(cause)) return undefined;
    throw cause;
  }
}

/** Returns whether a session other than the client's own holds the lock of a lease. */
export async function isLeaseLockHeld(client: pg.ClientBase, kind: LeaseKind): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    `select exists (select from pg_locks where ${isLeaseLock(kind)} and pid <> pg_backend_pid()) as held`,
  );
  return rows[0]?.held ?? false;
}
