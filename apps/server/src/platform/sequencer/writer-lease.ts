import type pg from 'pg';
import { endSilentHolder, isLeaseLockHeld, type LeaseKind } from '../database/lease.ts';

export { LEASE_CHECKED_EVERY_MS, RENEW_EVERY_MS } from '../database/lease.ts';

export const WRITER_NAME = 'exchange-writer';
/** Number of the writer's advisory lock. It is arbitrary and not used for any other lock. */
export const WRITER_LOCK = 7_301_441_882n;

/**
 * The writer's lease. A writer whose row records a loss of steps is not ended: nobody may write before an operator
 * decides.
 */
const WRITER_LEASE: LeaseKind = {
  table: 'writer',
  lock: WRITER_LOCK,
  session: WRITER_NAME,
  isEndable: 'lease.lost_sequence is null',
};

/**
 * SQL that renews the writer's lease in epoch `$1`. It updates no row if another epoch has started, step `$2` is
 * missing, or a loss of steps is recorded. It commits without waiting for the disk or for standbys, because a lost
 * renewal does no harm.
 */
const RENEWAL = `
  with quick as materialized (select set_config('synchronous_commit', 'off', true))
  update writer set alive_at = clock_timestamp() from quick 
  where id = 1 and epoch = $1 and sequence >= $2 and lost_sequence is null`;

/**
 * Renews the writer's lease. Returns false if another epoch has started, or if the database lacks a step that the
 * writer has stored, or records that stored steps were lost.
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
 * Ends the session of a writer whose lease has expired (see `endSilentHolder`). Returns the session's process id in the
 * database; undefined if no session was ended.
 */
export function endSilentWriter(client: pg.ClientBase, leaseSeconds?: number): Promise<number | undefined> {
  return endSilentHolder(client, WRITER_LEASE, leaseSeconds);
}

/** Returns whether a session other than the client's own holds the writer's lock. */
export function isWriterLockHeld(client: pg.ClientBase): Promise<boolean> {
  return isLeaseLockHeld(client, WRITER_LEASE);
}
