import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { ReturnReason } from '@exchange/core/network.ts';
import { instant, type Instant, DAY_MS } from '@exchange/core/time.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { createdWithin, type TransferRange } from '../../platform/database/created-within.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import { recordsOfTable } from '../../platform/database/table-records.ts';
import type { Scope } from '../../platform/database/scope.ts';
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
  type Withdrawal,
  type WithdrawalStatus,
  isLate,
  stepOf,
  type DurationCount,
  type WithdrawalContext,
  type WithdrawalExit,
} from './domain.ts';

const tables = tablesOf<WithdrawalTables>();

/** Database rows; amounts are decimal text, instants are in milliseconds since 1970. */
export type WithdrawalTables = {
  withdrawal_address: {
    id: string;
    owner: string;
    asset: string;
    network: string;
    address: string;
    memo: string | null;
    remark: string | null;
    active_at: bigint;
    created_at: bigint;
    removed_at: bigint | null;
  };
  withdrawal_whitelist: { owner: string; off_at: bigint | null };
  withdrawal: {
    id: string;
    owner: string;
    asset: string;
    network: string;
    address: string;
    memo: string | null;
    amount: string;
    fee: string;
    value: string;
    remark: string | null;
    key_id: string | null;
    key_name: string | null;
    order_name: string | null;
    is_auto: boolean;
    status: number;
    reason: string | null;
    txid: string | null;
    block: bigint | null;
    confirmations: number;
    decided_by: string | null;
    /** When a single operator approved the withdrawal; null if two operators or none approved it. */
    one_approved_at: bigint | null;
    /**
     * The instant from which the withdrawal may be sent, because its address counts as known from then on; null for old
     * withdrawals.
     */
    known_at: bigint | null;
    /** Digest of what the owner confirmed (see `Withdrawal.digest`); null for old withdrawals. */
    digest: string | null;
    exit_kind: 'return' | 'paid' | null;
    exit_reason: string | null;
    exit_txid: string | null;
    exit_by: string | null;
    exit_at: bigint | null;
    exit_ready_at: bigint | null;
    created_at: bigint;
    finished_at: bigint | null;
  };
  withdrawal_time: {
    day: number;
    asset: string;
    network: string;
    seconds: number;
    count: number;
    late: number;
    slowest_ms: bigint;
  };
  withdrawal_resumption: { restored_from: string; resumed_by: string; reason: string; at: bigint };
  database_setting: { name: string; value: string };
  withdrawal_notice: {
    id: string;
    withdrawal: string;
    kind: 'held' | 'finished' | 'rejected' | 'failed' | 'returned' | 'paused' | 'resumed';
  };
};

/** Statuses of withdrawals; the position in the list is the stored number. */
export const STATUSES: readonly WithdrawalStatus[] = [
  'pending',
  'finished',
  'rejected',
  'processing',
  'failed',
  'cancelled',
  'returned',
];

type NoticeKind = WithdrawalTables['withdrawal_notice']['kind'];

/**
 * Returns the amounts without fees, by coin, network and block, of the approved withdrawals whose transaction
 * is in a block but which are not settled in the ledger yet. The reconciliation expects these coins to be
 * missing from the wallet already.
 */
export async function inFlightWithdrawals(
  reader: Reader,
): Promise<{ asset: string; network: string; block: number; amount: Decimal }[]> {
  const { rows } = await sql<{ asset: string; network: string; block: string; amount: string }>`
    select asset, network, block::text as block, sum(amount - fee)::text as amount from withdrawal
    where status = 3 and block is not null group by asset, network, block
  `.execute(reader);
  return rows.map((row) => ({ ...row, block: Number(row.block), amount: Decimal.parse(row.amount) }));
}

/**
 * Returns the networks with approved withdrawals whose transaction may be in a block that is not stored with
 * them yet. Withdrawals that operators return or pay by hand (exit) count too: a transaction of theirs can be
 * mined before the exit has ended.
 */
