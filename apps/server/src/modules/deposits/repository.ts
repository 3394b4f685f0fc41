import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable, type Updateable } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { createdWithin, type TransferRange } from '../../platform/database/created-within.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import { recordsOfTable } from '../../platform/database/table-records.ts';
import {
  BY_ID,
  type ListPage,
  type PagedRows,
  mapPage,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { trackedRows, type TransferNames } from '../../platform/database/tracked-rows.ts';
import { queueInTable } from '../../platform/database/work-queue.ts';
import {
  DEPOSIT_NUMBERS,
  REPORT_STATUSES,
  type Deposit,
  type DepositStatus,
  type DepositState,
} from './domain.ts';
import type { DepositTables } from './tables.ts';

const tables = tablesOf<DepositTables>();

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

/** The deposit addresses that are stored for a user on the given networks; empty if there are none. */
export async function addressesOn(
  reader: Reader,
  owner: UserId,
  networks: readonly string[],
): Promise<StoredAddress[]> {
  const rows = await tables(reader)
    .selectFrom('deposit_address')
    .select(['address', 'memo'])
    .where('owner', '=', owner)
    .where('network', 'in', networks)
    .execute();
  return rows.map(({ address, memo }) => ({ address, memo: memo ?? undefined }));
}

/**
 * Stores the deposit address of a user. Does nothing if the address is already stored with the same memo for
 * any user, or if the user already has an address on the network.
 */
export async function storeAddress(
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

/**
 * Deletes the deposit address of a user on a network if it is still the given one, so that the user receives a new one.
 */
export async function deleteAddress(
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

/**
 * Ids of the owners of the given addresses with their memos, in the order of `places`; undefined for one that
 * no user has.
 */
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
  const owners = new Map(rows.map(({ at, owner }) => [Number(at) - 1, owner as UserId]));
  return places.map((_, index) => owners.get(index));
}

/** The highest position, in their channel, of the deposits on these networks; 0 if there is no deposit. */
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

/** Stores a new deposit. Returns false if it is stored already, otherwise true. */
export async function insertDeposit(
  store: Store,
  deposit: Deposit,
  position: number,
  /** Index of the payment within its transaction; undefined if it is unknown. */
  output: number | undefined,
): Promise<boolean> {
  const { id, owner, asset, network, address, txid, confirmations } = deposit;
  const stored = await tables(store)
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
 * True if a payment is recorded as a deposit already. If `output` is undefined, every payment of the transaction
 * matches; a stored deposit without an output index matches every payment with its amount.
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

/**
 * The deposits of one transaction in one coin, of all users: the first `limit` in the order of their outputs,
 * and their total number.
 */
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

/**
 * The deposit of a payment, which network, transaction, output and coin identify, with its position in the channel;
 * undefined if there is none.
 */
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

/** Stores the new state of a deposit after a re-org dropped its transfer or it reappeared. */
export async function updateDeposit(
  store: Store,
  id: string,
  state: DepositState & { readonly position: number; readonly block: number },
): Promise<void> {
  await tables(store)
    .updateTable('deposit')
    .set({
      status: DEPOSIT_NUMBERS[state.status],
      amount: state.amount.toString(),
      is_small: state.isSmall,
      position: BigInt(state.position),
      block: BigInt(state.block),
      finished_at: state.finishedAt === undefined ? null : BigInt(state.finishedAt),
      gone_at: state.goneAt === undefined ? null : BigInt(state.goneAt),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Credited deposits that their network dropped and that were not debited from their owners: the `limit` that
 * were dropped first, and their total number.
 */
export async function droppedAfterCredit(reader: Reader, limit: number): Promise<BoundedRows<Deposit>> {
  const goneDeposits = tables(reader)
    .selectFrom('deposit')
    .selectAll()
    .where('gone_at', 'is not', null)
    .where('status', '=', 1)
    .where('is_claimed', '=', false)
    .orderBy('gone_at');
  return mapBounded(await readBounded(reader, goneDeposits, limit), depositOf);
}

/** Records that a dropped deposit is debited from its owner, or that this debit is cancelled. */
export async function saveClaim(store: Store, id: string, isClaimed: boolean): Promise<void> {
  await tables(store).updateTable('deposit').set({ is_claimed: isClaimed }).where('id', '=', id).execute();
}

/**
 * Deposits whose transfers are on their network again although the deposits were debited from their owners, at most
 * `limit`.
 */
export async function claimedAndBack(reader: Reader, limit: number): Promise<Deposit[]> {
  const rows = await tables(reader)
    .selectFrom('deposit')
    .selectAll()
    .where('is_claimed', '=', true)
    .where('gone_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(depositOf);
}

/** True if the payment is recorded as a deposit of any user. */
export async function isDeposit(
  reader: Reader,
  payment: Pick<Deposit, 'network' | 'txid' | 'asset'> & { readonly output: number },
): Promise<boolean> {
  return (await findDeposit(reader, payment)) !== undefined;
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

/** Owner, network and coin, which identify a group of deposits. */
export type DepositPlace = Pick<Deposit, 'owner' | 'network' | 'asset'>;

/**
 * The deposits of a user in a coin on a network that wait for the minimum, oldest first, at most `limit`; all of them
 * if `limit` is undefined.
 */
export async function smallDeposits(
  reader: Reader,
  { owner, network, asset }: DepositPlace,
  limit: number | undefined,
): Promise<Deposit[]> {
  const waiting = tables(reader)
    .selectFrom('deposit')
    .selectAll()
    .where('owner', '=', owner)
    .where('network', '=', network)
    .where('asset', '=', asset)
    .where('status', '=', 0)
    .where('is_small', '=', true)
    .orderBy('id');
  const rows = await (limit === undefined ? waiting : waiting.limit(limit)).execute();
  return rows.map(depositOf);
}

/** The sum of the amounts of a user's deposits in a coin on a network that wait for the minimum. */
export async function smallDepositsSum(
  reader: Reader,
  { owner, network, asset }: DepositPlace,
): Promise<Decimal> {
  const { rows } = await sql<{ amount: string }>`
    select coalesce(sum(amount), 0)::text as amount from deposit
    where owner = ${owner} and network = ${network} and asset = ${asset} and status = 0 and is_small
  `.execute(reader);
  return Decimal.parse(rows[0]!.amount);
}

/**
 * True if the user's deposits below the minimum, in a coin on a network, are released: they reached the minimum
 * together, one step has begun to credit them, and later steps credit the rest even if the rest is below the minimum.
 */
export async function isReleased(reader: Reader, { owner, network, asset }: DepositPlace): Promise<boolean> {
  const row = await tables(reader)
    .selectFrom('deposit_release')
    .select('owner')
    .where('owner', '=', owner)
    .where('network', '=', network)
    .where('asset', '=', asset)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Records that a user's deposits below the minimum, in one coin on one network, are released, because together they
 * reached the minimum: later steps credit those that are left. Removes that record if `isLeft` is false.
 */
export async function saveRelease(
  store: Store,
  { owner, network, asset }: DepositPlace,
  isLeft: boolean,
): Promise<void> {
  if (isLeft)
    await tables(store)
      .insertInto('deposit_release')
      .values({ owner, network, asset })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else
    await tables(store)
      .deleteFrom('deposit_release')
      .where('owner', '=', owner)
      .where('network', '=', network)
      .where('asset', '=', asset)
      .execute();
}

/**
 * The next owners, networks and coins with released deposits, ordered by owner, network and coin, starting after
 * `after`, at most `limit`. Released deposits are below the minimum each, have reached it together, and are credited
 * over several steps.
 */
export async function releases(
  reader: Reader,
  after: DepositPlace | undefined,
  limit: number,
): Promise<DepositPlace[]> {
  const all = tables(reader).selectFrom('deposit_release').select(['owner', 'network', 'asset']);
  const next =
    after === undefined
      ? all
      : all.where(
          sql<boolean>`(owner, network, asset) > (${after.owner}::uuid, ${after.network}, ${after.asset})`,
        );
  const rows = await next.orderBy('owner').orderBy('network').orderBy('asset').limit(limit).execute();
  return rows.map(({ owner, network, asset }) => ({
    owner: owner as UserId,
    network,
    asset,
  }));
}

/** Marks a pending deposit as waiting, because it is below the minimum. */
export async function markSmall(store: Store, id: string): Promise<void> {
  await updatePending(store, [id], { is_small: true });
}

/** Marks the given deposits as credited, as far as they are pending. */
export async function finishDeposits(store: Store, ids: readonly string[], now: Instant): Promise<void> {
  await updatePending(store, ids, { status: 1, is_small: false, finished_at: BigInt(now) });
}

async function updatePending(
  store: Store,
  ids: readonly string[],
  change: Updateable<DepositTables['deposit']>,
): Promise<void> {
  await tables(store)
    .updateTable('deposit')
    .set(change)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('status', '=', 0)
    .execute();
}

export async function enqueueNotices(
  store: Store,
  notices: readonly { readonly id: string; readonly deposit: string }[],
): Promise<void> {
  if (notices.length > 0)
    await tables(store)
      .insertInto('deposit_notice')
      .values([...notices])
      .execute();
}

export type CoinPlace = Pick<Deposit, 'network' | 'asset'>;

/**
 * The coins, with their networks, that have pending deposits which do not wait for the minimum. The query makes a few
 * index look-ups per coin, however many deposits there are.
 */
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

/**
 * The next page, at most `limit`, of the pending deposits of a coin on a network that do not wait for the
 * minimum and are confirmed at the chain height `height`, in the order of their blocks, starting after the
 * deposit `after`.
 */
export async function confirmedDeposits(
  reader: Reader,
  { network, asset }: CoinPlace,
  page: { readonly height: number; readonly after: Deposit | undefined; readonly limit: number },
): Promise<Deposit[]> {
  const { height, after, limit } = page;
  let query = pendingOf(reader, { network, asset })
    .where('block', '<=', BigInt(height))
    .where(sql<boolean>`block + confirmations <= ${height}::bigint + 1`);
  if (after !== undefined)
    query = query.where(sql<boolean>`(block, id) > (${after.block}::bigint, ${after.id}::uuid)`);
  const rows = await query.orderBy('block').orderBy('id').limit(limit).execute();
  return rows.map(depositOf);
}

/**
 * The next page, at most `limit`, of the pending deposits of a coin on a network that do not wait for the
 * minimum and are not confirmed at the chain height `height`, newest block first, starting after the deposit
 * `after`.
 */
export async function unconfirmedDeposits(
  reader: Reader,
  coin: CoinPlace,
  page: { readonly height: number; readonly after: Deposit | undefined; readonly limit: number },
): Promise<Deposit[]> {
  const { height, after, limit } = page;
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

/** Queue of the credited deposits about which their owners have not received a message yet. */
export const depositNotices = queueInTable<{ readonly id: string; readonly deposit: string }, Deposit>(
  'deposit_notice',
  ['deposit'],
  (tx, rows) =>
    depositsByIds(
      tx,
      rows.map(({ deposit }) => deposit),
    ),
);

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

/**
 * The owner's deposits that `names` selects, newest first, at most `limit`: all pending ones, those of the newest 500
 * with a matching amount, or those with a matching id or transaction id.
 */
export async function namedDeposits(
  reader: Reader,
  owner: UserId,
  names: TransferNames,
  limit: number,
): Promise<Deposit[]> {
  const isNamed = trackedRows('deposit', owner, names, {
    open: sql`status = 0`,
    amounts: [sql`amount`],
    transaction: sql`lower(txid)`,
  });
  const rows = await tables(reader)
    .selectFrom('deposit')
    .selectAll()
    .where(isNamed)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(depositOf);
}

/**
 * An owner's deposits created within a time range (bounds included), in one coin or in all coins, with one of
 * `statuses` (numbers as in the database) or with any status, newest first: at most `limit`, after the first
 * `offset`.
 */
export async function depositsWithin(
  reader: Reader,
  owner: UserId,
  { asset, statuses, limit, offset, ...bounds }: TransferRange,
): Promise<Deposit[]> {
  let query = tables(reader).selectFrom('deposit').selectAll().where('owner', '=', owner);
  if (asset !== undefined) query = query.where('asset', '=', asset);
  if (statuses !== undefined) query = query.where(sql<boolean>`status = any(${statuses}::integer[])`);
  const rows = await query
    .where(createdWithin(bounds))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(depositOf);
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
    isClaimed: row.is_claimed,
  };
}

/** Sources of deposits, reports of deposits, and deposit addresses for the operators' search and for timelines. */
export function depositRecords(reader: Reader): readonly RecordSource[] {
  return [
    recordsOfTable(reader, {
      kind: 'deposit',
      table: 'deposit',
      at: 'created_at',
      columns: [
        'asset',
        'network',
        'amount',
        'address',
        'memo',
        'txid',
        'output',
        'block',
        'confirmations',
        'status',
        'is_small',
        'is_claimed',
        'remark',
        'created_at',
        'finished_at',
        'gone_at',
      ],
      times: ['created_at', 'finished_at', 'gone_at'],
      named: ({ lower, transactions }) => [
        sql`lower(txid) = any(${transactions}::text[])`,
        sql`lower(address) = ${lower}`,
      ],
      describe: ({ network, amount, asset, status }) => ({
        event: `Deposit over ${network}`,
        amount,
        asset,
        status: STATUSES[Number(status)],
      }),
    }),
    recordsOfTable(reader, {
      kind: 'reportedDeposit',
      table: 'deposit_proof',
      at: 'created_at',
      columns: [
        'asset',
        'network',
        'amount',
        'address',
        'remark',
        'status',
        'reason',
        'credited',
        'created_at',
        'decided_at',
        'decided_by',
      ],
      times: ['created_at', 'decided_at'],
      describe: ({ network, amount, asset, status }) => ({
        event: `Reported a deposit over ${network}`,
        amount,
        asset,
        status: REPORT_STATUSES[Number(status)],
      }),
    }),
    {
      kind: 'depositAddress',
      find: async ({ lower }, limit) => {
        const { rows } = await sql<{ owner: UserId; network: string; address: string }>`
          select owner, network, address from deposit_address where lower(address) = ${lower}
          order by owner, network limit ${limit}
        `.execute(reader);
        return rows.map(({ owner, network, address }) => ({
          id: `${owner}/${network}`,
          owner,
          label: `${address}, ${network}`,
        }));
      },
    },
  ];
}

/**
 * The time at which each account's last deposit was credited, if it is later than `since`; other accounts are missing
 * in the map.
 */
export async function lastCreditedSince(
  reader: Reader,
  owners: readonly UserId[],
  since: Instant,
): Promise<ReadonlyMap<UserId, Instant>> {
  const { rows } = await sql<{ owner: UserId; at: string }>`
    select owner, max(finished_at)::text as at from deposit
    where owner = any(${owners}::uuid[]) and status = 1 and finished_at > ${since}::bigint group by owner
  `.execute(reader);
  return new Map(rows.map(({ owner, at }) => [owner, instant(Number(at))]));
}
