import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';

/** A coin on one of its networks. */
export interface Route {
  readonly asset: string;
  readonly network: string;
}

/** A pause of the withdrawals of a coin on a network. */
export interface StoredPause extends Route {
  readonly id: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant | undefined;
}

/** An unsigned withdrawal that waits because of a pause. */
export interface PausedWithdrawal {
  readonly id: string;
  readonly owner: UserId;
  readonly status: 'pending' | 'processing';
}

/**
 * Condition for withdrawals that are pending or approved, not signed, and that operators neither return nor pay by hand
 * (no exit).
 */
const WAITING = sql`status in (0, 3) and txid is null and exit_kind is null`;

/**
 * Returns the stored pauses of sending withdrawals, oldest first: current ones, at most one per coin and
 * network, and ended ones of whose end not all owners of waiting withdrawals have been notified yet.
 */
export async function storedPauses(reader: Reader): Promise<StoredPause[]> {
  const { rows } = await sql<Route & { id: string; started: string; ended: string | null }>`
    select id, asset, network, started_at::text as started, ended_at::text as ended
    from withdrawal_pause order by id
  `.execute(reader);
  return rows.map(({ id, asset, network, started, ended }) => ({
    id,
    asset,
    network,
    startedAt: instant(Number(started)),
    endedAt: ended === null ? undefined : instant(Number(ended)),
  }));
}

/** Stores that a pause of a coin on a network has begun. Does nothing if a pause without an end is stored already. */
export async function insertPause(
  reader: Reader,
  id: string,
  { asset, network }: Route,
  now: Instant,
): Promise<void> {
  await sql`
    insert into withdrawal_pause (id, asset, network, started_at)
    values (${id}::uuid, ${asset}, ${network}, ${now}::bigint)
    on conflict (asset, network) where ended_at is null do nothing
  `.execute(reader);
}

/**
 * Stores the end of a pause. The end is never before the start, even if the machine's clock was set back in between.
 */
export async function endPause(reader: Reader, id: string, now: Instant): Promise<void> {
  await sql`
    update withdrawal_pause set ended_at = greatest(started_at, ${now}::bigint)
    where id = ${id}::uuid and ended_at is null
  `.execute(reader);
}

/** Deletes a pause unless a notified owner is still stored, who must be notified of its end. */
export async function deletePause(reader: Reader, id: string): Promise<void> {
  await sql`
    delete from withdrawal_pause p where id = ${id}::uuid
      and not exists (select from withdrawal_pause_owner o where o.pause = p.id)
  `.execute(reader);
}

/**
 * Reads at most `limit` withdrawals that wait because of a pause and were not read for it before, and marks them as
 * read; empty if there are no further ones.
 */
export async function readPaused(
  tx: Tx,
  { id, asset, network }: StoredPause,
  limit: number,
): Promise<PausedWithdrawal[]> {
  const { rows } = await sql<{ id: string; owner: UserId; status: number }>`
    select w.id, w.owner, w.status from withdrawal w, withdrawal_pause p
    where p.id = ${id}::uuid and w.asset = ${asset} and w.network = ${network} and ${WAITING}
      and (p.read_until is null or w.id > p.read_until)
    order by w.id limit ${limit}
  `.execute(tx);
  const last = rows.at(-1);
  if (last !== undefined)
    await sql`update withdrawal_pause set read_until = ${last.id}::uuid where id = ${id}::uuid`.execute(tx);
  return rows.map(({ status, ...withdrawal }) => ({
    ...withdrawal,
    status: status === 0 ? 'pending' : 'processing',
  }));
}

/** Stores owners as notified that a pause has begun. Returns those who were not stored before. */
export async function storePauseOwners(
  tx: Tx,
  pause: string,
  owners: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const { rows } = await sql<{ owner: UserId }>`
    insert into withdrawal_pause_owner (pause, owner)
    select distinct ${pause}::uuid, owner from unnest(${owners}::uuid[]) as waiting(owner)
    on conflict do nothing returning owner
  `.execute(tx);
  return new Set(rows.map(({ owner }) => owner));
}

/**
 * Deletes at most `limit` notified owners of a pause that has ended. Returns the number of deleted owners and, for each
 * who has one, the oldest withdrawal of the coin on the network that is pending or approved and that operators neither
 * return nor pay by hand.
 */
export async function dequeueResumed(
  tx: Tx,
  { id, asset, network }: StoredPause,
  limit: number,
): Promise<{ readonly owners: number; readonly withdrawals: readonly string[] }> {
  const { rows } = await sql<{ withdrawal: string | null }>`
    with removed as (
      delete from withdrawal_pause_owner where pause = ${id}::uuid and owner in (
        select owner from withdrawal_pause_owner where pause = ${id}::uuid order by owner limit ${limit}
      ) returning owner
    )
    select (
      select w.id from withdrawal w
      where w.owner = removed.owner and w.asset = ${asset} and w.network = ${network}
        and w.status in (0, 3) and w.exit_kind is null
      order by w.id limit 1
    ) as withdrawal from removed
  `.execute(tx);
  return { owners: rows.length, withdrawals: rows.flatMap(({ withdrawal }) => withdrawal ?? []) };
}