export async function networksWithUnseen(reader: Reader): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ network: string }>`
    select distinct network from withdrawal where status = 3 and block is null
  `.execute(reader);
  return new Set(rows.map(({ network }) => network));
}

/**
 * Returns the amounts that the approved withdrawals in no block yet must still pay, without their fees, by
 * coin and network, in units of the coin. Withdrawals that operators return or pay by hand (exit) are left
 * out.
 */
export async function approvedNeeds(
  reader: Reader,
): Promise<{ readonly asset: string; readonly network: string; readonly amount: Decimal }[]> {
  const { rows } = await sql<{ asset: string; network: string; amount: string }>`
    select asset, network, sum(amount - fee)::text as amount from withdrawal
    where status = 3 and block is null and exit_kind is null group by asset, network
  `.execute(reader);
  return rows.map(({ asset, network, amount }) => ({ asset, network, amount: Decimal.parse(amount) }));
}

export async function insertWithdrawal(store: Store, withdrawal: Withdrawal): Promise<void> {
  const { id, owner, asset, network, address, confirmations } = withdrawal;
  await tables(store)
    .insertInto('withdrawal')
    .values({
      id,
      owner,
      asset,
      network,
      address,
      memo: withdrawal.memo ?? null,
      confirmations,
      amount: withdrawal.amount.toString(),
      fee: withdrawal.fee.toString(),
      value: withdrawal.value.toString(),
      remark: withdrawal.remark ?? null,
      key_id: withdrawal.key?.id ?? null,
      key_name: withdrawal.key?.name ?? null,
      order_name: withdrawal.orderName ?? null,
      is_auto: withdrawal.isAuto,
      status: 0,
      reason: null,
      txid: null,
      block: null,
      decided_by: null,
      one_approved_at: null,
      digest: withdrawal.digest ?? null,
      exit_kind: null,
      exit_reason: null,
      exit_txid: null,
      exit_by: null,
      exit_at: null,
      exit_ready_at: null,
      known_at: withdrawal.knownAt === undefined ? null : BigInt(withdrawal.knownAt),
      created_at: BigInt(withdrawal.createdAt),
      finished_at: null,
    })
    .execute();
}

export interface Change {
  readonly status: WithdrawalStatus;
  readonly reason?: ReturnReason;
  readonly sent?: { readonly txid: string; readonly block: number | undefined };
  readonly by?: string;
  /** When a single operator approved the withdrawal; absent for other changes. */
  readonly oneApprovedAt?: Instant;
  readonly endedAt?: Instant;
}

export async function changeWithdrawal(store: Store, id: string, change: Change): Promise<void> {
  const { status, reason, sent, by, oneApprovedAt, endedAt } = change;
  await tables(store)
    .updateTable('withdrawal')
    .set({
      status: STATUSES.indexOf(status),
      ...(reason === undefined ? {} : { reason }),
      ...(sent === undefined
        ? {}
        : {
            txid: sent.txid,
            ...(sent.block === undefined ? {} : { block: BigInt(sent.block) }),
          }),
      ...(by === undefined ? {} : { decided_by: by }),
      ...(oneApprovedAt === undefined ? {} : { one_approved_at: BigInt(oneApprovedAt) }),
      ...(endedAt === undefined ? {} : { finished_at: BigInt(endedAt) }),
    })
    .where('id', '=', id)
    .execute();
}

export async function withdrawalsByIds(reader: Reader, ids: readonly string[]): Promise<Withdrawal[]> {
  const rows = await tables(reader)
    .selectFrom('withdrawal')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();
  return rows.map(withdrawalOf);
}

/**
 * Returns the pending and approved withdrawals of all users, oldest first, at most `limit`, and the number of
 * all.
 */
