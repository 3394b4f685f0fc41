import type { OpenStake } from '@exchange/core/figures.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DURATION_MAX, type Direction } from '@exchange/core/seconds.ts';
import { instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import { sql, type RawBuilder } from 'kysely';
import type { RecordSource } from '../../platform/console/records.ts';
import { mapBounded, readBoundedText, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Reader } from '../../platform/database/database.ts';
import { recordsOfTable } from '../../platform/database/table-records.ts';
import {
  BY_ID,
  ListOrder,
  type ListPage,
  type PagedRows,
  mapPage,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { queueInTable, type WorkQueue } from '../../platform/database/work-queue.ts';
import type { Position, PublishedTerms } from './domain.ts';
import {
  intervalOf,
  DIRECTION,
  NO_ID,
  positionOf,
  publishedTerms,
  type BucketKey,
  type Interval,
  type OrderRow,
  type TermsRow,
} from './repository.ts';

/**
 * Filter of a user's positions: `isOver` selects the settled (true) or the open ones (false). An absent field
 * allows all.
 */
export interface PositionFilter {
  readonly isOver?: boolean | undefined;
  readonly symbols?: readonly string[] | undefined;
}

/** A page of a user's seconds positions that match the filter, newest first. */
export async function positionsOf(
  reader: Reader,
  owner: UserId,
  { isOver, symbols }: PositionFilter,
  page: PagedRows,
): Promise<ListPage<Position>> {
  const status = isOver === undefined ? sql`true` : isOver ? sql`status <> 0` : sql`status = 0`;
  const pair = symbols === undefined ? sql`true` : sql`symbol = any(${symbols}::text[])`;
  const positions = sql<OrderRow>`select * from seconds_order where owner = ${owner} and ${status} and ${pair}`;
  return mapPage(await readPage(reader, positions, BY_ID, page), positionOf);
}

export async function positionById(reader: Reader, id: string): Promise<Position | undefined> {
  const { rows } = await sql<OrderRow>`select * from seconds_order where id = ${id}`.execute(reader);
  return rows[0] && positionOf(rows[0]);
}

/**
 * Up to `limit` buckets (positions with the same pair, entry and expiry) that have expired, oldest
 * first, starting after the bucket `behind`.
 */
export async function dueBuckets(
  reader: Reader,
  now: Instant,
  behind: BucketKey | undefined,
  limit: number,
): Promise<BucketKey[]> {
  const { rows } = await sql<{ symbol: string; entry_at: bigint; expire_at: bigint }>`
    select symbol, entry_at, expire_at from seconds_bucket
    where expire_at <= ${now}::bigint and (expire_at, symbol, entry_at)
      > (${behind?.expireAt ?? 0}::bigint, ${behind?.symbol ?? ''}, ${behind?.entryAt ?? 0}::bigint)
    order by expire_at, symbol, entry_at limit ${limit}`.execute(reader);
  return rows.map(({ symbol, entry_at, expire_at }) => ({
    symbol,
    entryAt: instant(wholeNumber(entry_at)),
    expireAt: instant(wholeNumber(expire_at)),
  }));
}

/** Up to `limit` open positions of a bucket in one direction, by id, starting after the id `behind`. */
export async function openInBucket(
  reader: Reader,
  { symbol, entryAt, expireAt }: BucketKey,
  direction: Direction,
  behind: string | undefined,
  limit: number,
): Promise<{ id: string; owner: UserId }[]> {
  const { rows } = await sql<{ id: string; owner: UserId }>`
    select id, owner from seconds_order
    where symbol = ${symbol} and entry_at = ${entryAt}::bigint and expire_at = ${expireAt}::bigint and status = 0
      and direction = ${DIRECTION[direction]} and id > ${behind ?? NO_ID}::uuid
    order by id limit ${limit}`.execute(reader);
  return rows;
}

/** The earliest expiry of open positions, which may be in the future; undefined without open positions. */
export async function oldestDue(reader: Reader): Promise<Instant | undefined> {
  const { rows } = await sql<{
    at: bigint;
  }>`select expire_at as at from seconds_bucket order by expire_at limit 1`.execute(reader);
  return rows[0] && instant(wholeNumber(rows[0].at));
}

export interface Transfer {
  readonly id: string;
  readonly asset: string;
  readonly type: 1 | 2;
  readonly amount: string;
  /**
   * The available balance of the seconds account after the transfer; undefined for transfers older than this
   * column whose ledger entry was not found.
   */
  readonly balance: string | undefined;
  readonly at: Instant;
}

interface TransferRow {
  readonly id: string;
  readonly asset: string;
  readonly type: 1 | 2;
  readonly amount: string;
  readonly balance: string | null;
  readonly at: bigint;
}

/**
 * A page of a user's transfers between spot account and seconds account, newest first, that match the filter:
 * coin, direction (`type`) and a range of times, both bounds included.
 */
export async function transfersOf(
  reader: Reader,
  owner: UserId,
  filter: {
    asset?: string | undefined;
    type?: number | undefined;
    from?: number | undefined;
    to?: number | undefined;
  },
  page: PagedRows,
): Promise<ListPage<Transfer>> {
  const transfers = sql<TransferRow>`select * from seconds_transfer where owner = ${owner}
    and (${filter.asset ?? null}::text is null or asset = ${filter.asset ?? null})
    and (${filter.type ?? null}::int is null or type = ${filter.type ?? null})
    and at between ${filter.from ?? 0}::bigint and ${filter.to ?? Number.MAX_SAFE_INTEGER}::bigint`;
  return mapPage(
    await readPage(reader, transfers, BY_ID, page),
    ({ id, asset, type, amount, balance, at }) => ({
      id,
      asset,
      type,
      amount: Decimal.parse(amount).toString(),
      balance: balance === null ? undefined : Decimal.parse(balance).toString(),
      at: instant(wholeNumber(at)),
    }),
  );
}

export interface PublicInterval extends Interval {
  readonly count: number;
  readonly houseGain: Decimal;
  /**
   * The number of lost positions that were refunded because of this interval, and the sum of their stakes and
   * fees in the pair's quote coin.
   */
  readonly refundedCount: number;
  readonly refunded: Decimal;
  readonly at: Instant;
}

interface IntervalRow {
  readonly id: string;
  readonly symbol: string;
  readonly from_at: bigint;
  readonly to_at: bigint;
  readonly reason: string;
  readonly at: bigint;
}

/**
 * Declared void intervals, newest first. Each has the number of positions that became void by it, the gain that the
 * exchange would have had from them, and the number and total of the refunded losses.
 */
export async function intervals(reader: Reader, page: PagedRows): Promise<ListPage<PublicInterval>> {
  type Row = IntervalRow & { count: bigint; gain: string; refunded_count: bigint; refunded: string };
  const declared = sql<IntervalRow>`select * from seconds_interval`;
  const found = await readPage(reader, declared, BY_ID, page);
  const { rows } = await sql<Row>`
    select i.*, coalesce(o.count, 0)::bigint as count, coalesce(o.gain, 0)::text as gain,
      coalesce(l.count, 0)::bigint as refunded_count, coalesce(l.amount, 0)::text as refunded
    from seconds_interval i
    left join lateral (select count(*) as count, sum(house_gain) as gain from seconds_order o where o.interval_id = i.id) o on true
    left join lateral (select count(*) as count, sum(stake + fee) as amount from seconds_order l where l.refund_interval = i.id) l on true
    where i.id = any(${found.list.map(({ id }) => id)}::uuid[])
    order by i.id desc`.execute(reader);
  const list = rows.map((row) => ({
    ...intervalOf(row),
    count: wholeNumber(row.count),
    houseGain: Decimal.parse(row.gain),
    refundedCount: wholeNumber(row.refunded_count),
    refunded: Decimal.parse(row.refunded),
    at: instant(wholeNumber(row.at)),
  }));
  return { ...found, list };
}

/**
 * Positions that became void at or after `from`, oldest first. The queue does not remove processed positions. The key
 * of a position is `finishedAt id`.
 */
export function voidSince(from: Instant): WorkQueue<Position> {
  return positionsByTime(sql`status = 2`, 'finished_at', from);
}

/**
 * Lost positions that were refunded at or after `from`, oldest first. The queue does not remove processed positions.
 * The key of a position is `refundedAt id`.
 */
export function refundedSince(from: Instant): WorkQueue<Position> {
  return positionsByTime(sql`refunded_at is not null`, 'refunded_at', from);
}

/** The time in a key of `voidSince` or `refundedSince`. */
export function timeOfKey(key: string): Instant {
  return instant(Number(key.split(' ')[0]));
}

function positionsByTime(
  condition: RawBuilder<unknown>,
  time: 'finished_at' | 'refunded_at',
  from: Instant,
): WorkQueue<Position> {
  const column = sql.ref(time);
  return {
    waiting: async (reader, after, limit) => {
      const [at, id] = after?.split(' ') ?? [from, NO_ID];
      const { rows } = await sql<{ key: string }>`select ${column} || ' ' || id as key from seconds_order
        where ${condition} and (${column}, id) > (${at}::bigint, ${id}::uuid)
        order by ${column}, id limit ${limit}`.execute(reader);
      return rows.map(({ key }) => key);
    },
    dequeue: (tx, keys) =>
      positionsByIds(
        tx,
        keys.map((key) => key.split(' ')[1]!),
      ),
  };
}

/** The queue of won, lost and drawn positions whose owners have not been notified of the result yet. */
export const unreportedResults = queueInTable<{ readonly id: string }, Position>(
  'seconds_notice',
  [],
  (tx, rows) =>
    positionsByIds(
      tx,
      rows.map(({ id }) => id),
    ),
);

/** Seconds positions with these ids, in the order in which they were settled; an unknown id is left out. */
async function positionsByIds(reader: Reader, ids: readonly string[]): Promise<Position[]> {
  const { rows } = await sql<OrderRow>`select * from seconds_order
    where id = any(${ids}::uuid[]) order by finished_at, id`.execute(reader);
  return rows.map(positionOf);
}

const BY_VERSION = new ListOrder([{ name: 'version', type: 'integer' }]);

/** A page of the versions of the contract's terms, newest first. */
export async function termsVersions(reader: Reader, page: PagedRows): Promise<ListPage<PublishedTerms>> {
  const versions = sql<TermsRow>`select version, terms, at from seconds_terms`;
  return mapPage(await readPage(reader, versions, BY_VERSION, page), publishedTerms);
}

/**
 * Up to `limit` void intervals whose lost positions are not all refunded yet, the earliest declared first, starting
 * after the id `behind`.
 */
export async function intervalsToRefund(
  reader: Reader,
  behind: string | undefined,
  limit: number,
): Promise<Interval[]> {
  const { rows } = await sql<IntervalRow>`
    select i.* from seconds_refund r join seconds_interval i on i.id = r.interval_id
    where r.finished_at is null and r.interval_id > ${behind ?? NO_ID}::uuid
    order by r.interval_id limit ${limit}`.execute(reader);
  return rows.map(intervalOf);
}

/**
 * The lost positions of a pair that are not refunded and of which the entry second or a settlement second lies in a
 * period, both ends included: their number and the sum of their stakes and fees, per coin.
 */
export async function lossesTotal(
  reader: Reader,
  { symbol, from, to }: Pick<Interval, 'symbol' | 'from' | 'to'>,
): Promise<{ readonly asset: string; readonly count: number; readonly amount: Decimal }[]> {
  const { rows } = await sql<{ asset: string; count: bigint; amount: string }>`
    select asset, count(*) as count, sum(stake + fee)::text as amount from seconds_order
    where symbol = ${symbol} and result = 'lose' and refunded_at is null
      and entry_at between ${from - DURATION_MAX * SECOND_MS}::bigint and ${to}::bigint
      and (entry_at >= ${from}::bigint
        or expire_at between ${from}::bigint and ${to}::bigint + (price_window - 1) * ${SECOND_MS}::bigint)
    group by asset order by asset`.execute(reader);
  return rows.map(({ asset, count, amount }) => ({
    asset,
    count: wholeNumber(count),
    amount: Decimal.parse(amount),
  }));
}

/**
 * Sums over the settled seconds positions with one duration, result and reason. `amount` sums the profits of
 * won positions, the stakes and fees of lost ones, and the known gains that the exchange would have had from
 * void ones; `unknown` counts the void ones whose gain is not known. Refunded losses are counted again under
 * the result `refunded`.
 */
export interface Figure {
  readonly seconds: number;
  readonly result: string;
  readonly reason: string;
  readonly count: number;
  readonly staked: Decimal;
  readonly amount: Decimal;
  readonly unknown: number;
}

export async function figures(reader: Reader): Promise<Figure[]> {
  type Row = { seconds: number; result: string; reason: string; count: bigint; unknown: bigint };
  const { rows } = await sql<Row & { staked: string; amount: string }>`
    select * from seconds_figure order by seconds, result, reason`.execute(reader);
  return rows.map((row) => ({
    seconds: row.seconds,
    result: row.result,
    reason: row.reason,
    count: wholeNumber(row.count),

    staked: Decimal.parse(row.staked),
    amount: Decimal.parse(row.amount),
    unknown: wholeNumber(row.unknown),
  }));
}

/** The number of a user's void positions by reason, and the time at which the latest became void. */
export async function voidsOf(
  reader: Reader,
  owner: UserId,
): Promise<{ readonly reason: string; readonly count: number; readonly lastAt: Instant }[]> {
  const { rows } = await sql<{ reason: string; count: bigint; last_at: bigint }>`
    select reason, count(*) as count, max(finished_at) as last_at from seconds_order
    where owner = ${owner} and result = 'void' group by reason order by reason`.execute(reader);
  return rows.map(({ reason, count, last_at }) => ({
    reason,
    count: wholeNumber(count),
    lastAt: instant(wholeNumber(last_at)),
  }));
}

export async function reserves(reader: Reader): Promise<{ asset: string; used: string }[]> {
  const { rows } = await sql<{
    asset: string;
    used: string;
  }>`select asset, used from seconds_reserve order by asset`.execute(reader);
  return rows;
}

/**
 * The reserves for the worst results of open positions, summed by pair: the most that the exchange can lose from them.
 */
export async function worstCases(
  reader: Reader,
): Promise<{ symbol: string; asset: string; worst: Decimal }[]> {
  const { rows } = await sql<Record<'symbol' | 'asset' | 'worst', string>>`
    select symbol, asset, sum(reserve)::text as worst from seconds_bucket group by symbol, asset order by symbol
  `.execute(reader);
  return rows.map(({ worst, ...pair }) => ({ ...pair, worst: Decimal.parse(worst) }));
}

/**
 * The number of open positions, their stakes by direction and their reserve, summed by pair, second of their
 * expiry and coin; the earliest expiry first, at most `limit` rows.
 */
export async function openStakes(reader: Reader, limit: number): Promise<BoundedRows<OpenStake>> {
  const buckets = await readBoundedText<
    Record<'symbol' | 'asset' | 'up' | 'down' | 'worst', string> & { endsAt: bigint; positions: bigint }
  >(
    reader,
    sql`
      select symbol, expire_at as "endsAt", asset, sum(open) as positions, sum(up_stake)::text as up,
        sum(down_stake)::text as down, sum(reserve)::text as worst
      from seconds_bucket group by symbol, expire_at, asset order by expire_at, symbol, asset
    `,
    limit,
  );
  return mapBounded(buckets, ({ symbol, endsAt, asset, positions, up, down, worst }) => ({
    symbol,
    endsAt: instant(wholeNumber(endsAt)),
    asset,
    positions: wholeNumber(positions),
    upStake: Decimal.parse(up),
    downStake: Decimal.parse(down),
    worst: Decimal.parse(worst),
  }));
}

export interface Checkpoint {
  readonly symbol: string;
  readonly seq: number;
  readonly t: number;
  readonly hash: string;
  readonly key: string;
  readonly signature: string;
}

export async function lastCheckpoint(reader: Reader, symbol: string): Promise<number> {
  const { rows } = await sql<{ seq: bigint }>`
    select seq from tape_checkpoint where symbol = ${symbol} order by seq desc limit 1`.execute(reader);
  return rows[0] === undefined ? 0 : wholeNumber(rows[0].seq);
}

export async function saveCheckpoints(store: Reader, rows: readonly Checkpoint[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into tape_checkpoint (symbol, seq, t, hash, key, signature) select * from unnest(
      ${rows.map(({ symbol }) => symbol)}::text[], ${rows.map(({ seq }) => seq)}::bigint[], ${rows.map(({ t }) => t)}::bigint[],
      ${rows.map(({ hash }) => hash)}::text[], ${rows.map(({ key }) => key)}::text[], ${rows.map(({ signature }) => signature)}::text[])
    on conflict do nothing`.execute(store);
}

/**
 * At most `limit` signed checkpoints of a pair's index tape: without `from` the newest, newest first; with `from` those
 * of this second and later ones, oldest first.
 */
export async function checkpoints(
  reader: Reader,
  symbol: string,
  from: number | undefined,
  limit: number,
): Promise<Checkpoint[]> {
  const { rows } = await sql<Omit<Checkpoint, 'seq' | 't'> & { seq: bigint; t: bigint }>`
    select * from tape_checkpoint where symbol = ${symbol} and t >= ${from ?? 0}::bigint
    order by ${from === undefined ? sql`t desc` : sql`t`} limit ${limit}`.execute(reader);
  return rows.map((row) => ({ ...row, seq: wholeNumber(row.seq), t: wholeNumber(row.t) }));
}

const POSITION_STATUS = ['holding', 'completed', 'returned'] as const;

/** Describes seconds positions for the operators' search and for users' timelines. */
export function secondsRecords(reader: Reader): RecordSource {
  return recordsOfTable(reader, {
    kind: 'secondsPosition',
    table: 'seconds_order',
    at: 'accepted_at',
    columns: [
      'symbol',
      'direction',
      'asset',
      'stake',
      'fee',
      'profit',
      'seconds',
      'status',
      'result',
      'reason',
      'entry_price',
      'settle_price',
      'net',
      'entry_at',
      'expire_at',
      'finished_at',
      'terms_version',
    ],
    times: ['entry_at', 'expire_at', 'finished_at'],
    describe: ({ symbol, direction, seconds, asset, stake, status, result }) => ({
      event: `${direction === '1' ? 'Up' : 'Down'} for ${seconds} seconds on ${symbol}`,
      amount: stake,
      asset,
      status: result === '' ? POSITION_STATUS[Number(status)] : result,
    }),
  });
}
