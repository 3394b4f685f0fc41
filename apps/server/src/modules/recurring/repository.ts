import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Buy, BuyCoin, NoticeKind, Plan, PlanCoin } from './domain.ts';
import type { RecurringTables } from './tables.ts';

export const tables = tablesOf<RecurringTables>();

const toInstant = (value: bigint): Instant => instant(wholeNumber(value));

export async function findPlan(
  reader: Reader,
  key: { readonly id: string } | { readonly origin: string },
): Promise<Plan | undefined> {
  const query = tables(reader).selectFrom('recurring_plan').selectAll();
  const row = await (
    'id' in key ? query.where('id', '=', key.id) : query.where('origin', '=', key.origin)
  ).executeTakeFirst();
  return row && (await plansOf(reader, [row]))[0];
}

/** Reads the coins of plan rows. Returns the plans with their coins, in the order of the rows. */
export async function plansOf(
  reader: Reader,
  rows: readonly Selectable<RecurringTables['recurring_plan']>[],
): Promise<Plan[]> {
  if (rows.length === 0) return [];
  const coins = await tables(reader)
    .selectFrom('recurring_plan_coin')
    .selectAll()
    .where(
      'plan',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('plan')
    .orderBy('position')
    .execute();
  return rows.map((row) => planOf(row, coins.filter(({ plan }) => plan === row.id).map(coinOf)));
}

/** Number of a user's plans that have not ended. */
export async function openPlans(reader: Reader, owner: UserId): Promise<number> {
  const { plans } = await tables(reader)
    .selectFrom('recurring_plan')
    .select((query) => query.fn.countAll<string>().as('plans'))
    .where('owner', '=', owner)
    .where('status', '<>', sql.lit('ended'))
    .executeTakeFirstOrThrow();
  return Number(plans);
}

export async function insertPlan(store: Store, plan: Plan, origin: string | undefined): Promise<void> {
  const { schedule } = plan;
  await tables(store)
    .insertInto('recurring_plan')
    .values({
      id: plan.id,
      owner: plan.owner,
      asset: plan.asset,
      amount: plan.amount.toString(),
      frequency: schedule.frequency,
      weekday: schedule.weekday ?? null,
      month_day: schedule.monthDay ?? null,
      minute: schedule.minute,
      time_zone: schedule.timeZone,
      status: plan.status,
      next_at: plan.nextAt === undefined ? null : BigInt(plan.nextAt),
      skipped: 0,
      created_at: BigInt(plan.createdAt),
      ended_at: null,
      origin: origin ?? null,
    })
    .execute();
  await tables(store)
    .insertInto('recurring_plan_coin')
    .values(
      plan.coins.map(({ asset, share }, position) => ({
        plan: plan.id,
        position,
        asset,
        share,
        buys: 0,
        paid: '0',
        received: '0',
        first_paid: '0',
        first_received: '0',
      })),
    )
    .execute();
}

/** Stores the mutable fields of a plan, which the owner or a buy changes. */
export async function updatePlan(
  store: Store,
  { id, status, nextAt, skipped, endedAt }: Pick<Plan, 'id' | 'status' | 'nextAt' | 'skipped' | 'endedAt'>,
): Promise<void> {
  await tables(store)
    .updateTable('recurring_plan')
    .set({
      status,
      next_at: nextAt === undefined ? null : BigInt(nextAt),
      skipped,
      ended_at: endedAt === undefined ? null : BigInt(endedAt),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Stores a buy and adds each bought coin to its totals in the plan: the number of buys and the paid and
 * received amounts. Skipped coins change no totals.
 */
export async function insertBuy(store: Store, buy: Buy): Promise<void> {
  await tables(store)
    .insertInto('recurring_buy')
    .values({
      id: buy.id,
      plan: buy.plan,
      owner: buy.owner,
      asset: buy.asset,
      scheduled_at: BigInt(buy.scheduledAt),
      executed_at: BigInt(buy.executedAt),
      missed: buy.missed,
    })
    .execute();
  await tables(store)
    .insertInto('recurring_buy_coin')
    .values(
      buy.coins.map(({ asset, amount, exchange, received, skipped }, position) => ({
        buy: buy.id,
        position,
        asset,
        amount: amount.toString(),
        exchange: exchange ?? null,
        received: received.toString(),
        skipped: skipped ?? null,
      })),
    )
    .execute();
  await sql`
    update recurring_plan_coin c set
      buys = c.buys + 1, paid = c.paid + b.amount, received = c.received + b.received,
      first_paid = case when c.buys = 0 then b.amount else c.first_paid end,
      first_received = case when c.buys = 0 then b.received else c.first_received end
    from recurring_buy_coin b
    where c.plan = ${buy.plan}::uuid and b.buy = ${buy.id}::uuid and b.asset = c.asset and b.exchange is not null
  `.execute(store);
}

export async function enqueueNotices(
  store: Store,
  notices: readonly { readonly id: string; readonly buy: string; readonly kind: NoticeKind }[],
): Promise<void> {
  await tables(store)
    .insertInto('recurring_notice')
    .values([...notices])
    .execute();
}

function coinOf(row: Selectable<RecurringTables['recurring_plan_coin']>): PlanCoin {
  return {
    asset: row.asset,
    share: row.share,
    buys: row.buys,
    paid: Decimal.parse(row.paid),
    received: Decimal.parse(row.received),
    firstPaid: Decimal.parse(row.first_paid),
    firstReceived: Decimal.parse(row.first_received),
  };
}

function planOf(row: Selectable<RecurringTables['recurring_plan']>, coins: readonly PlanCoin[]): Plan {
  return {
    id: row.id,
    owner: row.owner as UserId,
    asset: row.asset,
    amount: Decimal.parse(row.amount),
    coins,
    schedule: {
      frequency: row.frequency,
      weekday: row.weekday ?? undefined,
      monthDay: row.month_day ?? undefined,
      minute: row.minute,
      timeZone: row.time_zone,
    },
    status: row.status,
    nextAt: row.next_at === null ? undefined : toInstant(row.next_at),
    skipped: row.skipped,
    createdAt: toInstant(row.created_at),
    endedAt: row.ended_at === null ? undefined : toInstant(row.ended_at),
  };
}

/** Buys with their coins, in the order of the rows. */
export async function buysOf(
  reader: Reader,
  rows: readonly Selectable<RecurringTables['recurring_buy']>[],
): Promise<Buy[]> {
  if (rows.length === 0) return [];
  const coins = await tables(reader)
    .selectFrom('recurring_buy_coin')
    .selectAll()
    .where(
      'buy',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('buy')
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    plan: row.plan,
    owner: row.owner as UserId,
    asset: row.asset,
    scheduledAt: toInstant(row.scheduled_at),
    executedAt: toInstant(row.executed_at),
    missed: row.missed,
    coins: coins.filter(({ buy }) => buy === row.id).map(buyCoinOf),
  }));
}

function buyCoinOf(row: Selectable<RecurringTables['recurring_buy_coin']>): BuyCoin {
  return {
    asset: row.asset,
    amount: Decimal.parse(row.amount),
    exchange: row.exchange ?? undefined,
    received: Decimal.parse(row.received),
    skipped: row.skipped ?? undefined,
  };
}