export async function openWithdrawals(reader: Reader, limit: number): Promise<BoundedRows<Withdrawal>> {
  const open = tables(reader)
    .selectFrom('withdrawal')
    .selectAll()
    .where('status', 'in', [0, 3])
    .orderBy('created_at')
    .orderBy('id');
  return mapBounded(await readBounded(reader, open, limit), withdrawalOf);
}

/** Returns the number of pending and approved withdrawals of all users, and their total value in USDT. */
export async function openTotals(
  reader: Reader,
): Promise<{ readonly count: number; readonly value: Decimal }> {
  const { count, value } = await tables(reader)
    .selectFrom('withdrawal')
    .where('status', 'in', [0, 3])
    .select(({ fn }) => [
      fn.countAll<bigint>().as('count'),
      sql<string>`coalesce(sum(value), 0)::text`.as('value'),
    ])
    .executeTakeFirstOrThrow();
  return { count: wholeNumber(count), value: Decimal.parse(value) };
}

/**
 * Returns the next withdrawals that the job processes, oldest first, after the withdrawal `after`: approved
 * ones, and pending ones without a need for review that were requested at `before` or earlier. Coins in
 * `without` are left out, unless the withdrawal is signed or operators chose an exit for it (return, or
 * payment by hand). A pending withdrawal that needs a review waits for an operator and is left out.
 */
export async function movingWithdrawals(
  reader: Reader,
  page: {
    readonly before: Instant;
    readonly without: readonly string[];
    readonly after: Withdrawal | undefined;
    readonly limit: number;
  },
): Promise<Withdrawal[]> {
  const { before, without, after, limit } = page;
  let query = tables(reader)
    .selectFrom('withdrawal')
    .selectAll()
    .where(sql<boolean>`(status = 3 or (status = 0 and is_auto and created_at <= ${before}::bigint))`);
  if (without.length > 0)
    query = query.where(
      sql<boolean>`(asset <> all(${without}::text[]) or txid is not null or exit_kind is not null)`,
    );
  if (after !== undefined)
    query = query.where(sql<boolean>`(created_at, id) > (${after.createdAt}::bigint, ${after.id}::uuid)`);
  const rows = await query.orderBy('created_at').orderBy('id').limit(limit).execute();
  return rows.map(withdrawalOf);
}

/** Numbers of approved withdrawals on a network that have not ended, by progress. */
export interface NetworkLoad {
  readonly network: string;
  /** Number of the network's approved withdrawals that have not ended and have no transaction yet. */
  readonly waiting: number;
  readonly inFlight: number;
  /**
   * Number of the network's approved withdrawals that have not ended and whose transaction is in no block,
   * although they could have been sent before the instant `stuckBefore`.
   */
  readonly stuck: number;
  /**
   * Number of the network's approved withdrawals that have not ended, with or without a transaction, and that
   * could have been sent before the instant `lateBefore`.
   */
  readonly late: number;
}

/** Returns the numbers of the approved withdrawals that have not ended, by network and progress. */
export async function networkLoads(
  reader: Reader,
  { stuckBefore, lateBefore }: { readonly stuckBefore: Instant; readonly lateBefore: Instant },
): Promise<NetworkLoad[]> {
  type Row = { network: string; waiting: number; in_flight: number; stuck: number; late: number };
  const { rows } = await sql<Row>`
    select network, (count(*) filter (where txid is null))::int as waiting,
      (count(*) filter (where txid is not null))::int as in_flight,
      (count(*) filter (where txid is not null and block is null
        and greatest(created_at, coalesce(known_at, 0)) < ${stuckBefore}::bigint))::int as stuck,
      (count(*) filter (where greatest(created_at, coalesce(known_at, 0)) < ${lateBefore}::bigint))::int as late
    from withdrawal where status = 3 group by network
  `.execute(reader);
  return rows.map(({ network, waiting, in_flight: inFlight, stuck, late }) => ({
    network,
    waiting,
    inFlight,
    stuck,
    late,
  }));
}

