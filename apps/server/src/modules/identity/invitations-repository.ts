import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store } from '../../platform/database/database.ts';
import { PAGED_ROWS_MAX, type PagedRows } from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';

/** Somebody who signed up with an invitation code. */
export interface Invitee {
  readonly id: UserId;
  readonly uid: string;
  readonly inviter: UserId;
  readonly isVerified: boolean;
  readonly registeredAt: Instant;
  /** Whether both have signed in on one device. */
  readonly sharesDevice: boolean;
}

interface Row {
  readonly id: UserId;
  readonly uid: string;
  readonly inviter: UserId;
  readonly verified: boolean;
  readonly created_at: bigint;
  readonly shares: boolean;
}

const COLUMNS = sql`a.id, a.uid, a.invited_by as inviter, a.kyc_status = 2 as verified, a.created_at, exists (
  select 1 from user_session one join user_session other
    on other.user_id = a.invited_by and other.device_mark = one.device_mark
  where one.user_id = a.id
) as shares`;

/** Whom somebody has invited, newest first, how many there are, and how many of them are verified. */
export async function inviteesOf(
  reader: Reader,
  inviter: UserId,
  page: PagedRows,
): Promise<{ list: Invitee[]; total: number; verified: number }> {
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`
      select ${COLUMNS} from user_account a where invited_by = ${inviter}
      order by id desc limit ${page.limit} offset ${page.offset}
    `.execute(reader),
    sql<{ total: bigint; verified: bigint }>`
      select count(*) as total, count(*) filter (where kyc_status = 2) as verified from (
        select kyc_status from user_account where invited_by = ${inviter} limit ${PAGED_ROWS_MAX}
      ) as counted
    `.execute(reader),
  ]);
  const { total, verified } = counted.rows[0]!;
  return { list: rows.map(inviteeOf), total: wholeNumber(total), verified: wholeNumber(verified) };
}

/** Everybody who signed up with a code since a moment, behind an id, in the order of the ids. */
export async function invitedSince(
  reader: Reader,
  since: Instant,
  behind: string,
  limit: number,
): Promise<Invitee[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from user_account a
    where invited_by is not null and id > ${behind} and created_at >= ${since}::bigint order by id limit ${limit}
  `.execute(reader);
  return rows.map(inviteeOf);
}

/** Who invited somebody. */
export async function inviterOf(reader: Reader, invitee: UserId): Promise<UserId | undefined> {
  const { rows } = await sql<{ inviter: UserId | null }>`
    select invited_by as inviter from user_account where id = ${invitee}
  `.execute(reader);
  return rows[0]?.inviter ?? undefined;
}

/** The code that somebody invites with. */
export async function codeOf(reader: Reader, owner: UserId): Promise<string> {
  const { rows } = await sql<{ code: string }>`
    select invitation_code as code from user_account where id = ${owner}
  `.execute(reader);
  return rows[0]?.code ?? '';
}

/** Demo: somebody of the house stands for a person who was invited. */
export async function setInviter(store: Store, invitee: UserId, inviter: UserId, at: Instant): Promise<void> {
  await sql`
    update user_account set invited_by = ${inviter}, created_at = ${at}::bigint
    where id = ${invitee} and house_name is not null and invited_by is null
  `.execute(store);
}

/** The short numbers of people, as their owners see them. */
export async function uidsOf(reader: Reader, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, string>> {
  const { rows } = await sql<{ id: UserId; uid: string }>`
    select id, uid from user_account where id = any(${ids}::uuid[])
  `.execute(reader);
  return new Map(rows.map(({ id, uid }) => [id, uid]));
}

function inviteeOf({ id, uid, inviter, verified, created_at, shares }: Row): Invitee {
  const registeredAt = instant(wholeNumber(created_at));
  return { id, uid, inviter, isVerified: verified, registeredAt, sharesDevice: shares };
}
