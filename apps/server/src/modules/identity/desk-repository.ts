import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Reader } from '../../platform/database/database.ts';
import { recordRow } from '../../platform/database/table-records.ts';
import type { SecurityEventKind } from './security-repository.ts';
import type { IdentityTables } from './tables.ts';

const KNOWN_DEVICE_MS = 90 * DAY_MS;
/** Kinds of security events that `AccountContext.securityChanges` counts. */
const CHANGE_KINDS: readonly SecurityEventKind[] = [
  'passwordChanged',
  'passwordReset',
  'tradePasswordChanged',
  'tradePasswordReset',
  'authenticatorBound',
  'authenticatorRemoved',
  'recoveryCodeUsed',
  'recoveryCodesRenewed',
  'emailChanged',
  'passkeyAdded',
  'passkeyRemoved',
];

const UUID_DIGITS = 32;
/**
 * Least number of hexadecimal digits with which a search finds accounts by the start of their id; fewer digits would
 * match too many accounts.
 */
const ID_MIN = 8;
const HEX = /^[0-9a-f]{1,32}$/;

/** An account that the operators' search by email address, account number, nickname or id has found. */
export interface FoundUser {
  readonly id: UserId;
  readonly uid: string;
  readonly email: string;
  readonly nickname: string;
  readonly kycStatus: number;
  readonly isFrozen: boolean;
  readonly createdAt: number;
}

/**
 * Users whose email address, account number, nickname or id starts with `text`, and the main accounts of
 * sub-accounts with such a number, or all users if `text` is empty: the newest `limit`, with the total number
 * of them. An id is only found by at least 8 hexadecimal digits. System accounts and sub-accounts are left
 * out.
 */