/** Returns at most `limit` approved withdrawals of a network that have not ended, oldest first. */
export async function withdrawalsOnNetwork(
  reader: Reader,
  network: string,
  limit: number,
): Promise<Withdrawal[]> {
  const rows = await tables(reader)
    .selectFrom('withdrawal')
    .selectAll()
    .where('network', '=', network)
    .where('status', 'in', [0, 3])
    .where('status', '=', 3)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(withdrawalOf);
}

export async function withdrawalsOf(
  reader: Reader,
  owner: UserId,
  { asset, status }: { readonly asset: string | undefined; readonly status: number | undefined },
  page: PagedRows,
): Promise<ListPage<Withdrawal>> {
  let query = tables(reader).selectFrom('withdrawal').where('owner', '=', owner);
  if (asset !== undefined) query = query.where('asset', '=', asset);
  if (status !== undefined) query = query.where('status', '=', status);
  return mapPage(await readPage(reader, query.selectAll(), BY_ID, page), withdrawalOf);
}

/**
 * Filter of withdrawals by time range, coin, status and `withdrawOrderId` (`orderName`). Undefined `statuses` select
 * all statuses, and an undefined `orderName` all names.
 */
export type WithdrawalRange = Omit<TransferRange, 'statuses'> & {
  readonly statuses: readonly WithdrawalStatus[] | undefined;
  readonly orderName: string | undefined;
};

/**
 * Returns an owner's withdrawals that match a filter, newest first, without the first `offset` and at most
 * `limit`.
 */
export async function withdrawalsWithin(
  reader: Reader,
  owner: UserId,
  { asset, statuses, orderName, limit, offset, ...bounds }: WithdrawalRange,
): Promise<Withdrawal[]> {
  let query = tables(reader).selectFrom('withdrawal').selectAll().where('owner', '=', owner);
  if (asset !== undefined) query = query.where('asset', '=', asset);
  if (orderName !== undefined) query = query.where('order_name', '=', orderName);
  if (statuses !== undefined) {
    const numbers = statuses.map((status) => STATUSES.indexOf(status));
    query = query.where(sql<boolean>`status = any(${numbers}::integer[])`);
  }
  const rows = await query
    .where(createdWithin(bounds))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(withdrawalOf);
}

/**
 * Returns at most `limit` of an owner's withdrawals that `names` selects (by amount, by id or transaction id,
 * or those that have not ended), newest first. An amount matches with or without the fee.
 */
export async function namedWithdrawals(
  reader: Reader,
  owner: UserId,
  names: TransferNames,
  limit: number,
): Promise<Withdrawal[]> {
  const isNamed = trackedRows('withdrawal', owner, names, {
    open: sql`status in (0, 3)`,
    amounts: [sql`amount`, sql`(amount - fee)`],
    transaction: sql`lower(txid)`,
  });
  const rows = await tables(reader)
    .selectFrom('withdrawal')
    .selectAll()
    .where(isNamed)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(withdrawalOf);
}

/**
 * Returns the value in USDT of the pending, approved and finished withdrawals that an API key requested after
 * `since`.
 */
export async function usedByKey(reader: Reader, keyId: string, since: Instant): Promise<Decimal> {
  const { rows } = await sql<{ value: string }>`
    select coalesce(sum(value), 0)::text as value from withdrawal
    where key_id = ${keyId}::uuid and created_at > ${since}::bigint and status in (0, 1, 3)
  `.execute(reader);
  return Decimal.parse(rows[0]!.value);
}

