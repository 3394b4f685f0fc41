import { Decimal } from '@exchange/core/decimal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { mapBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { OpenSweepState, Sweep, SweepPause, SweepState } from './sweep-domain.ts';
import type { TreasuryTables } from './tables.ts';
import { changeRow, insertOpenRow, readClosedRows, readOpenRows } from './transfer-rows-repository.ts';

const tables = tablesOf<TreasuryTables>();

/** The fields that a sweep has when it is planned. */
export type SweepPlan = Pick<
  Sweep,
  | 'id'
  | 'network'
  | 'asset'
  | 'index'
  | 'address'
  | 'destination'
  | 'amount'
  | 'gasLimit'
  | 'mostFee'
  | 'gas'
  | 'createdAt'
>;

/** Stores a new sweep. Returns false if its address has a sweep that has not ended. */
export function insertSweep(store: Store, plan: SweepPlan): Promise<boolean> {
  return insertOpenRow(store, 'treasury_sweep', ['network', 'address_index'], {
    id: plan.id,
    network: plan.network,
    asset: plan.asset,
    address_index: plan.index,
    address: plan.address,
    destination: plan.destination,
    amount: plan.amount.toString(),
    gas_limit: plan.gasLimit,
    most_fee: plan.mostFee.toString(),
    gas: plan.gas?.toString() ?? null,
    state: 'planned',
    created_at: BigInt(plan.createdAt),
    gas_txid: null,
    txid: null,
    block: null,
    fee: '0',
    reason: null,
    closed_at: null,
  });
}

/**
 * Returns sweeps that have not ended, oldest first, at most `limit`; if `network` is undefined, those of all
 * networks.
 */
export async function openSweeps(
  reader: Reader,
  network: string | undefined,
  limit: number,
): Promise<BoundedRows<Sweep>> {
  return mapBounded(await readOpenRows(reader, 'treasury_sweep', { network, limit }), sweepOfRow);
}

/** Returns sweeps that have ended, newest first, at most `limit`. */
export async function closedSweeps(reader: Reader, limit: number): Promise<BoundedRows<Sweep>> {
  return mapBounded(await readClosedRows(reader, 'treasury_sweep', limit), sweepOfRow);
}

/**
 * Returns whether the newest sweep of a coin on a deposit address has failed and ended at `since` or later.
 */
export async function hasFailed(
  reader: Reader,
  { network, index, asset }: Pick<Sweep, 'network' | 'index' | 'asset'>,
  since: Instant,
): Promise<boolean> {
  const last = await tables(reader)
    .selectFrom('treasury_sweep')
    .select(['state', 'closed_at'])
    .where('network', '=', network)
    .where('address_index', '=', index)
    .where('asset', '=', asset)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.state === 'failed' && last.closed_at !== null && last.closed_at >= BigInt(since);
}

/** A change of a sweep that has not ended: its new state and new values of fields. Absent fields keep their values. */
export interface SweepChange {
  readonly state: SweepState;
  readonly gasTxid?: string | undefined;
  readonly txid?: string | undefined;
  readonly block?: number | undefined;
  readonly reason?: string | undefined;
  readonly closedAt?: Instant;
}

/**
 * Changes a sweep whose state is one of `from`. Returns false if the sweep is in another state or does not
 * exist.
 */
export function changeSweep(
  store: Store,
  id: string,
  from: readonly OpenSweepState[],
  { state, gasTxid, txid, block, reason, closedAt }: SweepChange,
): Promise<boolean> {
  return changeRow(store, 'treasury_sweep', id, from, {
    state,
    gas_txid: gasTxid,
    txid,
    block: block === undefined ? undefined : BigInt(block),
    reason,
    closed_at: closedAt === undefined ? undefined : BigInt(closedAt),
  });
}

/** Adds a booked network fee, in the chain's coin, to the fees of a sweep. */
export async function addSweepFee(reader: Reader, id: string, fee: Decimal): Promise<void> {
  await sql`update treasury_sweep set fee = fee + ${fee.toString()}::numeric where id = ${id}`.execute(
    reader,
  );
}

/**
 * Returns how many of a network's sweeps were confirmed and how many failed at `since` or later, and the
 * total network fees, in the chain's coin, of all sweeps that ended since then, dropped ones included.
 */
export async function sweptSince(
  reader: Reader,
  network: string,
  since: Instant,
): Promise<{ readonly confirmed: number; readonly failed: number; readonly fee: Decimal }> {
  const { rows } = await sql<{ confirmed: number; failed: number; fee: string }>`
    select count(*) filter (where state = 'confirmed')::int as confirmed,
      count(*) filter (where state = 'failed')::int as failed, coalesce(sum(fee), 0)::text as fee
    from treasury_sweep
    where network = ${network} and closed_at is not null and closed_at >= ${since}::bigint
  `.execute(reader);
  const { fee, ...counts } = rows[0]!;
  return { ...counts, fee: Decimal.parse(fee) };
}

/** Stores an operator's pause of a network's sweeps. Returns false if the sweeps are paused already. */
export async function insertSweepPause(
  store: Store,
  id: string,
  { network, since, by, reason }: SweepPause,
): Promise<boolean> {
  const stored = await tables(store)
    .insertInto('treasury_sweep_pause')
    .values({
      id,
      network,
      since: BigInt(since),
      paused_by: by,
      reason,
      resumed_at: null,
      resumed_by: null,
      resume_reason: null,
    })
    .onConflict((conflict) => conflict.columns(['network']).where('resumed_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Ends the pause of a network's sweeps. Returns false if the sweeps are not paused. */
export async function endSweepPause(
  store: Store,
  network: string,
  { by, reason, now }: { readonly by: string; readonly reason: string; readonly now: Instant },
): Promise<boolean> {
  const row = await tables(store)
    .updateTable('treasury_sweep_pause')
    .set({ resumed_at: BigInt(now), resumed_by: by, resume_reason: reason })
    .where('network', '=', network)
    .where('resumed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the current pauses of sweeps of deposit addresses, at most one per network. */
export async function sweepPauses(reader: Reader): Promise<SweepPause[]> {
  const rows = await tables(reader)
    .selectFrom('treasury_sweep_pause')
    .select(['network', 'since', 'paused_by', 'reason'])
    .where('resumed_at', 'is', null)
    .execute();
  return rows.map(({ network, since, paused_by: by, reason }) => ({
    network,
    since: instant(wholeNumber(since)),
    by,
    reason,
  }));
}

function sweepOfRow(row: Selectable<TreasuryTables['treasury_sweep']>): Sweep {
  return {
    id: row.id,
    network: row.network,
    asset: row.asset,
    index: row.address_index,
    address: row.address,
    destination: row.destination,
    amount: Decimal.parse(row.amount),
    gasLimit: row.gas_limit,
    mostFee: BigInt(row.most_fee),
    gas: row.gas === null ? undefined : Decimal.parse(row.gas),
    state: row.state as SweepState,
    createdAt: instant(wholeNumber(row.created_at)),
    gasTxid: row.gas_txid ?? undefined,
    txid: row.txid ?? undefined,
    block: row.block === null ? undefined : wholeNumber(row.block),
    fee: Decimal.parse(row.fee),
    reason: row.reason ?? undefined,
    closedAt: row.closed_at === null ? undefined : instant(wholeNumber(row.closed_at)),
  };
}
