import { Decimal } from '@exchange/core/decimal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { mapBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { OpenReturnState, ReturnState, SenderReturn } from './return-domain.ts';
import type { TreasuryTables } from './tables.ts';
import { changeRow, insertOpenRow, readClosedRows, readOpenRows } from './transfer-rows-repository.ts';

const tables = tablesOf<TreasuryTables>();

/**
 * Stores the return of an arrival (an incoming transfer that is no user's deposit) to its sender. Returns false if the
 * arrival already has a return that has not ended.
 */
export function insertReturn(
  store: Store,
  approved: Omit<SenderReturn, 'state' | 'usedBy' | 'txid' | 'block' | 'closedAt'>,
): Promise<boolean> {
  return insertOpenRow(store, 'treasury_return', ['arrival'], {
    id: approved.id,
    arrival: approved.arrival,
    reference: approved.reference,
    network: approved.network,
    asset: approved.asset,
    address: approved.address,
    memo: approved.memo ?? null,
    amount: approved.amount.toString(),
    fee: approved.fee.toString(),
    is_from_chain: approved.isFromChain,
    state: 'approved',
    approved_at: BigInt(approved.approvedAt),
    approved_by: approved.approvedBy,
    reason: approved.reason,
    digest: approved.digest,
    cancelled_by: null,
    cancel_reason: null,
    used_by: null,
    txid: null,
    block: null,
    closed_at: null,
  });
}

export async function findReturn(reader: Reader, id: string): Promise<SenderReturn | undefined> {
  const row = await tables(reader)
    .selectFrom('treasury_return')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && returnOf(row);
}

/** Returns the number of returns of an arrival that were ever approved, in whatever state. */
export async function returnCount(reader: Reader, arrival: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from treasury_return where arrival = ${arrival}::uuid
  `.execute(reader);
  return rows[0]!.count;
}

/** Reads the returns of arrivals to their senders that have not ended, oldest first, at most `limit`. */
export async function openReturns(reader: Reader, limit: number): Promise<BoundedRows<SenderReturn>> {
  return mapBounded(await readOpenRows(reader, 'treasury_return', { network: undefined, limit }), returnOf);
}

/** Reads the returns of arrivals to their senders that have ended, newest first, at most `limit`. */
export async function closedReturns(reader: Reader, limit: number): Promise<BoundedRows<SenderReturn>> {
  return mapBounded(await readClosedRows(reader, 'treasury_return', limit), returnOf);
}

/**
 * Returns the state of the last return of each arrival, by the id of the arrival; arrivals without returns
 * are left out.
 */
export async function lastReturns(
  reader: Reader,
  arrivals: readonly string[],
): Promise<ReadonlyMap<string, ReturnState>> {
  const { rows } = await sql<{ arrival: string; state: ReturnState }>`
    select distinct on (arrival) arrival::text as arrival, state from treasury_return
    where arrival = any(${arrivals}::uuid[]) order by arrival, id desc
  `.execute(reader);
  return new Map(rows.map(({ arrival, state }) => [arrival, state]));
}

/**
 * Returns the amounts that approved returns in no block yet must still pay, without the kept fees, by coin
 * and network, in units of the coin.
 */
export async function returnNeeds(
  reader: Reader,
): Promise<{ readonly asset: string; readonly network: string; readonly amount: Decimal }[]> {
  const { rows } = await sql<{ asset: string; network: string; amount: string }>`
    select asset, network, sum(amount)::text as amount from treasury_return
    where closed_at is null and block is null group by asset, network
  `.execute(reader);
  return rows.map(({ asset, network, amount }) => ({ asset, network, amount: Decimal.parse(amount) }));
}

/** A change of a return: its new state and new values of fields. Absent fields keep their values. */
interface ReturnChange {
  readonly state: ReturnState;
  readonly cancellation?: {
    readonly by: string;
    readonly reason: string;
    readonly usedBy: string | undefined;
  };
  readonly txid?: string;
  readonly block?: number | undefined;
  readonly closedAt?: Instant;
}

/**
 * Changes a return whose state is one of `from`. Returns false if the return is in another state or does not
 * exist.
 */
export function changeReturn(
  store: Store,
  id: string,
  from: readonly OpenReturnState[],
  { state, cancellation, txid, block, closedAt }: ReturnChange,
): Promise<boolean> {
  return changeRow(store, 'treasury_return', id, from, {
    state,
    cancelled_by: cancellation?.by,
    cancel_reason: cancellation?.reason,
    used_by: cancellation?.usedBy,
    txid,
    block: block === undefined ? undefined : BigInt(block),
    closed_at: closedAt === undefined ? undefined : BigInt(closedAt),
  });
}

function returnOf(row: Selectable<TreasuryTables['treasury_return']>): SenderReturn {
  return {
    id: row.id,
    arrival: row.arrival,
    reference: row.reference,
    network: row.network,
    asset: row.asset,
    address: row.address,
    memo: row.memo ?? undefined,
    amount: Decimal.parse(row.amount),
    fee: Decimal.parse(row.fee),
    isFromChain: row.is_from_chain,
    state: row.state as ReturnState,
    approvedAt: instant(wholeNumber(row.approved_at)),
    approvedBy: row.approved_by,
    reason: row.reason,
    digest: row.digest,
    usedBy: row.used_by ?? undefined,
    txid: row.txid ?? undefined,
    block: row.block === null ? undefined : wholeNumber(row.block),
    closedAt: row.closed_at === null ? undefined : instant(wholeNumber(row.closed_at)),
  };
}