/** Returns whether a withdrawal of the owner already has this `withdrawOrderId`. */
export async function isOrderNameUsed(reader: Reader, owner: UserId, orderName: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from withdrawal where owner = ${owner} and order_name = ${orderName}
  `.execute(reader);
  return rows.length > 0;
}

export async function enqueueNotice(
  store: Store,
  id: string,
  withdrawal: string,
  kind: NoticeKind,
): Promise<void> {
  await tables(store).insertInto('withdrawal_notice').values({ id, withdrawal, kind }).execute();
}

/** An inbox message that the owner of a withdrawal must still receive: its kind, and the withdrawal. */
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly withdrawal: Withdrawal;
}

interface NoticeRow {
  readonly id: string;
  readonly withdrawal: string;
  readonly kind: NoticeKind;
}

/** Queue of events of withdrawals about which the owners must still receive an inbox message. */
export const withdrawalNotices = queueInTable<NoticeRow, Notice>(
  'withdrawal_notice',
  ['withdrawal', 'kind'],
  async (tx, rows) => {
    const withdrawals = await withdrawalsByIds(
      tx,
      rows.map(({ withdrawal }) => withdrawal),
    );
    const byId = new Map(withdrawals.map((withdrawal) => [withdrawal.id, withdrawal]));
    return rows.map(({ id, kind, withdrawal }) => ({ id, kind, withdrawal: byId.get(withdrawal)! }));
  },
);

/**
 * Source of the holds of withdrawals: queries the whole amounts, fees included, that are frozen for pending
 * and approved withdrawals. The reconciliation and the audit compare them with the frozen balances.
 */
export const withdrawalHolds = {
  name: 'withdrawals',
  table: 'withdrawal',
  openHolds: (owners: Scope): RawBuilder<unknown> => sql`
    select owner, asset, amount from withdrawal where status in (0, 3) and ${owners('owner')}
  `,
};

function withdrawalOf(row: Selectable<WithdrawalTables['withdrawal']>): Withdrawal {
  return {
    id: row.id,
    owner: row.owner as UserId,
    asset: row.asset,
    network: row.network,
    address: row.address,
    memo: row.memo ?? undefined,
    amount: Decimal.parse(row.amount),
    fee: Decimal.parse(row.fee),
    value: Decimal.parse(row.value),
    remark: row.remark ?? undefined,
    key: row.key_id === null ? undefined : { id: row.key_id, name: row.key_name ?? '' },
    orderName: row.order_name ?? undefined,
    isAuto: row.is_auto,
    status: STATUSES[row.status]!,
    txid: row.txid ?? undefined,
    reason: (row.reason as ReturnReason | null) ?? undefined,
    digest: row.digest ?? undefined,
    exit: exitOf(row),
    block: row.block === null ? undefined : wholeNumber(row.block),
    confirmations: row.confirmations,
    decidedBy: row.decided_by ?? undefined,
    knownAt: row.known_at === null ? undefined : instant(wholeNumber(row.known_at)),
    createdAt: instant(wholeNumber(row.created_at)),
    finishedAt: row.finished_at === null ? undefined : instant(wholeNumber(row.finished_at)),
  };
}

function exitOf(row: Selectable<WithdrawalTables['withdrawal']>): WithdrawalExit | undefined {
  const { exit_kind: kind, exit_reason: reason, exit_txid: txid, exit_by: by, exit_at: at } = row;
  if (kind === null || by === null || at === null) return undefined;
  const readyAt = row.exit_ready_at === null ? undefined : instant(wholeNumber(row.exit_ready_at));
  const chosen = { by, at: instant(wholeNumber(at)), readyAt };
  return kind === 'return'
    ? { kind, reason: reason as ReturnReason, txid: txid ?? undefined, ...chosen }
    : { kind, txid: txid ?? undefined, ...chosen };
}

/**
 * Stores the exit (return, or payment by hand) that operators chose for a withdrawal, which becomes an approved one,
 * and replaces an earlier exit.
 */
export async function storeExit(store: Store, id: string, exit: WithdrawalExit): Promise<void> {
  await tables(store)
    .updateTable('withdrawal')
    .set({
      status: STATUSES.indexOf('processing'),
      exit_kind: exit.kind,
      exit_reason: exit.kind === 'return' ? exit.reason : null,
      exit_txid: exit.txid ?? null,
      exit_by: exit.by,
      exit_at: BigInt(exit.at),
      exit_ready_at: exit.readyAt === undefined ? null : BigInt(exit.readyAt),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Returns whether another approved or finished withdrawal has this transaction as its own or as its payment
 * by hand.
 */
export async function isTxidUsed(
  reader: Reader,
  { id, network }: Withdrawal,
  txid: string,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from withdrawal where network = ${network} and id <> ${id} and status in (1, 3)
      and (lower(txid) = lower(${txid}) or lower(exit_txid) = lower(${txid})) limit 1
  `.execute(reader);
  return rows.length > 0;
}

