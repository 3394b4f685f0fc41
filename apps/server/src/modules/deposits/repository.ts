import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable, type Updateable } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import {
  BY_ID,
  type ListPage,
  type PagedRows,
  mapPage,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { DEPOSIT_NUMBERS, type Deposit, type DepositStatus, type Standing } from './domain.ts';
import type { DepositTables } from './tables.ts';

const STATUSES: readonly DepositStatus[] = ['pending', 'finished', 'rejected'];

export interface StoredAddress {
  readonly address: string;
  readonly memo: string | undefined;
}

export async function addressOf(
  reader: Reader,
  owner: UserId,
  network: string,
): Promise<StoredAddress | undefined> {
  const row = await tables(reader)
    .selectFrom('deposit_address')
    .select(['address', 'memo'])
    .where('owner', '=', owner)
    .where('network', '=', network)
    .executeTakeFirst();
  return row && { address: row.address, memo: row.memo ?? undefined };
}

/** Keeps an address for its owner, unless it is another's or the owner has one. */
export async function keepAddress(
  store: Store,
  owner: UserId,
  network: string,
  { address, memo }: StoredAddress,
  now: Instant,
): Promise<void> {
  await tables(store)
    .insertInto('deposit_address')
    .values({ owner, network, address, memo: memo ?? null, at: BigInt(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes somebody's address of a network away, so that another is made. */
export async function dropAddress(
  store: Store,
  owner: UserId,
  network: string,
  { address }: StoredAddress,
): Promise<void> {
  await tables(store)
    .deleteFrom('deposit_address')
    .where('owner', '=', owner)
    .where('network', '=', network)
    .where('address', '=', address)
    .execute();
}

/** Whose addresses these are, in the order given. */
export async function ownersOf(
  reader: Reader,
  places: readonly (StoredAddress & { readonly network: string })[],
): Promise<(UserId | undefined)[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<{ at: string; owner: string }>`
    select place.at::text as at, a.owner from unnest(
      ${places.map(({ network }) => network)}::text[], ${places.map(({ address }) => address)}::text[],
      ${places.map(({ memo }) => memo ?? '')}::text[]
    ) with ordinality as place(network, address, memo, at)
    join deposit_address a on a.network = place.network and a.address = place.address
      and coalesce(a.memo, '') = place.memo
  `.execute(reader);
  const found = new Map(rows.map(({ at, owner }) => [Number(at) - 1, owner as UserId]));
  return places.map((_, at) => found.get(at));
}

/** Where a channel's count stood at the deposit that was seen last on its networks. */
export async function lastPosition(reader: Reader, networks: readonly string[]): Promise<number> {
  const row = await tables(reader)
    .selectFrom('deposit')
    .select('position')
    .where('network', 'in', [...networks])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? 0 : wholeNumber(row.position);
}

/** Stores a deposit that was seen; false where it was seen before. */
export async function insertDeposit(
  reader: Reader,
  deposit: Deposit,
  position: number,
  /** Which of its transaction's payments it is; undefined where nobody has said. */
  output: number | undefined,
): Promise<boolean> {
  const { id, owner, asset, network, address, txid, confirmations } = deposit;
  const stored = await tables(reader)
    .insertInto('deposit')
    .values({
      id,
      owner,
      asset,
      network,
      address,
      memo: deposit.memo ?? null,
      txid,
      confirmations,
      output: output ?? 0,
      output_assumed: output === undefined,
      amount: deposit.amount.toString(),
      remark: deposit.remark ?? null,
      position: BigInt(position),
      block: BigInt(deposit.block),
      status: 0,
      is_small: false,
      finished_at: null,
      created_at: BigInt(deposit.createdAt),
      gone_at: null,
    })
    .onConflict((conflict) => conflict.columns(['network', 'txid', 'output', 'asset']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/**
 * Whether a payment of a transaction is a deposit already. Without an output it is every payment of the transaction, and a
 * deposit without an output is every payment of its amount.
 */
export async function isCredited(
  reader: Reader,
  { network, txid, asset, amount }: Pick<Deposit, 'network' | 'txid' | 'asset' | 'amount'>,
  output: number | undefined,
): Promise<boolean> {
  const { rows } = await sql`
    select from deposit where network = ${network} and txid = ${txid} and asset = ${asset}
      and (${output ?? null}::integer is null or output = ${output ?? null}::integer and not output_assumed
        or output_assumed and amount = ${amount.toString()}::numeric)
    limit 1
  `.execute(reader);
  return rows.length > 0;
}

/** Deposits that a transaction has brought already, to whomever. */
export async function depositsOfTransaction(
  reader: Reader,
  { network, txid, asset }: Pick<Deposit, 'network' | 'txid' | 'asset'>,
  limit: number,
): Promise<BoundedRows<Deposit & { readonly output: number }>> {
  const payments = tables(reader)
    .selectFrom('deposit')
    .selectAll()
    .where('network', '=', network)
    .where('txid', '=', txid)
    .where('asset', '=', asset)
    .orderBy('output');
  return mapBounded(await readBounded(reader, payments, limit), (row) => ({
    ...depositOf(row),
    output: row.output,
  }));
}

/** One by what its network calls it, and where the channel's count stood at it. */
export async function findDeposit(
  reader: Reader,
  { network, txid, output, asset }: Pick<Deposit, 'network' | 'txid' | 'asset'> & { readonly output: number },
): Promise<(Deposit & { readonly position: number }) | undefined> {
  const row = await tables(reader)
    .selectFrom('deposit')
    .selectAll()
    .where('network', '=', network)
    .where('txid', '=', txid)
    .where('output', '=', output)
    .where('asset', '=', asset)
    .executeTakeFirst();
  return row && { ...depositOf(row), position: wholeNumber(row.position) };
}

/** Writes how a deposit stands after its network took it back, or had it again. */
export async function moveDeposit(
  reader: Reader,
  id: string,
  to: Standing & { readonly position: number; readonly block: number },
): Promise<void> {
  await tables(reader)
    .updateTable('deposit')
    .set({
      status: DEPOSIT_NUMBERS[to.status],
      amount: to.amount.toString(),
      is_small: to.isSmall,
      position: BigInt(to.position),
      block: BigInt(to.block),
      finished_at: to.finishedAt === undefined ? null : BigInt(to.finishedAt),
      gone_at: to.goneAt === undefined ? null : BigInt(to.goneAt),
    })
    .where('id', '=', id)
    .execute();
}

/** Deposits that were credited and that their network has no more, for people to look at: the one that is gone longest first. */
export async function creditedAndGone(reader: Reader, limit: number): Promise<BoundedRows<Deposit>> {
  const gone = tables(reader)
    .selectFrom('deposit')
    .selectAll()
    .where('gone_at', 'is not', null)
    .where('status', '=', 1)
    .orderBy('gone_at');
  return mapBounded(await readBounded(reader, gone, limit), depositOf);
}

export async function depositsByIds(reader: Reader, ids: readonly string[]): Promise<Deposit[]> {
  const rows = await tables(reader)
    .selectFrom('deposit')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();
  return rows.map(depositOf);
}

/** All that waits for more of a person's coin on a network, however many deposits they are. */
export async function smallDeposits(reader: Reader, { owner, network, asset }: Deposit): Promise<Deposit[]> {
  const rows = await tables(reader)
    .selectFrom('deposit')
    .selectAll()
    .where('owner', '=', owner)
    .where('network', '=', network)
    .where('asset', '=', asset)
    .where('status', '=', 0)
    .where('is_small', '=', true)
    .orderBy('id')
    .execute();
  return rows.map(depositOf);
}

/** Marks a deposit that is below the minimum, unless it is decided. */
export async function markSmall(reader: Reader, id: string): Promise<void> {
  await updatePending(reader, [id], { is_small: true });
}

/** Marks deposits as credited, except those that are decided. */
export async function finishDeposits(reader: Reader, ids: readonly string[], now: Instant): Promise<void> {
  await updatePending(reader, ids, { status: 1, is_small: false, finished_at: BigInt(now) });
}

async function updatePending(
  reader: Reader,
  ids: readonly string[],
  change: Updateable<DepositTables['deposit']>,
): Promise<void> {
  await tables(reader)
    .updateTable('deposit')
    .set(change)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('status', '=', 0)
    .execute();
}

export async function leaveNotices(
  reader: Reader,
  notices: readonly { readonly id: string; readonly deposit: string }[],
): Promise<void> {
  if (notices.length > 0)
    await tables(reader)
      .insertInto('deposit_notice')
      .values([...notices])
      .execute();
}

/** A coin on a network. */
export type CoinPlace = Pick<Deposit, 'network' | 'asset'>;

/** The coins of which deposits are pending, by network; a few index look-ups for each, however many deposits wait. */
export async function pendingCoins(reader: Reader): Promise<CoinPlace[]> {
  const { rows } = await sql<CoinPlace>`
    with recursive coin as (
      (select network, asset from deposit where status = 0 and not is_small order by network, asset limit 1)
      union all
      select next.network, next.asset from coin cross join lateral (
        select network, asset from deposit
        where status = 0 and not is_small and (network, asset) > (coin.network, coin.asset)
        order by network, asset limit 1
      ) next
    ) select network, asset from coin
  `.execute(reader);
  return rows;
}

/** The next pending deposits of a coin that have their confirmations at `height`, by block, behind `after`. */
export async function confirmedDeposits(
  reader: Reader,
  { network, asset }: CoinPlace,
  wanted: { readonly height: number; readonly after: Deposit | undefined; readonly limit: number },
): Promise<Deposit[]> {
  const { height, after, limit } = wanted;
  let query = pendingOf(reader, { network, asset })
    .where('block', '<=', BigInt(height))
    .where(sql<boolean>`block + confirmations <= ${height}::bigint + 1`);
  if (after !== undefined)
    query = query.where(sql<boolean>`(block, id) > (${after.block}::bigint, ${after.id}::uuid)`);
  const rows = await query.orderBy('block').orderBy('id').limit(limit).execute();
  return rows.map(depositOf);
}

/** The next pending deposits of a coin that lack confirmations at `height`, the newest block first, behind `after`. */
export async function unconfirmedDeposits(
  reader: Reader,
  coin: CoinPlace,
  wanted: { readonly height: number; readonly after: Deposit | undefined; readonly limit: number },
): Promise<Deposit[]> {
  const { height, after, limit } = wanted;
  let query = pendingOf(reader, coin).where(sql<boolean>`block + confirmations > ${height}::bigint + 1`);
  if (after !== undefined)
    query = query.where(sql<boolean>`(block, id) < (${after.block}::bigint, ${after.id}::uuid)`);
  const rows = await query.orderBy('block', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(depositOf);
}

function pendingOf(reader: Reader, { network, asset }: CoinPlace) {
  return tables(reader)
    .selectFrom('deposit')
    .selectAll()
    .where('network', '=', network)
    .where('asset', '=', asset)
    .where('status', '=', 0)
    .where('is_small', '=', false);
}

/** Takes the next notices away; they come back where the transaction does not commit. */
export async function takeNotices(tx: Tx, limit: number): Promise<Deposit[]> {
  const { rows } = await sql<{ deposit: string }>`
    delete from deposit_notice where id in (
      select id from deposit_notice order by id limit ${limit} for update skip locked
    ) returning deposit
  `.execute(tx);
  return rows.length === 0
    ? []
    : depositsByIds(
        tx,
        rows.map(({ deposit }) => deposit),
      );
}

/** A user's deposits, newest first. */
export async function depositsOf(
  reader: Reader,
  owner: UserId,
  { asset, status }: { readonly asset: string | undefined; readonly status: number | undefined },
  page: PagedRows,
): Promise<ListPage<Deposit>> {
  let query = tables(reader).selectFrom('deposit').where('owner', '=', owner);
  if (asset !== undefined) query = query.where('asset', '=', asset);
  if (status !== undefined) query = query.where('status', '=', status);
  return mapPage(await readPage(reader, query.selectAll(), BY_ID, page), depositOf);
}

function tables(reader: Reader) {
  return reader.withTables<DepositTables>();
}

function depositOf(row: Selectable<DepositTables['deposit']>): Deposit {
  return {
    id: row.id,
    owner: row.owner as UserId,
    asset: row.asset,
    network: row.network,
    address: row.address,
    memo: row.memo ?? undefined,
    txid: row.txid,
    remark: row.remark ?? undefined,
    amount: Decimal.parse(row.amount),
    block: wholeNumber(row.block),
    isSmall: row.is_small,
    confirmations: row.confirmations,
    status: STATUSES[row.status]!,
    createdAt: instant(wholeNumber(row.created_at)),
    finishedAt: row.finished_at === null ? undefined : instant(wholeNumber(row.finished_at)),
    goneAt: row.gone_at === null ? undefined : instant(wholeNumber(row.gone_at)),
  };
}
