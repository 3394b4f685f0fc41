import { Decimal } from '@exchange/core/decimal.ts';
import { runningGroup, type RunningGroup, type RunningRow } from '@exchange/core/figures.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { MiningStatus } from '@exchange/core/mining.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { RecordSource } from '../../platform/console/records.ts';
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
import { queueInTable } from '../../platform/database/work-queue.ts';
import type { MiningOrder } from './domain.ts';
import { orderOf, ordersById } from './repository.ts';
import type { MiningTables } from './tables.ts';

/**
 * This file reads orders for screens and jobs. Lists have a limit; totals read all orders of a user, or all orders that
 * are not redeemed or on which income is owed.
 */

/** A mining order that has earned a day whose income is not credited yet. */
export interface DueOrder {
  readonly id: string;
  readonly owner: UserId;
  /** Time since which the order's income is due. */
  readonly at: Instant;
  /** Number of the order's next day to credit; the first day of the cycle is 1. */
  readonly day: number;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * At most `limit` mining orders, redeemed or not, with a day whose income is due; those that are due for the longest
 * time come first. The page starts after `behind`.
 */
export async function dueCredits(
  reader: Reader,
  now: Instant,
  behind: Pick<DueOrder, 'at' | 'id'> | undefined,
  limit: number,
): Promise<DueOrder[]> {
  const { rows } = await sql<{ id: string; owner: UserId; at: bigint; day: number }>`
    select id, owner, next_at as at, days_credited + 1 as day from mining_order
    where next_at <= ${now}::bigint and (next_at, id) > (${behind?.at ?? 0}::bigint, ${behind?.id ?? NO_ID}::uuid)
    order by next_at, id limit ${limit}
  `.execute(reader);
  return rows.map(({ id, owner, at, day }) => ({ id, owner, at: instant(wholeNumber(at)), day }));
}

/**
 * A page of a user's mining orders, newest first: those with this status at `now`, or all if `status` is
 * undefined.
 */
export async function ordersOf(
  reader: Reader,
  owner: UserId,
  status: MiningStatus | undefined,
  { now, ...page }: PagedRows & { readonly now: Instant },
): Promise<ListPage<MiningOrder>> {
  let query = reader.withTables<MiningTables>().selectFrom('mining_order').where('owner', '=', owner);
  if (status === 'redeemed') query = query.where('redeemed_at', 'is not', null);
  else if (status !== undefined)
    query = query
      .where('redeemed_at', 'is', null)
      .where('end_at', status === 'earning' ? '>' : '<=', BigInt(now));
  return mapPage(await readPage(reader, query.selectAll(), BY_ID, page), orderOf);
}

/**
 * The totals of a user's mining orders in one coin: the principal of orders that are not redeemed (`locked`), all
 * income credited so far (`earned`), and `arriving`.
 */
export interface Totals {
  readonly locked: Decimal;
  readonly earned: Decimal;
  /**
   * Income that will be credited until the time that is passed to `totalsOf`, plus unredeemed principal whose
   * cycle has ended by then; in units of the coin of these totals.
   */
  readonly arriving: Decimal;
}

export async function totalsOf(
  reader: Reader,
  owner: UserId,
  until: Instant,
): Promise<ReadonlyMap<string, Totals>> {
  const { rows } = await sql<{ asset: string; locked: string; earned: string; arriving: string }>`
    with own as (
      select *, least(cycle, greatest(days_credited, (${until}::bigint - start_at - 600000) / 86400000)) as days_then
      from mining_order where owner = ${owner}
    )
    select asset,
      coalesce(sum(principal) filter (where redeemed_at is null), 0)::text as locked,
      sum(daily_income * days_credited)::text as earned,
      sum(daily_income * (days_then - days_credited)
        + case when redeemed_at is null and end_at <= ${until}::bigint then principal else 0 end)::text as arriving
    from own group by asset
  `.execute(reader);
  return new Map(
    rows.map(({ asset, locked, earned, arriving }) => [
      asset,
      { locked: Decimal.parse(locked), earned: Decimal.parse(earned), arriving: Decimal.parse(arriving) },
    ]),
  );
}

/** The income of a mining order for one day, which was credited. */
export interface Income {
  readonly order: MiningOrder;
  readonly day: number;
  readonly earnedOn: Instant;
  readonly creditedAt: Instant;
  readonly amount: Decimal;
}

const BY_DAY = new ListOrder([
  { name: 'earned_on', type: 'bigint' },
  { name: 'order_id', type: 'uuid' },
]);

/** A page of a user's credited mining income by day, newest first, for one order or for all orders. */
export async function incomeOf(
  reader: Reader,
  owner: UserId,
  orderId: string | undefined,
  page: PagedRows,
): Promise<ListPage<Income>> {
  let query = reader.withTables<MiningTables>().selectFrom('mining_income').where('owner', '=', owner);
  if (orderId !== undefined) query = query.where('order_id', '=', orderId);
  const days = await readPage(reader, query.selectAll(), BY_DAY, page);
  const orders = await ordersById(
    reader,
    days.list.map((row) => row.order_id),
  );
  return mapPage(days, ({ order_id, day, earned_on, amount, at }) => ({
    order: orders.get(order_id)!,
    day,
    earnedOn: instant(wholeNumber(earned_on)),
    creditedAt: instant(wholeNumber(at)),
    amount: Decimal.parse(amount),
  }));
}

/** A queued notice to the owner of a mining order: the order was bought, its cycle has ended, or it was redeemed. */
export interface Notice {
  readonly id: string;
  readonly kind: 'bought' | 'ended' | 'redeemed';
  readonly amount: Decimal;
  readonly order: MiningOrder;
}

interface NoticeRow {
  readonly id: string;
  readonly kind: Notice['kind'];
  readonly order_id: string;
  readonly amount: string;
}

/**
 * Queue of the notices about mining orders that are sent as single messages; the daily digest reports daily
 * income instead.
 */
export const miningNotices = queueInTable<NoticeRow, Notice>(
  'mining_notice',
  ['kind', 'order_id', 'amount'],
  async (tx, rows) => {
    const orders = await ordersById(
      tx,
      rows.map((row) => row.order_id),
    );
    return rows.map(({ id, kind, order_id, amount }) => ({
      id,
      kind,
      amount: Decimal.parse(amount),
      order: orders.get(order_id)!,
    }));
  },
  sql`kind <> 'income'`,
);

/**
 * Mining orders that are not redeemed, grouped by coin and end day (the day of `now` if it is past): their principal,
 * which is due on that day, and the income that is due on each day until then. Further groups of the day of `now`
 * contain overdue income, also of redeemed orders. Reads only orders that are not redeemed or are owed income.
 */
export async function runningGroups(reader: Reader, now: Instant): Promise<RunningGroup[]> {
  const { rows } = await sql<RunningRow>`
    with today as (select (${now}::bigint / ${DAY_MS}::bigint)::integer as day)
    select asset, greatest((end_at / ${DAY_MS}::bigint)::integer, today.day) as day, sum(principal)::text as principal,
      coalesce(sum(daily_income) filter (where end_at > ${now}::bigint), 0)::text as daily, '0' as "atEnd"
    from mining_order, today where redeemed_at is null group by 1, 2
    union all
    select asset, today.day, '0', '0',
      sum(daily_income * least(cycle - days_credited, 1 + (${now}::bigint - next_at) / ${DAY_MS}::bigint))::text
    from mining_order, today where next_at <= ${now}::bigint group by 1, 2
  `.execute(reader);
  return rows.map(runningGroup);
}

/** Source of mining orders for the operators' search and for the timeline of a user. */
export function miningRecords(reader: Reader): RecordSource {
  return recordsOfTable(reader, {
    kind: 'miningOrder',
    table: 'mining_order',
    at: 'bought_at',
    columns: [
      'asset',
      'principal',
      'cycle',
      'daily_rate',
      'daily_income',
      'days_credited',
      'start_at',
      'end_at',
      'redeemed_at',
      'product',
      'product_version',
    ],
    times: ['start_at', 'end_at', 'redeemed_at'],
    describe: ({ asset, principal, cycle, redeemedAt }) => ({
      event: `Mining order for ${cycle} days`,
      amount: principal,
      asset,
      status: redeemedAt === '' ? 'running' : 'redeemed',
    }),
  });
}
