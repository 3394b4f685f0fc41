import type pg from 'pg';

/**
 * The writer's lease. The writer's advisory lock belongs to a database session, which continues while the writer's
 * process is suspended or loops endlessly. Therefore the writer updates `alive_at` in its row with every batch, and
 * every second while it is idle, and a standby ends the session of a writer that has been silent for too long.
 *
 * Both compared times are the database's: `alive_at` of the row and `state_change` of the session. A session for which
 * PostgreSQL is working (with a slow disk, a row lock, or a missing synchronous standby) is never ended: its process is
 * alive, and another writer would have to wait as well.
 */

export const WRITER_NAME = 'exchange-writer';
/** Number of the writer's advisory lock. It is arbitrary and not used for any other lock. */
export const WRITER_LOCK = 7_301_441_882n;
/** Interval in milliseconds at which an idle writer renews its lease. */
export const RENEW_EVERY_MS = 1_000;
/** Interval in milliseconds at which a standby checks whether the writer's lease has expired. */
export const LEASE_CHECKED_EVERY_MS = 500;
const LEASE_SECONDS = 5;

/**
 * SQL that renews the writer's lease in epoch `$1`. It updates no row if another epoch has started, step `$2` is
 * missing, or a loss of steps is recorded. It commits without waiting for the disk or for standbys, because a lost
 * renewal does no harm.
 */
const RENEWAL = `
  with quick as materialized (select set_config('synchronous_commit', 'off', true))
  update writer set alive_at = clock_timestamp() from quick 
  where id = 1 and epoch = $1 and sequence >= $2 and lost_sequence is null`;

/** SQL condition on `pg_locks` that matches the writer's lock of this database if a session holds it. */
const IS_WRITER_LOCK = `locktype = 'advisory' and granted
  and (classid::bigint << 32 | objid::bigint) = ${WRITER_LOCK}
  and database = (select oid from pg_database where datname = current_database())`;

/**
 * SQL that ends the session of a silent writer. A session that waits for its client counts as
 * silent, although PostgreSQL reports it as active.
 */
const ENDING_SILENT_WRITER = `
  select session.pid, pg_terminate_backend(session.pid) as ended
  from writer
  join pg_stat_activity session
    on session.pid = writer.backend and session.backend_start = writer.backend_started_at
  where writer.lost_sequence is null
    and session.application_name = $1
    and session.datname = current_database()
    and (session.state is distinct from 'active' or session.wait_event_type = 'Client')
    and clock_timestamp() - greatest(writer.alive_at, session.state_change) > $2 * interval '1 second'
    and exists (select from pg_locks where ${IS_WRITER_LOCK} and pid = session.pid)`;

/**
 * SQLSTATEs for a table or column that does not exist yet, or on which no privileges were granted yet, because the
 * migration or the grants are still to be made.
 */
const NOT_MIGRATED = new Set(['42P01', '42703', '42501']);

/**
 * Renews the writer's lease. Returns false if another epoch has started, or if the database lacks a step that the
 * writer has stored or contains the mark of such a loss.
 */
export async function renewLease(client: pg.ClientBase, epoch: bigint, sequence: number): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'renew_lease',
    text: RENEWAL,
    values: [String(epoch), String(sequence)],
  });
  return rowCount === 1;
}

/**
 * Ends the session of a writer whose lease has expired, and returns the session's process id in the database. Returns
 * undefined if no session was ended: the writer is alive, or has no lease, because it has not taken over yet or its
 * version has no leases.
 */
export async function endSilentWriter(
  client: pg.ClientBase,
  leaseSeconds = LEASE_SECONDS,
): Promise<number | undefined> {
  try {
    const values = [WRITER_NAME, leaseSeconds];
    const { rows } = await client.query<{ pid: number; ended: boolean }>(ENDING_SILENT_WRITER, values);
    return rows.find(({ ended }) => ended)?.pid;
  } catch (cause) {
    if (NOT_MIGRATED.has(String((cause as { code?: unknown }).code))) return undefined;
    throw cause;
  }
}

/** Returns whether a session other than the client's own holds the writer's lock. */
export async function isWriterLockHeld(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    `select exists (select from pg_locks where ${IS_WRITER_LOCK} and pid <> pg_backend_pid()) as held`,
  );
  return rows[0]?.held ?? false;
}
