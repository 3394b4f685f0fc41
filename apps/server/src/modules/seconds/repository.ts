import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  DURATION_MAX,
  reserveOf,
  type Bucket,
  type Direction,
  type SecondsResult,
  type VoidReason,
} from '@exchange/core/seconds.ts';
import { DAY_MS, instant, SECOND_MS, startOfDay, type Instant } from '@exchange/core/time.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/database/scope.ts';
import {
  storedVersion,
  type StoredVersion,
  type VersionRow,
  type VersionsBelow,
} from '../../platform/database/kept-versions.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import {
  limitsNow,
  NEW_USER,
  REFUNDED,
  touchesInterval,
  type Exposure,
  type LimitsView,
  type OwnLimits,
  type SecondsUser,
  type Position,
  type PublishedTerms,
  type SecondsTerms,
} from './domain.ts';
import { groupBy } from '@exchange/core/group-by.ts';

/**
 * Queries for the commands of the seconds contract. Each runs in the transaction of its `reader`.
 */

/** A UUID that sorts before every id, for the first page of a list. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

const toInstant = (value: bigint): Instant => instant(wholeNumber(value));
const optionalInstant = (value: bigint | null) => (value === null ? undefined : toInstant(value));
const optionalDecimal = (value: string | null) => (value === null ? undefined : Decimal.parse(value));

/** A row of a seconds position; instants in milliseconds. */
export interface OrderRow {
  readonly id: string;
  readonly owner: string;
  readonly symbol: string;
  readonly direction: number;
  readonly asset: string;
  readonly stake: string;
  readonly fee: string;
  readonly profit: string;
  readonly profit_rate: string;
  readonly fee_rate: string;
  readonly seconds: number;
  readonly price_window: number;
  readonly digits: number;
  readonly terms_version: number;
  readonly index_version: string;
  readonly sources_hash: string;
  readonly accepted_at: bigint;
  readonly entry_at: bigint;
  readonly expire_at: bigint;
  readonly status: number;
  readonly result: SecondsResult | null;
  readonly reason: VoidReason | null;
  readonly entry_price: string | null;
  readonly settle_price: string | null;
  readonly net: string | null;
  readonly house_gain: string | null;
  readonly interval_id: string | null;
  readonly finished_at: bigint | null;
  readonly refund_interval: string | null;
  readonly refunded_at: bigint | null;
}

export const DIRECTION = { up: 1, down: 2 } as const;

export function positionOf(row: OrderRow): Position {
  return {
    id: row.id,
    owner: row.owner as UserId,
    symbol: row.symbol,
    asset: row.asset,
    direction: row.direction === DIRECTION.up ? 'up' : 'down',
    stake: Decimal.parse(row.stake),
    fee: Decimal.parse(row.fee),
    profit: Decimal.parse(row.profit),
    profitRate: Decimal.parse(row.profit_rate),
    feeRate: Decimal.parse(row.fee_rate),
    seconds: row.seconds,
    window: row.price_window,
    digits: row.digits,
    termsVersion: row.terms_version,
    indexVersion: row.index_version,
    sourcesHash: row.sources_hash,
    acceptedAt: toInstant(row.accepted_at),
    entryAt: toInstant(row.entry_at),
    expireAt: toInstant(row.expire_at),
    outcome:
      row.result === null
        ? undefined
        : {
            result: row.result,
            reason: row.reason ?? undefined,
            entryPrice: optionalDecimal(row.entry_price),
            settlePrice: optionalDecimal(row.settle_price),
            net: Decimal.parse(row.net ?? '0'),
            houseGain: optionalDecimal(row.house_gain),
            intervalId: row.interval_id ?? undefined,
            finishedAt: toInstant(row.finished_at!),
            refund:
              row.refunded_at === null || row.refund_interval === null
                ? undefined
                : { intervalId: row.refund_interval, at: toInstant(row.refunded_at) },
          },
  };
}

/** The published terms of the seconds contract; undefined when none were ever published. */
export async function publishedTermsNow(reader: Reader): Promise<PublishedTerms | undefined> {
  const { rows } = await sql<TermsRow>`
    select version, terms, at from seconds_terms order by version desc limit 1`.execute(reader);
  return rows[0] && publishedTerms(rows[0]);
}

