import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { MarkReason } from './domain.ts';

/** A stored suspicion (mark) that an inviter and an invitee are the same person. */
export interface Mark {
  readonly invitee: UserId;
  readonly inviter: UserId;
  readonly reasons: readonly MarkReason[];
  /**
   * Those reasons for the suspicion that operators have not dismissed; while there are any, the invitee's rewards are
   * held.
   */
  readonly holding: readonly MarkReason[];
  readonly at: Instant;
}

/**
 * An invitation reward that is owed and held: the fee that the invitee paid in one coin on one UTC day, and
 * the percentage points of it that the inviter passes on to the invitee.
 */
export interface HeldReward {
  readonly invitee: UserId;
  readonly asset: string;
  readonly fee: Decimal;
  readonly points: number;
}

/** Stores suspicions, or adds reasons to those that are stored already. Reasons are never removed. */
export async function saveMarks(
  store: Store,
  marks: readonly Pick<Mark, 'invitee' | 'inviter' | 'reasons'>[],
  now: Instant,
): Promise<void> {
  for (const { invitee, inviter, reasons } of marks)
    await sql`
      insert into invite_mark as mark (invitee, inviter, reasons, at, changed_at)
      values (${invitee}, ${inviter}, ${reasons}::text[], ${now}::bigint, ${now}::bigint)
      on conflict (invitee) do update set
        reasons = mark.reasons || array(
          select reason from unnest(excluded.reasons) reason where reason <> all(mark.reasons)
        ),
        changed_at = excluded.changed_at
      where not mark.reasons @> excluded.reasons
    `.execute(store);
}

interface MarkRow {
  readonly invitee: UserId;
  readonly inviter: UserId;
  readonly reasons: MarkReason[];
  readonly released: MarkReason[];
  readonly at: bigint;
}

const MARKS = sql`
  select mark.invitee, mark.inviter, mark.reasons, coalesce(release.reasons, '{}') as released, mark.at
  from invite_mark mark left join invite_release release on release.invitee = mark.invitee
`;

/** The suspicions that an invited user is the same person as the inviter, by id of the invited user. */
export async function marksOf(
  reader: Reader,
  invitees: readonly UserId[],
): Promise<ReadonlyMap<UserId, Mark>> {
  const { rows } = await sql<MarkRow>`
    ${MARKS} where mark.invitee = any(${invitees}::uuid[])
  `.execute(reader);
  return new Map(rows.map((row) => [row.invitee, markOf(row)]));
}

/**
 * Suspicions that come after `before` in the list, newest first, at most `limit`; from the newest one if `before` is
 * undefined.
 */
export async function newestMarks(
  reader: Reader,
  before: { readonly at: Instant; readonly invitee: UserId } | undefined,
  limit: number,
): Promise<Mark[]> {
  const condition =
    before === undefined
      ? sql``
      : sql`where (mark.at, mark.invitee) < (${before.at}::bigint, ${before.invitee}::uuid)`;
  const { rows } = await sql<MarkRow>`
    ${MARKS} ${condition} order by mark.at desc, mark.invitee desc limit ${limit}
  `.execute(reader);
  return rows.map(markOf);
}

/** The held invitation rewards for the fees of these invited users. */
export async function heldRewards(reader: Reader, invitees: readonly UserId[]): Promise<HeldReward[]> {
  const { rows } = await sql<{ invitee: UserId; asset: string; fee: string; points: number }>`
    select invitee, asset, points, fee::text from invite_owed
    where held and invitee = any(${invitees}::uuid[]) order by invitee, asset, day
  `.execute(reader);
  return rows.map(({ fee, ...row }) => ({ ...row, fee: Decimal.parse(fee) }));
}

/** Marks an owed invitation reward as held, so that it is not paid. */
export async function holdReward(
  store: Store,
  { invitee, asset, day }: { readonly invitee: UserId; readonly asset: string; readonly day: Instant },
): Promise<void> {
  await sql`
    update invite_owed set held = true
    where invitee = ${invitee} and day = ${day}::bigint and asset = ${asset} and not held
  `.execute(store);
}

/**
 * Releases the held rewards of an invitee, and stores `reasons` as those that operators have dismissed, in place of
 * earlier ones. A reason that is found later holds rewards again. Returns the number of released rewards.
 */
export async function releaseRewards(
  store: Store,
  invitee: UserId,
  reasons: readonly string[],
  now: Instant,
): Promise<number> {
  await sql`
    insert into invite_release (invitee, reasons, at) values (${invitee}, ${reasons}::text[], ${now}::bigint)
    on conflict (invitee) do update set reasons = excluded.reasons, at = excluded.at
  `.execute(store);
  const { numAffectedRows } = await sql`
    update invite_owed set held = false where invitee = ${invitee} and held
  `.execute(store);
  return wholeNumber(numAffectedRows ?? 0n);
}

function markOf({ invitee, inviter, reasons, released, at }: MarkRow): Mark {
  const dismissed = new Set(released);
  return {
    invitee,
    inviter,
    reasons,
    holding: reasons.filter((reason) => !dismissed.has(reason)),
    at: instant(wholeNumber(at)),
  };
}
