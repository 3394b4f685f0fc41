import { CANDLE_SECONDS, type CandleTimer } from '@exchange/core/candle.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { recordsOfTable } from '../../platform/database/table-records.ts';
import {
  BY_ID,
  type ListPage,
  type PagedRows,
  mapPage,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { queueInTable } from '../../platform/database/work-queue.ts';
import { STATUSES, type Position, type PositionStatus } from './domain.ts';
import { positionOf, positionsByIds, type NoticeKind } from './repository.ts';
import type { FundTables } from './tables.ts';
import type { FundCandle, ValueCandle } from './values.ts';

/**
 * This file reads fund positions, mostly for screens, the watch and jobs. It also reads and stores the candles of unit
 * values. Lists of positions have a limit, totals have none.
 */

/** Ids of a fund position, of its owner and of its fund. */
export interface NamedPosition {
  readonly id: string;
  readonly owner: UserId;
  readonly fund: string;
}

/** Ids of a fund position, its owner and its fund, with the time since which work on the position is due. */
export interface DuePosition extends NamedPosition {
  readonly at: Instant;
}

type DuePlace = Pick<DuePosition, 'at' | 'id'>;

/**
 * Ids of a fund position for which a unit value requires an action, of its owner and of its fund, with the
 * first 00:00 UTC whose cost is not charged yet (undefined for a pending purchase).
 */
export interface JudgedPosition extends NamedPosition {
  readonly costAt: Instant | undefined;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The fund positions for which the unit values of the second `t` require an action: pending purchases, open
 * positions below their next warning or liquidation value, positions with a sell order that executes, and
 * open positions of a closed fund. At most `limit` per kind of action and fund; positions whose id is in
 * `except` are left out.
 */
export async function dueAt(
  reader: Reader,
  t: Instant,
  values: readonly (readonly [fund: string, value: Decimal])[],
  { limit, except }: { readonly limit: number; readonly except: readonly string[] },
): Promise<JudgedPosition[]> {
  const isIncluded = (column: string) => sql`${sql.ref(column)} <> all(${except}::uuid[])`;
  const { rows } = await sql<{ id: string; owner: string; fund: string; cost_at: bigint | null }>`
    select due.id, due.owner, v.fund, due.cost_at
    from unnest(${values.map(([fund]) => fund)}::uuid[], ${values.map(([, value]) => value.toString())}::numeric[]) v(fund, value)
    join fund_product f on f.id = v.fund
    cross join lateral (
      (select id, owner, cost_at from fund_position p where status = 0 and p.fund = v.fund and accepted_at < ${t}::bigint
        and ${isIncluded('p.id')} order by accepted_at, id limit ${limit})
      union
      (select id, owner, cost_at from fund_position p where status = 1 and p.fund = v.fund and watch_price > v.value
        and opened_at < ${t}::bigint and ${isIncluded('p.id')} order by watch_price desc limit ${limit})
      union
      (select p.id, p.owner, p.cost_at from fund_sell s join fund_position p on p.id = s.position
        where s.status = 0 and s.fund = v.fund and s.price is null and s.accepted_at < ${t}::bigint
        and ${isIncluded('p.id')} limit ${limit})
      union
      (select p.id, p.owner, p.cost_at from fund_sell s join fund_position p on p.id = s.position
        where s.status = 0 and s.fund = v.fund and s.price <= v.value and s.accepted_at < ${t}::bigint
        and ${isIncluded('p.id')} limit ${limit})
      union
      (select id, owner, cost_at from fund_position p where f.closed_at < ${t}::bigint and status = 1 and p.fund = v.fund
        and opened_at < ${t}::bigint and ${isIncluded('p.id')} order by id limit ${limit})
    ) due
  `.execute(reader);
  return rows.map(({ id, owner, fund, cost_at: costAt }) => ({
    id,
    owner: owner as UserId,
    fund,
    costAt: costAt === null ? undefined : instant(wholeNumber(costAt)),
  }));
}

/**
 * At most `limit` fund purchases that have waited for a unit value since before the time `before`; those that have
 * waited longest come first. The page starts after `behind`.
 */
export async function pendingSince(
  reader: Reader,
  before: Instant,
  behind: DuePlace | undefined,
  limit: number,
): Promise<DuePosition[]> {
  const { rows } = await sql<{ id: string; owner: string; fund: string; at: bigint }>`
    select id, owner, fund, accepted_at as at from fund_position
    where status = 0 and accepted_at < ${before}::bigint
      and (accepted_at, id) > (${behind?.at ?? 0}::bigint, ${behind?.id ?? NO_ID}::uuid)
    order by accepted_at, id limit ${limit}
  `.execute(reader);
  return rows.map(({ at, owner, ...rest }) => ({
    ...rest,
    owner: owner as UserId,
    at: instant(wholeNumber(at)),
  }));
}

/**
 * At most `limit` fund positions with the cost of a day that is not charged yet; those whose cost is due for the
 * longest time come first. The page starts after `behind`.
 */
export async function costsDue(
  reader: Reader,
  now: Instant,
  behind: DuePlace | undefined,
  limit: number,
): Promise<DuePosition[]> {
  const { rows } = await sql<{ id: string; owner: string; fund: string; at: bigint }>`
    select id, owner, fund, cost_at as at from fund_position
    where status = 1 and cost_at <= ${now}::bigint
      and (cost_at, id) > (${behind?.at ?? 0}::bigint, ${behind?.id ?? NO_ID}::uuid)
    order by cost_at, id limit ${limit}
  `.execute(reader);
  return rows.map(({ at, owner, ...rest }) => ({
    ...rest,
    owner: owner as UserId,
    at: instant(wholeNumber(at)),
  }));
}

/**
 * The time since which the oldest open market sell order of fund positions waits, as a list of one item; an empty list
 * if no such order was accepted before the time `before`.
 */
export async function sellsWaitingSince(reader: Reader, before: Instant): Promise<{ at: Instant }[]> {
  const { rows } = await sql<{ at: bigint | null }>`
    select min(accepted_at) as at from fund_sell
    where status = 0 and price is null and accepted_at < ${before}::bigint
  `.execute(reader);
  return rows.flatMap(({ at }) => (at === null ? [] : [{ at: instant(wholeNumber(at)) }]));
}

/** The second up to which unit values were applied to fund positions; undefined before the first second. */
export async function judgedUntil(reader: Reader): Promise<Instant | undefined> {
  const { rows } = await sql<{ handled: bigint }>`select handled from fund_watch`.execute(reader);
  return rows[0] && instant(wholeNumber(rows[0].handled));
}

/**
 * Stores candles of funds together with `handled`, the second up to which unit values were applied to
 * positions. An existing candle receives the new close, and its high and low are extended; storing the same
 * candles again changes nothing. If `handled` is undefined, the candles are generated for the past: an
 * existing candle then receives their open and keeps its close.
 */
export async function saveCandles(
  database: Pick<Database, 'transaction'>,
  candles: readonly FundCandle[],
  handled: Instant | undefined,
): Promise<void> {
  await database.transaction(async (tx) => {
    const column = (key: 'open' | 'high' | 'low' | 'close') =>
      candles.map((candle) => candle[key].toString());
    await sql`
      insert into fund_candle as c (fund, seconds, opened, open, high, low, close)
      select * from unnest(
        ${candles.map(({ fund }) => fund)}::uuid[], ${candles.map(({ timer }) => CANDLE_SECONDS[timer])}::int[],
        ${candles.map(({ opened }) => opened)}::bigint[], ${column('open')}::numeric[],
        ${column('high')}::numeric[], ${column('low')}::numeric[], ${column('close')}::numeric[])
      on conflict (fund, seconds, opened) do update set
        high = greatest(c.high, excluded.high), low = least(c.low, excluded.low),
        open = case when ${handled === undefined} then excluded.open else c.open end,
        close = case when ${handled === undefined} then c.close else excluded.close end
    `.execute(tx);
    if (handled === undefined) return;
    await sql`
      insert into fund_watch (handled) values (${handled}::bigint)
      on conflict (id) do update set handled = greatest(fund_watch.handled, excluded.handled)
    `.execute(tx);
  });
}

/** Length in seconds of the stored candles from which the candles of an interval are computed. */
function sourceOf(timer: CandleTimer): number {
  const seconds = CANDLE_SECONDS[timer];
  return seconds < 3_600 ? 60 : seconds < 86_400 ? 3_600 : 86_400;
}
/** Weekly candles open on Mondays; 1970-01-05, in seconds since 1970, was the first Monday. */
const FIRST_MONDAY = 4 * 86_400;

/**
 * The unit value candles of a fund with the interval `timer` that opened before `before` (seconds since
 * 1970), oldest first, at most the newest `size`.
 */
export async function candlesOf(
  reader: Reader,
  fund: string,
  timer: CandleTimer,
  before: number,
  size: number,
): Promise<ValueCandle[]> {
  const seconds = CANDLE_SECONDS[timer];
  const offset = timer === '1week' ? FIRST_MONDAY : 0;
  const source = sourceOf(timer);
  const { rows } = await sql<{ opened: bigint; open: string; high: string; low: string; close: string }>`
    select bucket as opened, (array_agg(open order by opened))[1]::text as open, max(high)::text as high,
      min(low)::text as low, (array_agg(close order by opened desc))[1]::text as close
    from (
      select (opened - ${offset}::bigint) / ${seconds}::bigint * ${seconds}::bigint + ${offset}::bigint as bucket, *
      from fund_candle where fund = ${fund} and seconds = ${source}::int and opened < ${before}::bigint
      order by opened desc limit ${(size * seconds) / source}::int
    ) fine
    group by bucket order by bucket desc limit ${size}::int
  `.execute(reader);
  return rows
    .map(({ opened, open, high, low, close }) => ({
      opened: wholeNumber(opened),
      open: Decimal.parse(open),
      high: Decimal.parse(high),
      low: Decimal.parse(low),
      close: Decimal.parse(close),
    }))
    .toReversed();
}

/**
 * The closing unit values of the hourly candles that opened within the 24 hours before `now`, by fund, oldest first.
 */
export async function sparks(reader: Reader, now: Instant): Promise<ReadonlyMap<string, readonly Decimal[]>> {
  const { rows } = await sql<{ fund: string; closes: string[] }>`
    select fund, array_agg(close::text order by opened) as closes from fund_candle
    where seconds = 3600 and opened >= ${Math.floor((now - DAY_MS) / SECOND_MS)}::bigint
      and fund in (select id from fund_product) group by fund
  `.execute(reader);
  return new Map(rows.map(({ fund, closes }) => [fund, closes.map((close) => Decimal.parse(close))]));
}

/**
 * The unit value of each fund at about the given time: the close of the newest minute candle that opened before that
 * time, which can be up to a minute after it. Funds without a candle in the 24 hours before the time are left out.
 */
export async function valuesBefore(reader: Reader, at: Instant): Promise<ReadonlyMap<string, Decimal>> {
  const second = Math.floor(at / SECOND_MS);
  const { rows } = await sql<{ fund: string; close: string }>`
    select f.id as fund, c.close::text as close from fund_product f cross join lateral (
      select close from fund_candle where fund = f.id and seconds = 60 and opened < ${second}::bigint
        and opened >= ${second - 86_400}::bigint order by opened desc limit 1
    ) c
  `.execute(reader);
  return new Map(rows.map(({ fund, close }) => [fund, Decimal.parse(close)]));
}

/**
 * A page of a user's fund positions, newest first. The status `holding` includes pending positions. Refunded purchases
 * are left out, unless `status` selects them.
 */
export async function positionsOf(
  reader: Reader,
  owner: UserId,
  status: PositionStatus | undefined,
  page: PagedRows,
): Promise<ListPage<Position>> {
  const statuses =
    status === undefined ? [0, 1, 2, 3, 4] : status === 'holding' ? [0, 1] : [STATUSES.indexOf(status)];
  const query = reader
    .withTables<FundTables>()
    .selectFrom('fund_position')
    .where('owner', '=', owner)
    .where('status', 'in', statuses);
  const rows = await readPage(reader, query.selectAll(), BY_ID, page);
  return mapPage(rows, (row) => positionOf(row));
}

/**
 * Totals of a user's pending and open positions in one fund, in units of the fund's coin. A position whose equity is
 * below zero at the unit value is worth nothing: its margin counts in `margin` and in `lost`, and the position counts
 * in no other total.
 */
export interface HeldTotal {
  readonly fund: string;
  readonly asset: string;
  /** Total margin of the positions, including pending ones, in `asset`. */
  readonly margin: Decimal;
  /**
   * Totals of the open positions whose equity is not negative: their units, the price paid for the units, and
   * the costs charged to their margins, the latter two in `asset`.
   */
  readonly quantity: Decimal;
  readonly cost: Decimal;
  readonly costs: Decimal;
  /** Total margin, in `asset`, of the open positions whose equity is below zero. */
  readonly lost: Decimal;
}

/** Totals of the open positions of all users in a fund that have the same fee rates. */
export interface OpenSum {
  readonly fund: string;
  readonly manageRate: Decimal;
  readonly financeRate: Decimal;
  readonly quantity: Decimal;
  /**
   * Total amount in the fund's coin that the positions have borrowed: for each position with a leverage above
   * 1, the notional value at the purchase less the margin, at least zero.
   */
  readonly borrowed: Decimal;
}

/** Totals of all open fund positions by fund and fee rates; closed positions are not read. */
export async function openSums(reader: Reader): Promise<OpenSum[]> {
  const { rows } = await sql<Record<'fund' | 'manageRate' | 'financeRate' | 'quantity' | 'borrowed', string>>`
    select fund, trim_scale(manage_rate)::text as "manageRate", trim_scale(finance_rate)::text as "financeRate",
      sum(quantity)::text as quantity,
      coalesce(round(sum(greatest(quantity * buy_price - margin, 0)) filter (where leverage > 1), 18), 0)::text as borrowed
    from fund_position where status = ${sql.lit(1)} group by fund, manage_rate, finance_rate
  `.execute(reader);
  return rows.map(({ fund, manageRate, financeRate, quantity, borrowed }) => ({
    fund,
    manageRate: Decimal.parse(manageRate),
    financeRate: Decimal.parse(financeRate),
    quantity: Decimal.parse(quantity),
    borrowed: Decimal.parse(borrowed),
  }));
}

/** The totals of a user's pending and open positions by fund, at the given unit values per fund. */
export async function heldTotals(
  reader: Reader,
  owner: UserId,
  values: ReadonlyMap<string, Decimal>,
): Promise<HeldTotal[]> {
  const { rows } = await sql<
    Record<'fund' | 'asset' | 'margin' | 'quantity' | 'cost' | 'costs' | 'lost', string>
  >`
    select fund, asset, trim_scale(sum(margin))::text as margin,
      trim_scale(coalesce(sum(quantity) filter (where not is_lost), 0))::text as quantity,
      trim_scale(coalesce(sum(quantity * buy_price) filter (where not is_lost), 0))::text as cost,
      trim_scale(coalesce(sum(costs) filter (where not is_lost), 0))::text as costs,
      trim_scale(coalesce(sum(margin) filter (where is_lost), 0))::text as lost
    from (
      select p.fund, p.asset, p.margin, p.costs, coalesce(p.buy_price, 0) as buy_price,
        case when p.status = 1 then p.quantity else 0 end as quantity,
        coalesce(p.status = 1 and p.margin - p.costs + p.quantity * (v.value - p.buy_price) < 0, false) as is_lost
      from fund_position p left join ${valueRows(values)} on v.fund = p.fund
      where p.owner = ${owner} and p.status in (0, 1)
    ) position
    group by fund, asset order by fund
  `.execute(reader);
  return rows.map(({ fund, asset, margin, quantity, cost, costs, lost }) => ({
    fund,
    asset,
    margin: Decimal.parse(margin),
    quantity: Decimal.parse(quantity),
    cost: Decimal.parse(cost),
    costs: Decimal.parse(costs),
    lost: Decimal.parse(lost),
  }));
}

/**
 * The equity of a user's open positions in the funds of one coin, less the balance that is locked for them,
 * in units of this coin.
 */
export interface EquityGain {
  readonly owner: UserId;
  readonly asset: string;
  readonly gain: Decimal;
}

/**
 * By owner and coin: the equity of the open fund positions (rounded down to 8 decimals, at least zero) less the balance
 * locked for them (margin less costs). Positions in a fund without a unit value are left out, as if their equity were
 * the locked balance.
 */
export async function equityGains(
  reader: Reader,
  owners: readonly UserId[],
  values: ReadonlyMap<string, Decimal>,
): Promise<EquityGain[]> {
  const { rows } = await sql<Record<'owner' | 'asset' | 'gain', string>>`
    select p.owner, p.asset, trim_scale(sum(
      greatest(trunc(p.margin - p.costs + p.quantity * (v.value - p.buy_price), 8), 0) - (p.margin - p.costs)
    ))::text as gain
    from fund_position p join ${valueRows(values)} on v.fund = p.fund
    where p.owner = any(${owners}::uuid[]) and p.status = 1
    group by p.owner, p.asset
  `.execute(reader);
  return rows.map(({ owner, asset, gain }) => ({
    owner: owner as UserId,
    asset,
    gain: Decimal.parse(gain),
  }));
}

/** The unit values by fund, as the SQL rows `v (fund, value)`. */
function valueRows(values: ReadonlyMap<string, Decimal>) {
  return sql`unnest(${[...values.keys()]}::uuid[], ${[...values.values()].map(String)}::numeric[]) as v (fund, value)`;
}

/** The last stored unit value by fund; a fund without a stored value is left out. */
export async function latestValues(reader: Reader): Promise<ReadonlyMap<string, Decimal>> {
  const { rows } = await sql<{ fund: string; close: string }>`
    select f.id as fund, c.close::text as close from fund_product f cross join lateral (
      select close from fund_candle where fund = f.id and seconds = 60 order by opened desc limit 1
    ) c
  `.execute(reader);
  return new Map(rows.map(({ fund, close }) => [fund, Decimal.parse(close)]));
}

/** A queued notice to the owner of a fund position, such as that it was liquidated. */
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly amount: Decimal;
  readonly value: Decimal;
  readonly position: Position;
}

interface NoticeRow {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly position: string;
  readonly amount: string;
  readonly value: string;
}

/**
 * Queue, in the table `fund_notice`, of the notices to owners of fund positions for which no message was sent
 * yet.
 */
export const fundNotices = queueInTable<NoticeRow, Notice>(
  'fund_notice',
  ['kind', 'position', 'amount', 'value'],
  async (tx, rows) => {
    const ids = [...new Set(rows.map(({ position }) => position))];
    const positions = new Map((await positionsByIds(tx, ids)).map((position) => [position.id, position]));
    return rows.map(({ id, kind, position, amount, value }) => ({
      id,
      kind,
      amount: Decimal.parse(amount),
      value: Decimal.parse(value),
      position: positions.get(position)!,
    }));
  },
);

/** Source of fund positions for the operators' search and for the timeline of a user. */
export function fundRecords(reader: Reader): RecordSource {
  return recordsOfTable(reader, {
    kind: 'fundPosition',
    table: 'fund_position',
    at: 'accepted_at',
    columns: [
      'asset',
      'margin',
      'leverage',
      'quantity',
      'buy_price',
      'costs',
      'liquidation_price',
      'status',
      'sale_price',
      'payout',
      'fee',
      'shortfall',
      'opened_at',
      'closed_at',
      'ended_at',
      'fund',
      'fund_version',
      'parent',
    ],
    times: ['opened_at', 'closed_at', 'ended_at'],
    describe: ({ asset, margin, leverage, status }) => ({
      event: `Fund position, leverage ${leverage}`,
      amount: margin,
      asset,
      status: STATUSES[Number(status)],
    }),
  });
}
