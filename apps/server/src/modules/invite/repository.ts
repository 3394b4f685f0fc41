import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store } from '../../platform/database/database.ts';
import {
  ListOrder,
  type ListPage,
  type PagedRows,
  mapPage,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { WorkQueue } from '../../platform/database/work-queue.ts';

/**
 * The reward for the fees that one invitee paid in one coin on one UTC day, whose start is `day`; `reward` is
 * the inviter's part of the fee and `discount` the invitee's. Amounts are in that coin.
 */
export interface Reward {
  readonly invitee: UserId;
  readonly inviter: UserId;
  readonly asset: string;
  readonly day: Instant;
  readonly fee: Decimal;
  readonly discount: Decimal;
  readonly reward: Decimal;
  readonly at: Instant;
}

export interface Income {
  readonly asset: string;
  readonly amount: Decimal;
}

/**
 * The percentage points of the fees that each of the inviters `owners` passes on to invitees; inviters who
 * are not in the result pass on none.
 */
export async function sharesOf(
  reader: Reader,
  owners: readonly UserId[],
): Promise<ReadonlyMap<UserId, number>> {
  const { rows } = await sql<{ owner: UserId; points: number }>`
    select owner, points from invite_share where owner = any(${owners}::uuid[])
  `.execute(reader);
  return new Map(rows.map(({ owner, points }) => [owner, points]));
}

export async function saveShare(reader: Reader, owner: UserId, points: number): Promise<void> {
  await sql`
    insert into invite_share (owner, points) values (${owner}, ${points})
    on conflict (owner) do update set points = excluded.points
  `.execute(reader);
}

/**
 * The invitation rewards that were paid for the UTC day that starts at `day`, as a set of texts
 * `invitee coin`.
 */
export async function paidRewards(
  reader: Reader,
  day: Instant,
  invitees: readonly UserId[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select invitee::text || ' ' || asset as key from invite_reward
    where day = ${day}::bigint and invitee = any(${invitees}::uuid[])
  `.execute(reader);
  return new Set(rows.map(({ key }) => key));
}

/**
 * An invitation reward that could not be paid at the first attempt, with the percentage points that its inviter passed
 * on at that time.
 */
export interface OwedReward extends Pick<Reward, 'invitee' | 'inviter' | 'asset' | 'day' | 'fee' | 'at'> {
  readonly points: number;
}

/**
 * The percentage points of the owed invitation rewards of the UTC day that starts at `day`; the key is
 * `invitee coin`.
 */
export async function owedPoints(
  reader: Reader,
  day: Instant,
  invitees: readonly UserId[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ key: string; points: number }>`
    select invitee::text || ' ' || asset as key, points from invite_owed
    where day = ${day}::bigint and invitee = any(${invitees}::uuid[])
  `.execute(reader);
  return new Map(rows.map(({ key, points }) => [key, points]));
}

export async function insertOwed(reader: Reader, owed: OwedReward): Promise<void> {
  const { invitee, inviter, asset, day, fee, points, at } = owed;
  await sql`
    insert into invite_owed (invitee, day, asset, inviter, fee, points, at)
    values (${invitee}, ${day}::bigint, ${asset}, ${inviter}, ${fee.toString()}::numeric, ${points}::int, ${at}::bigint)
    on conflict do nothing
  `.execute(reader);
}

export async function removeOwed(
  reader: Reader,
  { invitee, asset, day }: Pick<OwedReward, 'invitee' | 'asset' | 'day'>,
): Promise<void> {
  await sql`
    delete from invite_owed where invitee = ${invitee} and day = ${day}::bigint and asset = ${asset}
  `.execute(reader);
}

/**
 * Day, invitee and coin of an owed reward, by which the list of owed rewards is sorted; the next page starts after this
 * reward.
 */
export type OwedPlace = Pick<OwedReward, 'day' | 'invitee' | 'asset'>;

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Owed invitation rewards that are not held, oldest day first, starting after `behind`, at most `limit`. */
export async function owedRewards(
  store: Store,
  behind: OwedPlace | undefined,
  limit: number,
): Promise<OwedReward[]> {
  const { rows } = await sql<
    Record<'invitee' | 'inviter' | 'asset' | 'fee', string> & { day: bigint; at: bigint; points: number }
  >`
    select invitee, inviter, asset, day, fee::text, points, at from invite_owed
    where not held and (day, invitee, asset) > (${behind?.day ?? 0}::bigint, ${behind?.invitee ?? NOBODY}::uuid, ${behind?.asset ?? ''})
    order by day, invitee, asset limit ${limit}
  `.execute(store);
  return rows.map((row) => ({
    invitee: row.invitee as UserId,
    inviter: row.inviter as UserId,
    asset: row.asset,
    day: instant(wholeNumber(row.day)),
    fee: Decimal.parse(row.fee),
    points: row.points,
    at: instant(wholeNumber(row.at)),
  }));
}

/**
 * Stores a paid invitation reward and adds it to the inviter's total; if the inviter's part is positive, also stores a
 * notice. Fails if the reward is stored already.
 */
export async function insertReward(reader: Reader, reward: Reward): Promise<void> {
  const { invitee, inviter, asset, day, fee, discount, at } = reward;
  const amount = reward.reward.toString();
  await sql`
    with added as (
      insert into invite_total (inviter, asset, reward) values (${inviter}, ${asset}, ${amount}::numeric)
      on conflict (inviter, asset) do update set reward = invite_total.reward + excluded.reward
    ), told as (
      insert into invite_notice (invitee, day, asset, inviter, amount)
        select ${invitee}, ${day}::bigint, ${asset}, ${inviter}, ${amount}::numeric where ${amount}::numeric > 0
    )
    insert into invite_reward (invitee, day, asset, inviter, fee, discount, reward, at) values
      (${invitee}, ${day}::bigint, ${asset}, ${inviter}, ${fee.toString()}::numeric,
       ${discount.toString()}::numeric, ${amount}::numeric, ${at}::bigint)
  `.execute(reader);
}

/** The rewards of an inviter for one UTC day, with the number of invitees whose fees contributed. */
export interface RewardNotice {
  readonly inviter: UserId;
  readonly day: Instant;
  readonly people: number;
  readonly income: readonly Income[];
}

/**
 * Queue of the notices to inviters about paid rewards. An item contains the rewards of one inviter for one day; its key
 * is `day inviter`.
 */
export const rewardNotices: WorkQueue<RewardNotice> = {
  waiting: async (reader, after, limit) => {
    const [day, inviter] = after?.split(' ') ?? [];
    const isAfter = day === undefined ? sql`true` : sql`(day, inviter) > (${day}::bigint, ${inviter}::uuid)`;
    const { rows } = await sql<{ key: string }>`
      select day || ' ' || inviter as key from invite_notice where ${isAfter}
      group by day, inviter order by day, inviter limit ${limit}
    `.execute(reader);
    return rows.map(({ key }) => key);
  },
  dequeue: async (tx, keys) => {
    const places = keys.map((key) => key.split(' '));
    const { rows } = await sql<{
      inviter: UserId;
      day: bigint;
      people: bigint;
      assets: string[];
      amounts: string[];
    }>`
      with dequeued as (
        delete from invite_notice where (day, inviter) in (
          select * from unnest(${places.map(([day]) => day)}::bigint[], ${places.map(([, inviter]) => inviter)}::uuid[])
        ) returning inviter, day, invitee, asset, amount
      ), by_asset as (
        select inviter, day, asset, sum(amount) as amount from dequeued group by inviter, day, asset
      )
      select inviter, day, array_agg(asset order by asset) as assets,
        array_agg(trim_scale(amount)::text order by asset) as amounts,
        (select count(distinct d.invitee) from dequeued d where d.inviter = a.inviter and d.day = a.day) as people
      from by_asset a group by inviter, day order by day, inviter
    `.execute(tx);
    return rows.map(({ inviter, day, people, assets, amounts }) => ({
      inviter,
      day: instant(wholeNumber(day)),
      people: wholeNumber(people),
      income: assets.map((asset, index) => ({ asset, amount: Decimal.parse(amounts[index]!) })),
    }));
  },
};

/** The total of all rewards paid to an inviter, by coin; owed rewards are not included. */
export async function totalsOf(reader: Reader, inviter: UserId): Promise<Income[]> {
  const { rows } = await sql<{ asset: string; amount: string }>`
    select asset, reward::text as amount from invite_total where inviter = ${inviter} and reward > 0 order by asset
  `.execute(reader);
  return rows.map(({ asset, amount }) => ({ asset, amount: Decimal.parse(amount) }));
}

/**
 * The rewards that were paid to an inviter for each of these invitees, by coin; they cover at most one year of days per
 * invitee.
 */
export async function incomeOfInvitees(
  reader: Reader,
  invitees: readonly UserId[],
): Promise<ReadonlyMap<UserId, Income[]>> {
  const { rows } = await sql<{ invitee: UserId; asset: string; amount: string }>`
    select invitee, asset, sum(reward)::text as amount from invite_reward
    where invitee = any(${invitees}::uuid[]) group by 1, 2 having sum(reward) > 0 order by 2
  `.execute(reader);
  const incomeByInvitee = new Map<UserId, Income[]>();
  for (const { invitee, asset, amount } of rows)
    incomeByInvitee.set(invitee, [
      ...(incomeByInvitee.get(invitee) ?? []),
      { asset, amount: Decimal.parse(amount) },
    ]);
  return incomeByInvitee;
}

/** Sort order of an inviter's rewards in lists: newest day first, as in the database index. */
const BY_DAY = new ListOrder([
  { name: 'day', type: 'bigint' },
  { name: 'invitee', type: 'uuid', isAscending: true },
  { name: 'asset', type: 'text', isAscending: true },
]);

interface RewardRow extends Record<'invitee' | 'inviter' | 'asset' | 'fee' | 'discount' | 'reward', string> {
  readonly day: bigint;
  readonly at: bigint;
}

export async function rewardsOf(
  reader: Reader,
  inviter: UserId,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
  page: PagedRows,
): Promise<ListPage<Reward>> {
  const rewardsQuery = sql<RewardRow>`
    select invitee, inviter, asset, day, at, fee::text, discount::text, reward::text
    from invite_reward where inviter = ${inviter} and reward > 0
      and at >= ${from ?? 0}::bigint and at <= ${to ?? Number.MAX_SAFE_INTEGER}::bigint`;
  return mapPage(await readPage(reader, rewardsQuery, BY_DAY, page), (row) => ({
    invitee: row.invitee as UserId,
    inviter: row.inviter as UserId,
    asset: row.asset,
    day: instant(wholeNumber(row.day)),
    at: instant(wholeNumber(row.at)),
    fee: Decimal.parse(row.fee),
    discount: Decimal.parse(row.discount),
    reward: Decimal.parse(row.reward),
  }));
}

/** The latest day whose invitation rewards are all paid or stored as owed; undefined before the first day. */
export async function lastRewardedDay(reader: Reader): Promise<Instant | undefined> {
  const { rows } = await sql<{ day: bigint | null }>`select max(day) as day from invite_day`.execute(reader);
  const day = rows[0]?.day;
  return day === null || day === undefined ? undefined : instant(wholeNumber(day));
}

export async function saveRewardedDay(store: Store, day: Instant): Promise<void> {
  await sql`insert into invite_day (day) values (${day}::bigint) on conflict do nothing`.execute(store);
}