export interface TermsRow {
  readonly version: number;
  readonly terms: StoredTerms;
  readonly at: bigint;
}

export function publishedTerms(row: TermsRow): PublishedTerms {
  return { ...termsOf(row.terms), version: row.version, at: toInstant(row.at) };
}

/**
 * The versions of the contract's terms with author and reason, newest first: at most `limit`, and only those
 * with a number below `before` if it is defined.
 */
export async function termsHistory(
  reader: Reader,
  { before, limit }: VersionsBelow,
): Promise<StoredVersion[]> {
  const { rows } = await sql<VersionRow>`
    select version, terms, set_by, reason, at from seconds_terms
    where ${before ?? null}::bigint is null or version < ${before ?? null}::bigint
    order by version desc limit ${limit}`.execute(reader);
  return rows.map(storedVersion);
}

export async function insertTerms(
  reader: Reader,
  terms: PublishedTerms,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  const { version, at: setAt, ...rest } = terms;
  await sql`insert into seconds_terms (version, terms, set_by, reason, at)
    values (${version}, ${JSON.stringify(rest)}::jsonb, ${by}, ${reason}, ${setAt}::bigint)`.execute(reader);
}

interface StoredTerms extends Omit<SecondsTerms, 'durations' | 'feeRate' | 'maxStake'> {
  readonly durations: readonly { second: number; rate: string; minimum: string }[];
  readonly feeRate: string;
  readonly maxStake: string;
}

function termsOf(stored: StoredTerms): SecondsTerms {
  return {
    isOpen: stored.isOpen,
    symbols: stored.symbols,
    durations: stored.durations.map(({ second, rate, minimum }) => ({
      second,
      rate: Decimal.parse(rate),
      minimum: Decimal.parse(minimum),
    })),
    feeRate: Decimal.parse(stored.feeRate),
    maxStake: Decimal.parse(stored.maxStake),
    blockedCountries: stored.blockedCountries,
    openCountries: stored.openCountries,
  };
}

interface PersonRow {
  readonly max_stake: string | null;
  readonly day_loss: string | null;
  readonly session_minutes: number | null;
  readonly cool_until: bigint | null;
  readonly later: { maxStake?: string; dayLoss?: string; sessionMinutes?: number } | null;
  readonly later_at: bigint | null;
  readonly session_from: bigint | null;
  readonly last_open_at: bigint | null;
  readonly risk_version: string;
}

export async function findUserState(reader: Reader, owner: UserId): Promise<SecondsUser> {
  const { rows } = await sql<PersonRow>`select * from seconds_person where owner = ${owner}`.execute(reader);
  const [row] = rows;
  if (row === undefined) return NEW_USER;
  const limits: OwnLimits = {
    maxStake: optionalDecimal(row.max_stake),
    dayLoss: optionalDecimal(row.day_loss),
    sessionMinutes: row.session_minutes ?? undefined,
  };
  const waiting = row.later === null ? undefined : pendingLimits(row.later);
  return {
    limits,
    later: waiting && { limits: waiting, at: toInstant(row.later_at!) },
    coolUntil: optionalInstant(row.cool_until),
    sessionFrom: optionalInstant(row.session_from),
    lastOpenAt: optionalInstant(row.last_open_at),
    riskVersion: row.risk_version,
  };
}

function pendingLimits(stored: NonNullable<PersonRow['later']>): OwnLimits {
  const { maxStake, dayLoss, sessionMinutes } = stored;
  return {
    maxStake: maxStake === undefined ? undefined : Decimal.parse(maxStake),
    dayLoss: dayLoss === undefined ? undefined : Decimal.parse(dayLoss),
    sessionMinutes,
  };
}