export async function usersBeginning(
  reader: Reader,
  text: string,
  limit: number,
): Promise<BoundedRows<FoundUser>> {
  const prefix = text.trim().toLowerCase();
  const digits = prefix.replaceAll('-', '');
  const ids =
    HEX.test(digits) && digits.length >= ID_MIN
      ? sql<boolean>`id between ${uuidOf(digits, '0')}::uuid and ${uuidOf(digits, 'f')}::uuid`
      : undefined;
  const pattern = `${prefix.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const users = reader
    .withTables<IdentityTables>()
    .selectFrom('user_account')
    .select(['id', 'uid', 'email', 'nickname', 'kyc_status', 'frozen', 'created_at'])
    .where('email', 'is not', null)
    .where((where) =>
      prefix === ''
        ? where.lit(true)
        : where.or([
            where('email', 'like', pattern),
            where('uid', 'like', pattern),
            sql<boolean>`(nickname <> '' and lower(nickname) like ${pattern})`,
            sql<boolean>`id = any(array(
              select master_id from user_account where master_id is not null and uid like ${pattern}
            ))`,
            ...(ids === undefined ? [] : [ids]),
          ]),
    )
    .orderBy('id', 'desc');
  return mapBounded(await readBounded(reader, users, limit), (row) => ({
    id: row.id as UserId,
    uid: row.uid,
    email: row.email ?? '',
    nickname: row.nickname,
    kycStatus: row.kyc_status,
    isFrozen: row.frozen,
    createdAt: Number(row.created_at),
  }));
}

/**
 * Which security events of an account are read: those older than the event `before`, of one of the `kinds`,
 * the newest `limit` of them. An undefined `before` or `kinds` excludes no event.
 */
interface AskedEvents {
  readonly before?: { at: number; id: string } | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly limit: number;
}

/** Security events of an account, of some kinds and before the event `before`, newest first, at most `limit`. */
export async function securityEventsOf(reader: Reader, user: UserId, { before, kinds, limit }: AskedEvents) {
  let query = reader
    .withTables<IdentityTables>()
    .selectFrom('security_event')
    .select(['id', 'kind', 'device', 'address', 'detail', 'at'])
    .where('user_id', '=', user);
  if (before !== undefined)
    query = query.where(sql<boolean>`(at, id) < (${BigInt(before.at)}, ${before.id}::uuid)`);
  if (kinds !== undefined) query = query.where('kind', 'in', kinds);
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(({ at, ...row }) => ({ at: Number(at), ...row }));
}

/** Facts about an account on which operators base decisions about its money. */
export interface AccountContext {
  readonly accountCreatedAt: number;
  /**
   * Number of devices, distinguished by name, from which somebody signed in to the account after its time `since`, and
   * from which nobody signed in to it or registered it in the 90 days before that time.
   */
  readonly newDevices: number;
  /**
   * Number of changes of the password, trade password (not its first setting), email address, authenticator, recovery
   * codes and passkeys, and of uses of recovery codes, after the account's time `since`.
   */
  readonly securityChanges: number;
}

/**
 * Facts about accounts, by their ids; unknown ids are left out. Devices and changes are counted after each account's
 * time in `since`.
 */
export async function accountContexts(
  reader: Reader,
  since: ReadonlyMap<UserId, number>,
): Promise<ReadonlyMap<UserId, AccountContext>> {
  const { rows } = await sql<{ id: UserId; created: string; devices: number; changes: number }>`
    select u.id, u.created_at::text as created, (
        select count(distinct e.device)::int from security_event e
        where e.user_id = u.id and e.kind = 'signedIn' and e.at > asked.since and not exists (
          select 1 from security_event p
          where p.user_id = u.id and p.kind in ('signedIn', 'registered') and p.device = e.device
            and p.at between asked.since - ${KNOWN_DEVICE_MS}::bigint and asked.since
        )
      ) as devices, (
        select count(*)::int from security_event e
        where e.user_id = u.id and e.at > asked.since and e.kind = any(${CHANGE_KINDS}::text[])
      ) as changes
    from unnest(${[...since.keys()]}::uuid[], ${[...since.values()].map(String)}::bigint[]) as asked (owner, since)
    join user_account u on u.id = asked.owner
  `.execute(reader);
  return new Map(
    rows.map(({ id, created, devices: newDevices, changes: securityChanges }) => [
      id,
      { accountCreatedAt: Number(created), newDevices, securityChanges },
    ]),
  );
}

function uuidOf(digits: string, fill: string): string {
  return digits.padEnd(UUID_DIGITS, fill);
}

const EVENT_CURSOR = /^(\d{1,15})_([0-9a-f-]{36})$/;

/** Source of logins and other security events for the timeline of a user. */
export function securityRecords(reader: Reader): RecordSource {
  return {
    kind: 'security',
    page: async (owner, { before, from, to, limit }) => {
      const [, at, id] = EVENT_CURSOR.exec(before ?? '') ?? [];
      let query = reader
        .withTables<IdentityTables>()
        .selectFrom('security_event')
        .select(['id', 'kind', 'device', 'address', 'detail', 'at'])
        .where('user_id', '=', owner);
      if (at !== undefined) query = query.where(sql<boolean>`(at, id) < (${at}::bigint, ${id}::uuid)`);
      if (from !== undefined) query = query.where('at', '>=', BigInt(from));
      if (to !== undefined) query = query.where('at', '<=', BigInt(to));
      const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map((row) =>
        recordRow({
          id: row.id,
          owner,
          at: Number(row.at),
          cursor: `${row.at}_${row.id}`,
          event: eventText(row.kind),
          detail: { device: row.device, address: row.address, detail: row.detail },
        }),
      );
    },
  };
}

/** The kind of a security event in words: `signedIn` becomes `Signed in`. */
function eventText(kind: string): string {
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/**
 * Another account with a session that shares a device or an IP network with a session of the account in
 * question.
 */
export interface SharedSession {
  readonly user: UserId;
  readonly shares: 'device' | 'address';
  /** Name of the shared device, or the shared IP network. */
  readonly detail: string;
  readonly lastAt: number;
}

/** Number of an account's newest sessions whose devices and networks are compared with those of other accounts. */
const OWN_SESSIONS_MAX = 500;
/**
 * Number of a device's or an IP network's newest sessions that are compared; a public network has many more.
 */
const SHARED_SESSIONS_MAX = 200;

/**
 * Other accounts that share a device or an IP network with an account's newest sessions, at most `limit` for
 * devices and for networks each: those whose shared sessions were used last.
 */
export async function sharedSessions(reader: Reader, user: UserId, limit: number): Promise<SharedSession[]> {
  const { rows } = await sql<{ user: UserId; shares: 'device' | 'address'; detail: string; at: string }>`
    with own as (
      select device_mark, has_device_id, address_network from user_session
      where user_id = ${user}::uuid order by user_session.id desc limit ${OWN_SESSIONS_MAX}
    ), devices as (
      select o.user_id, max(o.device) as detail, max(o.seen_at) as at
      from (select distinct device_mark from own where has_device_id) d
      cross join lateral (
        select user_id, device, seen_at from user_session s
        where s.device_mark = d.device_mark and s.has_device_id order by s.id desc limit ${SHARED_SESSIONS_MAX}
      ) o
      where o.user_id <> ${user}::uuid group by o.user_id order by at desc limit ${limit}
    ), networks as (
      select o.user_id, max(n.address_network) as detail, max(o.seen_at) as at
      from (select distinct address_network from own where address_network is not null) n
      cross join lateral (
        select user_id, seen_at from user_session s
        where s.address_network = n.address_network order by s.id desc limit ${SHARED_SESSIONS_MAX}
      ) o
      where o.user_id <> ${user}::uuid group by o.user_id order by at desc limit ${limit}
    )
    select user_id as user, 'device' as shares, detail, at::text from devices
    union all select user_id, 'address', detail, at::text from networks
  `.execute(reader);
  return rows.map(({ at, ...row }) => ({ ...row, lastAt: Number(at) }));
}