/**
 * Returns the `WithdrawalContext` of each withdrawal, by its id. The requests of each owner are counted after
 * `since`, and only among the newest `most`.
 */
export async function contextsOf(
  reader: Reader,
  ids: readonly string[],
  { since, most }: { readonly since: Instant; readonly most: number },
): Promise<ReadonlyMap<string, WithdrawalContext>> {
  const { rows } = await sql<{ id: string; seen: string; finished: number; requests: number; value: string }>`
    select w.id, least(w.created_at, (
        select min(a.created_at) from withdrawal_address a
        where a.owner = w.owner and a.network = w.network and lower(a.address) = lower(w.address)
          and coalesce(a.memo, '') = coalesce(w.memo, '')
      ), seen.first)::text as seen, seen.finished, day.requests, day.value
    from withdrawal w
    cross join lateral (
      select min(o.created_at) as first, (count(*) filter (where o.status = 1))::int as finished from withdrawal o
      where o.owner = w.owner and o.network = w.network and lower(o.address) = lower(w.address)
        and coalesce(o.memo, '') = coalesce(w.memo, '')
    ) seen
    cross join lateral (
      select count(*)::int as requests, coalesce(sum(o.value), 0)::text as value from (
        select r.created_at, r.value from withdrawal r where r.owner = w.owner order by r.id desc limit ${most}
      ) o where o.created_at > ${since}::bigint
    ) day
    where w.id = any(${ids}::uuid[])
  `.execute(reader);
  return new Map(
    rows.map(({ id, seen, finished, requests, value }) => [
      id,
      {
        addressSeenAt: instant(Number(seen)),
        finishedToAddress: finished,
        requestsWithinDay: requests,
        requestedWithinDayUsdt: Decimal.parse(value),
      },
    ]),
  );
}

interface Resumption {
  readonly restoredFrom: string;
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}