export async function saveUserState(
  reader: Reader,
  owner: UserId,
  person: SecondsUser,
  riskAt?: Instant,
): Promise<void> {
  const { limits, later: waiting } = person;
  await sql`
    insert into seconds_person (owner, max_stake, day_loss, session_minutes, cool_until, later, later_at,
      session_from, last_open_at, risk_version, risk_at)
    values (${owner}, ${limits.maxStake?.toString() ?? null}::numeric, ${limits.dayLoss?.toString() ?? null}::numeric,
      ${limits.sessionMinutes ?? null}::int, ${person.coolUntil ?? null}::bigint,
      ${waiting === undefined ? null : JSON.stringify(waiting.limits)}::jsonb, ${waiting?.at ?? null}::bigint,
      ${person.sessionFrom ?? null}::bigint, ${person.lastOpenAt ?? null}::bigint, ${person.riskVersion},
      ${riskAt ?? null}::bigint)
    on conflict (owner) do update set
      (max_stake, day_loss, session_minutes, cool_until, later, later_at, session_from, last_open_at, risk_version, risk_at)
      = (excluded.max_stake, excluded.day_loss, excluded.session_minutes, excluded.cool_until, excluded.later,
        excluded.later_at, excluded.session_from, excluded.last_open_at, excluded.risk_version,
        coalesce(excluded.risk_at, seconds_person.risk_at))`.execute(reader);
}

/**
 * A user's open seconds positions (their number, and their stakes and fees) and the net loss on the UTC day of `now`.
 */
export async function exposureOf(reader: Reader, owner: UserId, now: Instant): Promise<Exposure> {
  const { rows } = await sql<{ open: bigint; risk: string; lost: string }>`
    select count(*) as open, coalesce(sum(stake + fee), 0)::text as risk,
      coalesce((select lost from seconds_day where owner = ${owner} and day = ${startOfDay(now)}::bigint), 0)::text as lost
    from seconds_order where owner = ${owner} and status = 0`.execute(reader);
  const [{ open, risk, lost }] = rows as [(typeof rows)[number]];
  return { open: wholeNumber(open), atRisk: Decimal.parse(risk), lost: Decimal.parse(lost) };
}

/**
 * A user's limits at `now` with pending changes, and the exposure: open positions and the net loss of the UTC
 * day.
 */
export async function readLimits(reader: Reader, owner: UserId, now: Instant): Promise<LimitsView> {
  const person = await findUserState(reader, owner);
  const exposure = await exposureOf(reader, owner, now);
  const terms = await publishedTermsNow(reader);
  const later = person.later !== undefined && person.later.at > now ? person.later : undefined;
  return { limits: limitsNow(person, now), later, person, exposure, terms };
}

export interface BucketKey {
  readonly symbol: string;
  readonly entryAt: Instant;
  readonly expireAt: Instant;
}

export interface StoredBucket extends Bucket {
  readonly open: number;
  readonly reserve: Decimal;
}

const EMPTY: StoredBucket = {
  upStake: Decimal.zero,
  upProfit: Decimal.zero,
  downStake: Decimal.zero,
  downProfit: Decimal.zero,
  open: 0,
  reserve: Decimal.zero,
};

export async function findBucket(reader: Reader, key: BucketKey): Promise<StoredBucket> {
  type Row = { up_stake: string; up_profit: string; down_stake: string; down_profit: string };
  const { rows } = await sql<Row & { open: number; reserve: string }>`
    select * from seconds_bucket
    where symbol = ${key.symbol} and entry_at = ${key.entryAt}::bigint and expire_at = ${key.expireAt}::bigint`.execute(
    reader,
  );
  const [row] = rows;
  if (row === undefined) return EMPTY;
  return {
    upStake: Decimal.parse(row.up_stake),
    upProfit: Decimal.parse(row.up_profit),
    downStake: Decimal.parse(row.down_stake),
    downProfit: Decimal.parse(row.down_profit),
    open: row.open,
    reserve: Decimal.parse(row.reserve),
  };
}

/**
 * A bucket (positions with the same pair, entry and expiry) after the addition of a position, with the
 * reserve that the bucket then needs.
 */
export function bucketWith(
  bucket: StoredBucket,
  { direction, stake, profit }: { direction: Direction; stake: Decimal; profit: Decimal },
): StoredBucket {
  const added =
    direction === 'up'
      ? { ...bucket, upStake: bucket.upStake.plus(stake), upProfit: bucket.upProfit.plus(profit) }
      : { ...bucket, downStake: bucket.downStake.plus(stake), downProfit: bucket.downProfit.plus(profit) };
  return { ...added, open: bucket.open + 1, reserve: reserveOf(added) };
}

