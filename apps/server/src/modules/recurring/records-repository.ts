import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { ListOrder, readPage, type ListPage, type PagedRows } from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { queueInTable } from '../../platform/database/work-queue.ts';
import type { Buy, NoticeKind, Plan } from './domain.ts';
import { buysOf, plansOf, tables } from './repository.ts';

/** Order of the plans on screens: by creation, newest first. */
const BY_CREATION = new ListOrder([
  { name: 'created_at', type: 'bigint' },
  { name: 'id', type: 'uuid' },
]);
const BY_EXECUTION = new ListOrder([
  { name: 'executed_at', type: 'bigint' },
  { name: 'id', type: 'uuid' },
]);

/** A user's plans, newest first: either the ended ones, or those that are active or paused. */
export async function plansPage(
  reader: Reader,
  owner: UserId,
  hasEnded: boolean,
  page: PagedRows,
): Promise<ListPage<Plan>> {
  const plans = tables(reader)
    .selectFrom('recurring_plan')
    .where('owner', '=', owner)
    .where('status', hasEnded ? '=' : '<>', sql.lit('ended'))
    .selectAll();
  const rows = await readPage(reader, plans, BY_CREATION, page);
  return {
    ...rows,
    list: await plansOf(reader, rows.list),
  };
}

/** A user's buys, newest first; only those of `plan` if it is set. */
export async function buysPage(
  reader: Reader,
  owner: UserId,
  plan: string | undefined,
  page: PagedRows,
): Promise<ListPage<Buy>> {
  const all = tables(reader).selectFrom('recurring_buy').where('owner', '=', owner).selectAll();
  const rows = await readPage(
    reader,
    plan === undefined ? all : all.where('plan', '=', plan),
    BY_EXECUTION,
    page,
  );
  return {
    ...rows,
    list: await buysOf(reader, rows.list),
  };
}

/** The id of a plan whose next buy time is now or in the past, and that time. */
export interface DuePlan {
  readonly id: string;
  readonly at: Instant;
}

/**
 * Up to `limit` active plans whose next buy time is at or before `now`, the earliest time first, starting after the
 * plan `after`.
 */
export async function duePlans(
  reader: Reader,
  now: Instant,
  after: DuePlan | undefined,
  limit: number,
): Promise<DuePlan[]> {
  const { rows } = await sql<{ id: string; at: bigint }>`
    select id, next_at as at from recurring_plan
    where status = ${sql.lit('active')} and next_at <= ${now}::bigint and ${
      after === undefined ? sql`true` : sql`(next_at, id) > (${after.at}::bigint, ${after.id}::uuid)`
    }
    order by next_at, id limit ${limit}
  `.execute(reader);
  return rows.map(({ id, at }) => ({ id, at: instant(wholeNumber(at)) }));
}

/** A queued message to the owner of a plan: its kind, the buy that it reports, and the plan. */
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly buy: Buy;
  readonly plan: Plan;
}

export const recurringNotices = queueInTable<
  { readonly id: string; readonly buy: string; readonly kind: NoticeKind },
  Notice
>('recurring_notice', ['buy', 'kind'], async (tx, rows) => {
  const buyRows = await tables(tx)
    .selectFrom('recurring_buy')
    .selectAll()
    .where(
      'id',
      'in',
      rows.map(({ buy }) => buy),
    )
    .execute();
  const buys = new Map((await buysOf(tx, buyRows)).map((buy) => [buy.id, buy]));
  const planRows = await tables(tx)
    .selectFrom('recurring_plan')
    .selectAll()
    .where(
      'id',
      'in',
      buyRows.map(({ plan }) => plan),
    )
    .execute();
  const plans = new Map((await plansOf(tx, planRows)).map((plan) => [plan.id, plan]));
  return rows.map(({ id, kind, buy: buyId }) => {
    const buy = buys.get(buyId)!;
    return {
      id,
      kind,
      buy,
      plan: plans.get(buy.plan)!,
    };
  });
});
