import { Decimal } from '@exchange/core/decimal.ts';
import { runningGroup, type RunningGroup, type RunningRow } from '@exchange/core/figures.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { sql, type RawBuilder } from 'kysely';
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
import type { FinanceOrder } from './domain.ts';
import { orderOf, ordersById } from './repository.ts';
import type { FinanceTables } from './tables.ts';

/**
 * This file reads orders for screens and jobs. Lists have a limit; totals read all orders of a user, or all orders that
 * are running or on which interest is owed.
 */

/**
 * Ids of an order and of its owner; the interest of a day, or the payment at maturity, is due for this order.
 */
export interface DueOrder {
  readonly id: string;
  readonly owner: UserId;
  /** Time since which the interest or the payment of the order is due. */
  readonly at: Instant;
  /**
   * Number of the order's next day to accrue (the first day is 1); in lists of due payments, of its last accrued day.
   */
  readonly day: number;
}

/** Time and id of a due order, by which the lists of due orders are sorted; the next page starts after this order. */
export type DuePlace = Pick<DueOrder, 'at' | 'id'>;

/**
 * At most `limit` orders, running or completed, that have earned a day which is not accrued yet; those that are due for
 * the longest time come first. The page starts after `behind`.
 */
export async function dueAccruals(
  reader: Reader,
  now: Instant,
  behind: DuePlace | undefined,
  limit: number,
): Promise<DueOrder[]> {
  return dueDays(reader, now, behind, limit, sql``);
}

/**
 * At most `limit` completed orders whose principal was paid and on which interest is still owed; those that are due for
 * the longest time come first. The page starts after `behind`.
 */
export async function owedAccruals(
  reader: Reader,
  now: Instant,
  behind: DuePlace | undefined,
  limit: number,
): Promise<DueOrder[]> {
  return dueDays(reader, now, behind, limit, sql`and status = 2`);
}

async function dueDays(
  reader: Reader,
  now: Instant,
  behind: DuePlace | undefined,
  limit: number,
  condition: RawBuilder<unknown>,
): Promise<DueOrder[]> {
  const { rows } = await sql<{ id: string; owner: string; at: bigint; day: number }>`
    select id, owner, next_at as at, days_accrued + 1 as day from finance_order
    where next_at <= ${now}::bigint and (next_at, id) > (${behind?.at ?? 0}::bigint, ${behind?.id ?? NO_ID}::uuid)
      ${condition}
    order by next_at, id limit ${limit}
  `.execute(reader);
  return rows.map(dueOf);
}

/**
 * At most `limit` matured orders that are paid out automatically and whose principal is not paid yet; those
 * that are due for the longest time come first. The page starts after `behind`.
 */
export async function duePayments(
  reader: Reader,
  now: Instant,
  behind: DuePlace | undefined,
  limit: number,
): Promise<DueOrder[]> {
  const { rows } = await sql<{ id: string; owner: string; at: bigint; day: number }>`
    select id, owner, end_at as at, days_accrued as day from finance_order
    where status = 1 and end_at <= ${now}::bigint and not is_manual
      and (end_at, id) > (${behind?.at ?? 0}::bigint, ${behind?.id ?? NO_ID}::uuid)
    order by end_at, id limit ${limit}
  `.execute(reader);
  return rows.map(dueOf);
}

/**
 * A page of a user's orders of fixed-term products with this status (with any if undefined), newest first.
 */
export async function ordersOf(
  reader: Reader,
  owner: UserId,
  status: FinanceOrder['status'] | undefined,
  page: PagedRows,
): Promise<ListPage<FinanceOrder>> {
  let query = reader.withTables<FinanceTables>().selectFrom('finance_order').where('owner', '=', owner);
  if (status !== undefined) query = query.where('status', '=', status === 'hosting' ? 1 : 2);
  return mapPage(await readPage(reader, query.selectAll(), BY_ID, page), orderOf);
}

/**
 * The totals of a user's orders in one coin: the principal of running orders (`locked`), all interest accrued so far
 * (`earned`), and what the user will receive until a given time (`arriving`).
 */
