import { Decimal } from '@exchange/core/decimal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { mapBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { TransferKind, TransferState, WalletTransfer } from './hot-domain.ts';
import type { TreasuryTables } from './tables.ts';
import { changeRow, insertOpenRow, readClosedRows, readOpenRows } from './transfer-rows-repository.ts';

const tables = tablesOf<TreasuryTables>();

/**
 * Stores a new transfer between hot and cold wallet. Returns false if a transfer of the same kind, network and coin has
 * not ended.
 */
export function insertTransfer(
  store: Store,
  transfer: Pick<
    WalletTransfer,
    'id' | 'kind' | 'network' | 'asset' | 'amount' | 'source' | 'destination' | 'createdAt'
  >,
): Promise<boolean> {
  return insertOpenRow(store, 'treasury_transfer', ['kind', 'network', 'asset'], {
    id: transfer.id,
    kind: transfer.kind,
    network: transfer.network,
    asset: transfer.asset,
    amount: transfer.amount.toString(),
    source: transfer.source,
    destination: transfer.destination,
    state: 'open',
    created_at: BigInt(transfer.createdAt),
    approved_at: null,
    approved_by: null,
    reason: null,
    digest: null,
    cancelled_by: null,
    cancel_reason: null,
    txid: null,
    block: null,
    received: null,
    closed_at: null,
  });
}

export async function findTransfer(reader: Reader, id: string): Promise<WalletTransfer | undefined> {
  const row = await tables(reader)
    .selectFrom('treasury_transfer')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && transferOf(row);
}

/**
 * Returns transfers between hot and cold wallet that have not ended, oldest first, at most `limit`; at most
 * one per kind, network and coin.
 */
export async function openTransfers(reader: Reader, limit: number): Promise<BoundedRows<WalletTransfer>> {
  const rows = await readOpenRows(reader, 'treasury_transfer', { network: undefined, limit });
  return mapBounded(rows, transferOf);
}

/** Returns closed transfers between hot and cold wallet, newest first, at most `limit`. */
export async function closedTransfers(reader: Reader, limit: number): Promise<BoundedRows<WalletTransfer>> {
  return mapBounded(await readClosedRows(reader, 'treasury_transfer', limit), transferOf);
}

/**
 * A change of a transfer between hot and cold wallet: its new state and new values of fields. Absent fields keep their
 * values.
 */
export interface TransferChange {
  readonly state: TransferState;
  readonly approval?: {
    readonly by: string;
    readonly reason: string;
    readonly digest: string;
    readonly at: Instant;
  };
  readonly cancellation?: { readonly by: string; readonly reason: string };
  readonly txid?: string;
  readonly block?: number;
  readonly received?: Decimal;
  readonly closedAt?: Instant;
}

/**
 * Changes a transfer between hot and cold wallet whose state is one of `from`. Returns false if the transfer
 * is in another state or does not exist.
 */
export function changeTransfer(
  store: Store,
  id: string,
  from: readonly TransferState[],
  change: TransferChange,
): Promise<boolean> {
  const { state, approval, cancellation, txid, block, received, closedAt } = change;
  return changeRow(store, 'treasury_transfer', id, from, {
    state,
    approved_at: approval === undefined ? undefined : BigInt(approval.at),
    approved_by: approval?.by,
    reason: approval?.reason,
    digest: approval?.digest,
    cancelled_by: cancellation?.by,
    cancel_reason: cancellation?.reason,
    txid,
    block: block === undefined ? undefined : BigInt(block),
    received: received?.toString(),
    closed_at: closedAt === undefined ? undefined : BigInt(closedAt),
  });
}

/**
 * Returns the total of the payments from the exchange's wallet `sender` to its wallet `address` that were
 * recorded at `since` or later, are in blocks up to `block` and were not dropped by the network, and the id
 * of the last transaction (undefined if there is none).
 */
export async function internalArrivals(
  reader: Reader,
  place: {
    readonly network: string;
    readonly asset: string;
    readonly address: string;
    readonly sender: string;
  },
  { since, block }: { readonly since: Instant; readonly block: number },
): Promise<{ readonly received: Decimal; readonly txid: string | undefined }> {
  const { network, asset, address, sender } = place;
  const { rows } = await sql<{ received: string; txid: string | null }>`
    select coalesce(sum(amount), 0)::text as received, (array_agg(txid order by created_at desc, id desc))[1] as txid
    from treasury_arrival
    where state = 'internal' and network = ${network} and asset = ${asset} and created_at >= ${since}::bigint
      and lower(address) = ${address.toLowerCase()} and lower(sender) = ${sender.toLowerCase()} and gone_at is null and block <= ${block}::bigint
  `.execute(reader);
  return { received: Decimal.parse(rows[0]!.received), txid: rows[0]!.txid ?? undefined };
}

function transferOf(row: Selectable<TreasuryTables['treasury_transfer']>): WalletTransfer {
  return {
    id: row.id,
    kind: row.kind as TransferKind,
    network: row.network,
    asset: row.asset,
    amount: Decimal.parse(row.amount),
    source: row.source,
    destination: row.destination,
    state: row.state as TransferState,
    createdAt: instant(wholeNumber(row.created_at)),
    approvedBy: row.approved_by ?? undefined,
    digest: row.digest ?? undefined,
    txid: row.txid ?? undefined,
    block: row.block === null ? undefined : wholeNumber(row.block),
    received: row.received === null ? undefined : Decimal.parse(row.received),
    closedAt: row.closed_at === null ? undefined : instant(wholeNumber(row.closed_at)),
  };
}