/** The amount of an asset that is reserved for the worst results of all open positions; 0 without any. */
export async function reserveUsed(reader: Reader, asset: string): Promise<Decimal> {
  const { rows } = await sql<{
    used: string;
  }>`select used from seconds_reserve where asset = ${asset}`.execute(reader);
  return Decimal.parse(rows[0]?.used ?? '0');
}

/** Stores a new position, replaces the stored bucket of the position, and sets the asset's reserve to `used`. */
export async function insertPosition(
  reader: Reader,
  position: Position,
  bucket: StoredBucket,
  { used, origin }: { readonly used: Decimal; readonly origin: string | undefined },
): Promise<void> {
  const { symbol, entryAt, expireAt, asset } = position;
  await sql`
    insert into seconds_order (id, owner, symbol, direction, asset, stake, fee, profit, profit_rate, fee_rate, seconds,
      price_window, digits, terms_version, index_version, sources_hash, accepted_at, entry_at, expire_at, origin)
    values (${position.id}, ${position.owner}, ${symbol}, ${DIRECTION[position.direction]}, ${asset},
      ${position.stake.toString()}, ${position.fee.toString()}, ${position.profit.toString()},
      ${position.profitRate.toString()}, ${position.feeRate.toString()}, ${position.seconds}, ${position.window},
      ${position.digits}, ${position.termsVersion}, ${position.indexVersion}, ${position.sourcesHash},
      ${position.acceptedAt}::bigint, ${entryAt}::bigint, ${expireAt}::bigint, ${origin ?? null})`.execute(
    reader,
  );
  await sql`
    with bucket as (
      insert into seconds_bucket (symbol, entry_at, expire_at, asset, up_stake, up_profit, down_stake, down_profit, open, reserve)
      values (${symbol}, ${entryAt}::bigint, ${expireAt}::bigint, ${asset}, ${bucket.upStake.toString()}::numeric,
        ${bucket.upProfit.toString()}::numeric, ${bucket.downStake.toString()}::numeric, ${bucket.downProfit.toString()}::numeric,
        ${bucket.open}, ${bucket.reserve.toString()}::numeric)
      on conflict (symbol, entry_at, expire_at) do update set (up_stake, up_profit, down_stake, down_profit, open, reserve)
        = (excluded.up_stake, excluded.up_profit, excluded.down_stake, excluded.down_profit, excluded.open, excluded.reserve)
    )
    insert into seconds_reserve (asset, used) values (${asset}, ${used.toString()}::numeric)
    on conflict (asset) do update set used = excluded.used`.execute(reader);
}

/**
 * The open positions among `ids`, in that order, and the id of the first declared void interval of the pair that
 * contains one of `seconds`; the id is undefined if no interval does or none of the positions is open.
 */
export async function openPositions(
  reader: Reader,
  ids: readonly string[],
  { symbol, seconds }: { readonly symbol: string; readonly seconds: readonly Instant[] },
): Promise<{ readonly found: Position[]; readonly intervalId: string | undefined }> {
  const { rows } = await sql<OrderRow & { touching: string | null }>`
    select o.*, (
      select id from seconds_interval where symbol = ${symbol} and exists (
        select from unnest(${seconds}::bigint[]) as t where t between from_at and to_at
      ) order by id limit 1
    ) as touching from seconds_order o where id = any(${ids}::uuid[]) and status = 0`.execute(reader);
  const positions = new Map(rows.map((row) => [row.id, positionOf(row)]));
  return { found: ids.flatMap((id) => positions.get(id) ?? []), intervalId: rows[0]?.touching ?? undefined };
}

/**
 * Stores the outcomes of positions of one bucket. Adds them to daily losses and statistics, queues messages
 * about all but void ones, and removes them from the bucket; an empty bucket is deleted and its reserve is
 * released. All this is one statement, because ten thousand positions may expire in the same second.
 */