export interface Totals {
  readonly locked: Decimal;
  readonly earned: Decimal;
  /**
   * The amount of the coin that the user will receive until the time that is passed to `totalsOf`: interest,
   * the principal of orders that mature by then (also of those whose payout the owner has to request), and
   * all interest that is owed on completed orders.
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
      select *, least(period, greatest(days_accrued, (${until}::bigint - start_at) / 86400000)) as days_then
      from finance_order where owner = ${owner}
    )
    select asset,
      coalesce(sum(principal) filter (where status = 1), 0)::text as locked,
      sum(daily_interest * days_accrued)::text as earned,
      coalesce(sum(case
        when status = 2 then daily_interest * (period - days_accrued)
        when end_at <= ${until}::bigint and pay_mode = 'daily' then principal + daily_interest * (period - days_accrued)
        when end_at <= ${until}::bigint then principal + daily_interest * period
        when pay_mode = 'daily' then daily_interest * (days_then - days_accrued)
        else 0 end), 0)::text as arriving
    from own group by asset
  `.execute(reader);
  return new Map(
    rows.map(({ asset, locked, earned, arriving }) => [
      asset,
      { locked: Decimal.parse(locked), earned: Decimal.parse(earned), arriving: Decimal.parse(arriving) },
    ]),
  );
}

/** The accrued interest of a fixed-term order for one day, whether it is paid already or not. */
export interface Income {
  readonly order: FinanceOrder;
  readonly day: number;
  readonly earnedOn: Instant;
  readonly amount: Decimal;
  /** Total of the order's interest up to and including this UTC day, in the order's coin. */
  readonly cumulative: Decimal;
}

const BY_DAY = new ListOrder([
  { name: 'earned_on', type: 'bigint' },
  { name: 'order_id', type: 'uuid' },
]);

/** A page of a user's interest by day, newest first, for one order or for all orders. */
export async function incomeOf(
  reader: Reader,
  owner: UserId,
  orderId: string | undefined,
  page: PagedRows,
): Promise<ListPage<Income>> {
  let query = reader.withTables<FinanceTables>().selectFrom('finance_income').where('owner', '=', owner);
  if (orderId !== undefined) query = query.where('order_id', '=', orderId);
  const days = await readPage(reader, query.selectAll(), BY_DAY, page);
  const orders = await ordersById(
    reader,
    days.list.map((row) => row.order_id),
  );
  return mapPage(days, ({ order_id, day, earned_on, amount }) => {
    const dailyAmount = Decimal.parse(amount);
    return {
      order: orders.get(order_id)!,
      day,
      earnedOn: instant(wholeNumber(earned_on)),
      amount: dailyAmount,
      cumulative: Decimal.ofAtoms(dailyAmount.atoms * BigInt(day)),
    };
  });
}

/** A queued notice to the owner of a fixed-term order: the order was bought, or its principal was paid out. */
export interface Notice {
  readonly id: string;
  readonly kind: 'bought' | 'matured';
  readonly amount: Decimal;
  readonly order: FinanceOrder;
}

interface NoticeRow {
  readonly id: string;
  readonly kind: Notice['kind'];
  readonly order_id: string;
  readonly amount: string;
}

/**
 * Queue, in the table `finance_notice`, of the notices about fixed-term orders that are sent as single
 * messages; the daily digest reports daily income instead.
 */
export const financeNotices = queueInTable<NoticeRow, Notice>(
  'finance_notice',
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

const NO_ID = '00000000-0000-0000-0000-000000000000';

function dueOf({ id, owner, at, day }: { id: string; owner: string; at: bigint; day: number }): DueOrder {
  return { id, owner: owner as UserId, at: instant(wholeNumber(at)), day };
}

/**
 * Running fixed-term orders, grouped by coin and the UTC day of their end (the day of `now` if it is past):
 * their principal and the interest that is paid at maturity, both due on that day, and the interest that is
 * due on each day until then. Further groups of the day of `now` contain overdue interest, also of completed
 * orders. It reads only orders that are running or on which interest is owed.
 */
export async function runningGroups(reader: Reader, now: Instant): Promise<RunningGroup[]> {
  const { rows } = await sql<RunningRow>`
    with today as (select (${now}::bigint / ${DAY_MS}::bigint)::integer as day)
    select asset, greatest((end_at / ${DAY_MS}::bigint)::integer, today.day) as day, sum(principal)::text as principal,
      coalesce(sum(daily_interest) filter (where pay_mode = 'daily' and end_at > ${now}::bigint), 0)::text as daily,
      coalesce(sum(daily_interest * period) filter (where pay_mode = 'maturity'), 0)::text as "atEnd"
    from finance_order, today where status = ${sql.lit(1)} group by 1, 2
    union all
    select asset, today.day, '0', '0',
      sum(daily_interest * least(period - days_accrued, 1 + (${now}::bigint - next_at) / ${DAY_MS}::bigint))::text
    from finance_order, today
    where next_at <= ${now}::bigint and (status = 2 or pay_mode = 'daily') group by 1, 2
  `.execute(reader);
  return rows.map(runningGroup);
}

/** Source of fixed-term orders for the operators' search and for the timeline of a user. */
export function financeRecords(reader: Reader): RecordSource {
  return recordsOfTable(reader, {
    kind: 'earnOrder',
    table: 'finance_order',
    at: 'bought_at',
    columns: [
      'asset',
      'principal',
      'period',
      'daily_rate',
      'daily_interest',
      'pay_mode',
      'days_accrued',
      'status',
      'start_at',
      'end_at',
      'closed_at',
      'product',
      'product_version',
    ],
    times: ['start_at', 'end_at', 'closed_at'],
    describe: ({ asset, principal, period, status }) => ({
      event: `Earn order for ${period} days`,
      amount: principal,
      asset,
      status: status === '1' ? 'hosting' : 'completed',
    }),
  });
}
