import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store } from '../../platform/database/database.ts';
import {
  BY_ID,
  type ListPage,
  PAGED_ROWS_MAX,
  type PagedRows,
  mapPage,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { mailboxOf } from './domain/mailbox.ts';

/** A user who registered with another user's invitation code. */
export interface Invitee {
  readonly id: UserId;
  readonly uid: string;
  readonly inviter: UserId;
  readonly isVerified: boolean;
  readonly registeredAt: Instant;
}

interface Row {
  readonly id: UserId;
  readonly uid: string;
  readonly inviter: UserId;
  readonly verified: boolean;
  readonly created_at: bigint;
}

const COLUMNS = sql`a.id, a.uid, a.invited_by as inviter, a.kyc_status = 2 as verified, a.created_at`;

/** A page of the users whom `inviter` invited, newest first. */
export async function inviteesOf(
  reader: Reader,
  inviter: UserId,
  page: PagedRows,
): Promise<ListPage<Invitee>> {
  const invitees = sql<Row>`select ${COLUMNS} from user_account a where invited_by = ${inviter}`;
  return mapPage(await readPage(reader, invitees, BY_ID, page), inviteeOf);
}

/**
 * Number of users whom `inviter` invited, in total and of those with a verified identity; counting ends at
 * `PAGED_ROWS_MAX`.
 */
export async function inviteesCount(
  reader: Reader,
  inviter: UserId,
): Promise<{ total: number; verified: number }> {
  const { rows } = await sql<{ total: bigint; verified: bigint }>`
    select count(*) as total, count(*) filter (where kyc_status = 2) as verified from (
      select kyc_status from user_account where invited_by = ${inviter} limit ${PAGED_ROWS_MAX}
    ) as counted
  `.execute(reader);
  const { total, verified } = rows[0]!;
  return { total: wholeNumber(total), verified: wholeNumber(verified) };
}

/**
 * Invited users who registered at or after `since` and whose id is greater than `behind`, ordered by id, at most
 * `limit`.
 */
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

/** Id of the user who invited `invitee`; undefined if nobody did. */
export async function inviterOf(reader: Reader, invitee: UserId): Promise<UserId | undefined> {
  const { rows } = await sql<{ inviter: UserId | null }>`
    select invited_by as inviter from user_account where id = ${invitee}
  `.execute(reader);
  return rows[0]?.inviter ?? undefined;
}

/** The invitation code that the user can pass to others; empty for an unknown user. */
export async function invitationCodeOf(reader: Reader, owner: UserId): Promise<string> {
  const { rows } = await sql<{ code: string }>`
    select invitation_code as code from user_account where id = ${owner}
  `.execute(reader);
  return rows[0]?.code ?? '';
}

/**
 * For the demo: makes a system account without an inviter appear as a user whom `inviter` invited and who registered at
 * the time `at`.
 */
export async function setInviter(store: Store, invitee: UserId, inviter: UserId, at: Instant): Promise<void> {
  await sql`
    update user_account set invited_by = ${inviter}, created_at = ${at}::bigint
    where id = ${invitee} and house_name is not null and invited_by is null
  `.execute(store);
}

/** The public account numbers (UIDs) of users, by user id. */
export async function uidsOf(reader: Reader, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, string>> {
  const { rows } = await sql<{ id: UserId; uid: string }>`
    select id, uid from user_account where id = any(${ids}::uuid[])
  `.execute(reader);
  return new Map(rows.map(({ id, uid }) => [id, uid]));
}

function inviteeOf({ id, uid, inviter, verified, created_at }: Row): Invitee {
  return { id, uid, inviter, isVerified: verified, registeredAt: instant(wholeNumber(created_at)) };
}

/**
 * What the accounts of an invited user and of the inviter have in common, according to their email addresses and to the
 * sessions that are still stored.
 */
export interface PairSignals {
  /** True if both users signed in with the same device id. */
  readonly device: boolean;
  /**
   * True if the inviter ever signed in from an IP network (/24 or /48) from which the invitee signed in during the
   * first seven days after the invitee's registration.
   */
  readonly network: boolean;
  /**
   * True if both users used the same type of browser on the same network, and at least one of these sessions has no
   * device id.
   */
  readonly browser: boolean;
  /** True if mails to the email addresses of the inviter and the invitee arrive in the same mailbox. */
  readonly mailbox: boolean;
}

/**
 * Milliseconds after an invitee's registration: only the invitee's sessions in this time show which networks the
 * invitee normally uses; a later session may be a visit elsewhere.
 */
const FIRST_LOGINS_MS = 7 * DAY_MS;

/** What the account of each invited user and that of the inviter have in common, by id of the invited user. */
export async function pairSignals(
  reader: Reader,
  invitees: readonly UserId[],
): Promise<ReadonlyMap<UserId, PairSignals>> {
  const { rows } = await sql<
    Record<'device' | 'network' | 'browser', boolean> & {
      id: UserId;
      email: string | null;
      other: string | null;
    }
  >`
    select a.id, a.email, i.email as other,
      exists (
        select from user_session own join user_session other
          on other.user_id = i.id and other.device_mark = own.device_mark and other.has_device_id
        where own.user_id = a.id and own.has_device_id
      ) as device,
      exists (
        select from user_session own join user_session other
          on other.user_id = i.id and other.address_network = own.address_network
        where own.user_id = a.id and own.created_at < a.created_at + ${FIRST_LOGINS_MS}::bigint
      ) as network,
      exists (
        select from user_session own join user_session other
          on other.user_id = i.id and other.address_network = own.address_network and other.device = own.device
        where own.user_id = a.id and not (own.has_device_id and other.has_device_id)
      ) as browser
    from user_account a join user_account i on i.id = a.invited_by
    where a.id = any(${invitees}::uuid[])
  `.execute(reader);
  return new Map(
    rows.map(({ id, email, other, device, network, browser }) => {
      const mailbox = email !== null && other !== null && mailboxOf(email) === mailboxOf(other);
      return [id, { device, network, browser, mailbox }];
    }),
  );
}