export async function finishPositions(
  reader: Reader,
  key: BucketKey,
  finished: readonly Position[],
  now: Instant,
): Promise<void> {
  const column = <Value>(value: (outcome: NonNullable<Position['outcome']>) => Value) =>
    finished.map(({ outcome }) => value(outcome!));
  const ids = finished.map(({ id }) => id);
  const lost = lostBy(finished);
  const owners = [...lost.keys()].toSorted();
  const figures = figuresOf(finished);
  const bucket = sql`symbol = ${key.symbol} and entry_at = ${key.entryAt}::bigint and expire_at = ${key.expireAt}::bigint`;
  await sql`
    with done as (
      update seconds_order o set
        status = case f.result when 'void' then 2 else 1 end, result = f.result, reason = f.reason,
        entry_price = f.entry_price, settle_price = f.settle_price, net = f.net, house_gain = f.house_gain,
        interval_id = f.interval_id, finished_at = ${now}::bigint
      from unnest(
        ${ids}::uuid[], ${column(({ result }) => result)}::text[],
        ${column(({ reason }) => reason ?? null)}::text[], ${column(({ entryPrice }) => entryPrice?.toString() ?? null)}::numeric[],
        ${column(({ settlePrice }) => settlePrice?.toString() ?? null)}::numeric[], ${column(({ net }) => net.toString())}::numeric[],
        ${column(({ houseGain }) => houseGain?.toString() ?? null)}::numeric[], ${column(({ intervalId }) => intervalId ?? null)}::uuid[]
      ) as f(id, result, reason, entry_price, settle_price, net, house_gain, interval_id)
      where o.id = f.id and o.id = any(${ids}::uuid[])
    ), less as (
      update seconds_bucket set open = open - ${finished.length} where ${bucket} and open > ${finished.length}
    ), gone as (
      delete from seconds_bucket where ${bucket} and open = ${finished.length} returning asset, reserve
    ), free as (
      update seconds_reserve r set used = r.used - gone.reserve from gone where r.asset = gone.asset
    ), days as (
      insert into seconds_day (owner, day, lost)
      select owner, ${startOfDay(now)}::bigint, lost
      from unnest(${owners}::uuid[], ${owners.map((owner) => lost.get(owner)!.toString())}::numeric[]) as l(owner, lost)
      on conflict (owner, day) do update set lost = seconds_day.lost + excluded.lost
    ), notices as (
      insert into seconds_notice (id)
      select id from unnest(${ids}::uuid[], ${column(({ result }) => result)}::text[]) as n(id, result) where result <> 'void'
    )
    insert into seconds_figure (seconds, result, reason, count, staked, amount, unknown)
    select * from unnest(
      ${figures.map(({ seconds }) => seconds)}::int[], ${figures.map(({ result }) => result)}::text[],
      ${figures.map(({ reason }) => reason)}::text[], ${figures.map(({ count }) => count)}::int[],
      ${figures.map(({ staked }) => staked.toString())}::numeric[],
      ${figures.map(({ amount }) => amount.toString())}::numeric[], ${figures.map(({ unknown }) => unknown)}::int[])
    on conflict (seconds, result, reason) do update set count = seconds_figure.count + excluded.count,
      staked = seconds_figure.staked + excluded.staked, amount = seconds_figure.amount + excluded.amount,
      unknown = seconds_figure.unknown + excluded.unknown`.execute(reader);
}

/**
 * The net loss of each owner from these settled positions, negative for a net win. Omits owners whose
 * positions all have a net result of 0.
 */
function lostBy(finished: readonly Position[]): ReadonlyMap<UserId, Decimal> {
  const lost = new Map<UserId, Decimal>();
  for (const { owner, outcome } of finished)
    if (!outcome!.net.isZero()) lost.set(owner, (lost.get(owner) ?? Decimal.zero).minus(outcome!.net));
  return lost;
}