export async function storedSetting(reader: Reader, name: string): Promise<string | undefined> {
  const row = await reader
    .withTables<WithdrawalTables>()
    .selectFrom('database_setting')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

export async function isResumed(reader: Reader, backup: string): Promise<boolean> {
  const row = await reader
    .withTables<WithdrawalTables>()
    .selectFrom('withdrawal_resumption')
    .select('at')
    .where('restored_from', '=', backup)
    .executeTakeFirst();
  return row !== undefined;
}

export async function storeResumption(
  store: Store,
  { restoredFrom: restored_from, by: resumed_by, reason, at }: Resumption,
): Promise<void> {
  await store
    .withTables<WithdrawalTables>()
    .insertInto('withdrawal_resumption')
    .values({ restored_from, resumed_by, reason, at: BigInt(at) })
    .execute();
}

/**
 * Returns the value in USDT of a user's pending, approved and finished withdrawals that were requested after
 * `day` (`dayUsed`) and after `month` (`monthUsed`); `autoUsed` is the part of `dayUsed` that needed no
 * review.
 */
export async function usedSince(
  reader: Reader,
  owner: UserId,
  { day, month }: { readonly day: Instant; readonly month: Instant },
): Promise<{ dayUsed: Decimal; autoUsed: Decimal; monthUsed: Decimal }> {
  const { rows } = await sql<{ day: string; auto: string; month: string }>`
    select coalesce(sum(value) filter (where created_at > ${day}::bigint), 0)::text as day,
      coalesce(sum(value) filter (where created_at > ${day}::bigint and is_auto), 0)::text as auto,
      coalesce(sum(value), 0)::text as month
    from withdrawal where owner = ${owner} and status in (0, 1, 3) and created_at > ${month}::bigint
  `.execute(reader);
  const { day: dayUsed, auto, month: monthUsed } = rows[0]!;
  return {
    dayUsed: Decimal.parse(dayUsed),
    autoUsed: Decimal.parse(auto),
    monthUsed: Decimal.parse(monthUsed),
  };
}

/**
 * Returns the number of a user's withdrawal requests since an instant, whatever became of them, and the time
 * of the first of them (undefined if there is none). Considers only the newest `most` requests.
 */
export async function requestsSince(
  reader: Reader,
  owner: UserId,
  { since, most }: { readonly since: Instant; readonly most: number },
): Promise<{ readonly count: number; readonly firstAt: Instant | undefined }> {
  const { rows } = await sql<{ count: number; first: string | null }>`
    select count(*)::int as count, min(created_at)::text as first from (
      select created_at from withdrawal where owner = ${owner} order by id desc limit ${most}
    ) newest where created_at > ${since}::bigint
  `.execute(reader);
  const { count, first } = rows[0]!;
  return { count, firstAt: first === null ? undefined : instant(Number(first)) };
}

/**
 * Returns the value in USDT, by owner, of the approved and finished withdrawals that a single operator
 * approved after an instant; owners without one are missing.
 */
export async function approvedByOneSince(
  reader: Reader,
  owners: readonly UserId[],
  since: Instant,
): Promise<ReadonlyMap<UserId, Decimal>> {
  const { rows } = await sql<{ owner: UserId; value: string }>`
    select owner, sum(value)::text as value from withdrawal
    where owner = any(${owners}::uuid[]) and one_approved_at > ${since}::bigint and status in (1, 3) group by owner
  `.execute(reader);
  return new Map(rows.map(({ owner, value }) => [owner, Decimal.parse(value)]));
}

/** Returns the number of an account's finished withdrawals. */
export async function finishedCount(reader: Reader, owner: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from withdrawal where owner = ${owner} and status = 1
  `.execute(reader);
  return rows[0]!.count;
}

/**
 * Adds the duration of a finished withdrawal to the statistics of the UTC day of its end. The duration counts
 * from `createdAt`: the request, or the instant from which the withdrawal could be sent if that was later.
 */
export async function countDuration(
  reader: Reader,
  { asset, network }: Pick<DurationCount, 'asset' | 'network'>,
  { createdAt, endedAt }: { readonly createdAt: Instant; readonly endedAt: Instant },
): Promise<void> {
  // If the machine's clock was set back in between, the duration counts as 0.
  const ms = Math.max(0, endedAt - createdAt);
  await sql`
    insert into withdrawal_time (day, asset, network, seconds, count, late, slowest_ms)
    values (${Math.floor(endedAt / DAY_MS)}, ${asset}, ${network}, ${stepOf(ms)}, 1, ${isLate(ms) ? 1 : 0}, ${ms}::bigint)
    on conflict (day, asset, network, seconds) do update set
      count = withdrawal_time.count + 1, late = withdrawal_time.late + excluded.late,
      slowest_ms = greatest(withdrawal_time.slowest_ms, excluded.slowest_ms)
  `.execute(reader);
}

/**
 * Returns the numbers of withdrawals that finished on UTC days after the day of `since`, by coin, network and
 * duration bucket; days are added up, and the day of `since` itself is not counted.
 */
export async function durationsSince(reader: Reader, since: Instant): Promise<DurationCount[]> {
  const rows = await reader
    .withTables<WithdrawalTables>()
    .selectFrom('withdrawal_time')
    .select(({ fn }) => [
      ...(['asset', 'network', 'seconds'] as const),
      fn.sum<bigint>('count').as('count'),
      fn.sum<bigint>('late').as('late'),
      fn.max('slowest_ms').as('slowest'),
    ])
    .where('day', '>', Math.floor(since / DAY_MS))
    .groupBy(['asset', 'network', 'seconds'])
    .orderBy('asset')
    .orderBy('network')
    .execute();
  return rows.map(({ asset, network, seconds, count, late, slowest }) => ({
    asset,
    network,
    seconds,
    count: Number(count),
    late: Number(late),
    slowestMs: Number(slowest),
  }));
}

/**
 * Returns the number of pending and approved withdrawals of all users that could have been sent before
 * `before`, i.e. whose request and whose address's waiting time are both older.
 */
export async function waitingSince(reader: Reader, before: Instant): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from withdrawal where status in (0, 3) and created_at < ${before}::bigint
      and coalesce(known_at, created_at) < ${before}::bigint
  `.execute(reader);
  return rows[0]!.n;
}

/**
 * Returns the sources of the records of withdrawals and address book entries, in which operators search and
 * which appear on a user's timeline.
 *
 * @param sentBy returns the ids of the withdrawals for which these transactions were signed, including
 * replaced transactions
 */
export function withdrawalRecords(
  reader: Reader,
  sentBy: (transactions: readonly string[]) => Promise<readonly string[]>,
): readonly RecordSource[] {
  const withdrawals = recordsOfTable(reader, {
    kind: 'withdrawal',
    table: 'withdrawal',
    at: 'created_at',
    columns: [
      'asset',
      'network',
      'amount',
      'fee',
      'value',
      'address',
      'memo',
      'status',
      'reason',
      'txid',
      'block',
      'remark',
      'is_auto',
      'decided_by',
      'exit_kind',
      'exit_by',
      'created_at',
      'known_at',
      'finished_at',
    ],
    times: ['created_at', 'known_at', 'finished_at'],
    named: ({ lower, transactions }) => [
      sql`lower(txid) = any(${transactions}::text[])`,
      sql`lower(address) = ${lower}`,
    ],
    describe: ({ network, amount, asset, status }) => ({
      event: `Withdrawal over ${network}`,
      amount,
      asset,
      status: STATUSES[Number(status)],
    }),
  });
  return [
    {
      ...withdrawals,
      find: async (query, limit) => {
        const [named, sent] = await Promise.all([
          withdrawals.find!(query, limit),
          sentBy(query.transactions).then((ids) => Promise.all(ids.map((id) => withdrawals.open!(id)))),
        ]);
        const found = [...named, ...sent.filter((row) => row !== undefined)];
        return [...new Map(found.map((row) => [row.id, row])).values()].slice(0, limit);
      },
    },
    recordsOfTable(reader, {
      kind: 'withdrawalAddress',
      table: 'withdrawal_address',
      at: 'created_at',
      columns: ['asset', 'network', 'address', 'memo', 'remark', 'active_at', 'created_at', 'removed_at'],
      times: ['active_at', 'created_at', 'removed_at'],
      named: ({ lower }) => [sql`lower(address) = ${lower}`],
      describe: ({ asset, network, removedAt }) => ({
        event: `Stored an address for ${asset} over ${network}`,
        status: removedAt === '' ? undefined : 'removed',
      }),
    }),
  ];
}

/** Returns those of the given accounts that have a finished withdrawal. */
export async function ownersWithFinished(
  reader: Reader,
  owners: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const { rows } = await sql<{ owner: UserId }>`
    select o.owner from unnest(${owners}::uuid[]) as o(owner)
    where exists (select from withdrawal w where w.owner = o.owner and w.status = 1)
  `.execute(reader);
  return new Set(rows.map(({ owner }) => owner));
}