/** The counts and amounts that settled positions add to the statistics, by duration, result and reason. */
function figuresOf(finished: readonly Position[]) {
  const groups = groupBy(finished, ({ seconds, outcome }) =>
    [seconds, outcome!.result, outcome!.reason ?? ''].join(' '),
  );
  return [...groups].map(([key, group]) => {
    const [seconds, result, reason] = key.split(' ') as [string, SecondsResult, string];
    const amounts = group.map(({ profit, stake, fee, outcome }) => {
      if (result === 'win') return profit;
      return result === 'lose' ? stake.plus(fee) : (outcome!.houseGain ?? Decimal.zero);
    });
    const unknown =
      result === 'void' ? group.filter(({ outcome }) => outcome!.houseGain === undefined).length : 0;
    return {
      seconds: Number(seconds),
      result,
      reason,
      count: group.length,
      unknown,
      staked: sum(group.map(({ stake }) => stake)),
      amount: sum(amounts),
    };
  });
}

export interface Interval {
  readonly id: string;
  readonly symbol: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly reason: string;
}

export async function insertInterval(
  reader: Reader,
  { id, symbol, from, to, reason }: Interval,
  { by, now }: { readonly by: string; readonly now: Instant },
): Promise<void> {
  await sql`insert into seconds_interval (id, symbol, from_at, to_at, reason, set_by, at)
    values (${id}, ${symbol}, ${from}::bigint, ${to}::bigint, ${reason}, ${by}, ${now}::bigint)`.execute(
    reader,
  );
}

interface IntervalRow {
  readonly id: string;
  readonly symbol: string;
  readonly from_at: bigint;
  readonly to_at: bigint;
  readonly reason: string;
}

export function intervalOf({ id, symbol, from_at, to_at, reason }: IntervalRow): Interval {
  return { id, symbol, reason, from: toInstant(from_at), to: toInstant(to_at) };
}

export async function findInterval(reader: Reader, id: string): Promise<Interval | undefined> {
  const { rows } = await sql<IntervalRow>`
    select id, symbol, from_at, to_at, reason from seconds_interval where id = ${id}`.execute(reader);
  return rows[0] && intervalOf(rows[0]);
}

/** Records that the lost positions in an interval must be refunded. */
export async function startRefund(reader: Reader, intervalId: string): Promise<void> {
  await sql`insert into seconds_refund (interval_id) values (${intervalId})`.execute(reader);
}

/** Marks the refund of an interval as finished; a finished one keeps its time. */
export async function endRefund(reader: Reader, intervalId: string, now: Instant): Promise<void> {
  await sql`update seconds_refund set finished_at = ${now}::bigint
    where interval_id = ${intervalId} and finished_at is null`.execute(reader);
}

/** Entry time and id of the last row of a page of lost positions. */
export type LossPlace = Pick<Position, 'entryAt' | 'id'>;

/**
 * Up to `limit` lost positions without refund of which the entry second or a settlement second lies in an interval, by
 * entry time and id, starting after `behind`. Only entries up to the longest duration before the interval are searched.
 */
export async function lossesIn(
  reader: Reader,
  { symbol, from, to }: Pick<Interval, 'symbol' | 'from' | 'to'>,
  behind: LossPlace | undefined,
  limit: number,
): Promise<Position[]> {
  const first = from - DURATION_MAX * SECOND_MS;
  const { rows } = await sql<OrderRow>`
    select * from seconds_order
    where symbol = ${symbol} and result = 'lose' and refunded_at is null
      and entry_at between ${first}::bigint and ${to}::bigint
      and (entry_at, id) > (${behind?.entryAt ?? 0}::bigint, ${behind?.id ?? NO_ID}::uuid)
      and (entry_at >= ${from}::bigint
        or expire_at between ${from}::bigint and ${to}::bigint + (price_window - 1) * ${SECOND_MS}::bigint)
    order by entry_at, id limit ${limit}`.execute(reader);
  return rows.map(positionOf).filter((position) => touchesInterval(position, { symbol, from, to }));
}

/** The lost positions without refund among `ids`, in that order. */
export async function unrefundedLosses(reader: Reader, ids: readonly string[]): Promise<Position[]> {
  const { rows } = await sql<OrderRow>`
    select * from seconds_order
    where id = any(${ids}::uuid[]) and result = 'lose' and refunded_at is null`.execute(reader);
  const positions = new Map(rows.map((row) => [row.id, positionOf(row)]));
  return ids.flatMap((id) => positions.get(id) ?? []);
}

/**
 * Marks lost positions as refunded, subtracts them from the net losses of their days, and adds them to
 * the statistics of refunds.
 */
export async function refundPositions(
  reader: Reader,
  intervalId: string,
  positions: readonly Position[],
  now: Instant,
): Promise<void> {
  const ids = positions.map(({ id }) => id);
  const durations = [...groupBy(positions, ({ seconds }) => seconds)].map(([seconds, group]) => ({
    seconds,
    count: group.length,
    staked: sum(group.map(({ stake }) => stake)).toString(),
    amount: sum(group.map(({ stake, fee }) => stake.plus(fee))).toString(),
  }));
  await sql`
    with refunded as (
      update seconds_order set refund_interval = ${intervalId}, refunded_at = ${now}::bigint
      where id = any(${ids}::uuid[]) and result = 'lose' and refunded_at is null
      returning owner, finished_at, stake + fee as amount
    ), day as (
      select owner, finished_at - finished_at % ${DAY_MS}::bigint as day, sum(amount) as amount from refunded group by 1, 2
    ), days as (
      update seconds_day d set lost = d.lost - day.amount from day where d.owner = day.owner and d.day = day.day
    )
    insert into seconds_figure (seconds, result, reason, count, staked, amount)
    select * from unnest(
      ${durations.map(({ seconds }) => seconds)}::int[],
      ${durations.map(() => REFUNDED)}::text[],
      ${durations.map(() => 'interval')}::text[],
      ${durations.map(({ count }) => count)}::int[],
      ${durations.map(({ staked }) => staked)}::numeric[],
      ${durations.map(({ amount }) => amount)}::numeric[])
    on conflict (seconds, result, reason) do update set count = seconds_figure.count + excluded.count,
      staked = seconds_figure.staked + excluded.staked, amount = seconds_figure.amount + excluded.amount`.execute(
    reader,
  );
}

export async function insertTransfer(
  reader: Reader,
  transfer: {
    readonly id: string;
    readonly owner: UserId;
    readonly asset: string;
    readonly type: 1 | 2;
    readonly amount: Decimal;
    /** The available balance of the seconds account after the transfer. */
    readonly balance: Decimal;
  },
  now: Instant,
): Promise<void> {
  const { id, owner, asset, type, amount, balance } = transfer;
  await sql`insert into seconds_transfer (id, owner, asset, type, amount, at, balance)
    values (${id}, ${owner}, ${asset}, ${type}, ${amount.toString()}::numeric, ${now}::bigint,
      ${balance.toString()}::numeric)`.execute(reader);
}

/**
 * The id of the position with this `origin`, the unique key of a position that the exchange opened itself;
 * undefined if there is none.
 */
export async function positionOfOrigin(reader: Reader, origin: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from seconds_order where origin = ${origin}`.execute(
    reader,
  );
  return rows[0]?.id;
}

/**
 * The query of the amounts that users have locked in open positions, one row with stake plus fee per
 * position, for audit and reconciliation.
 */
export const secondsHolds = {
  name: 'seconds',
  table: 'seconds_order',
  openHolds: (owners: Scope): RawBuilder<unknown> => sql`
    select owner, asset, stake + fee as amount from seconds_order where status = 0 and ${owners('owner')}
  `,
};

/** Queries of the state that a replay has to reproduce. */
export const STATE = {
  secondsTerms: 'select t::text as row, t.version as turn from seconds_terms t',
  secondsPersons: 'select p::text as row, p.owner as turn from seconds_person p',
  secondsOrders: 'select o::text as row, o.id as turn from seconds_order o',
  secondsBuckets: 'select b::text as row, (b.symbol, b.entry_at, b.expire_at) as turn from seconds_bucket b',
  secondsReserve: 'select r::text as row, r.asset as turn from seconds_reserve r',
  secondsDays: 'select d::text as row, (d.owner, d.day) as turn from seconds_day d',
  secondsTransfers: 'select t::text as row, t.id as turn from seconds_transfer t',
  secondsRefunds: 'select r::text as row, r.interval_id as turn from seconds_refund r',
  secondsIntervals: 'select i::text as row, i.id as turn from seconds_interval i',
  secondsFigures: 'select f::text as row, (f.seconds, f.result, f.reason) as turn from seconds_figure f',
};
