import type { UserId } from '@exchange/core/ids.ts';
import { sql } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { IdentityTables } from './tables.ts';

const UUID_DIGITS = 32;
/** Fewer digits of an id find too many. */
const ID_MIN = 8;
const HEX = /^[0-9a-f]{1,32}$/;

/** An account as a search finds it. */
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
 * People whose mail address, number or id begins with a text, each found by its own index; the newest for an empty one.
 * Accounts of the house are never among them.
 */
export async function usersBeginning(
  reader: Reader,
  text: string,
  limit: number,
): Promise<BoundedRows<FoundUser>> {
  const bare = text.trim().toLowerCase();
  const digits = bare.replaceAll('-', '');
  const ids =
    HEX.test(digits) && digits.length >= ID_MIN
      ? sql<boolean>`id between ${uuidOf(digits, '0')}::uuid and ${uuidOf(digits, 'f')}::uuid`
      : undefined;
  const begins = `${bare.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const users = reader
    .withTables<IdentityTables>()
    .selectFrom('user_account')
    .select(['id', 'uid', 'email', 'nickname', 'kyc_status', 'frozen', 'created_at'])
    .where('email', 'is not', null)
    .where((is) =>
      bare === ''
        ? is.lit(true)
        : is.or([
            is('email', 'like', begins),
            is('uid', 'like', begins),
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

/** What happened to an account's security, newest first, behind an event. */
export async function securityEventsOf(
  reader: Reader,
  user: UserId,
  { before, limit }: { readonly before: { at: number; id: string } | undefined; readonly limit: number },
) {
  let query = reader
    .withTables<IdentityTables>()
    .selectFrom('security_event')
    .select(['id', 'kind', 'device', 'address', 'detail', 'at'])
    .where('user_id', '=', user);
  if (before !== undefined)
    query = query.where(sql<boolean>`(at, id) < (${BigInt(before.at)}, ${before.id}::uuid)`);
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(({ at, ...row }) => ({ at: Number(at), ...row }));
}

function uuidOf(digits: string, fill: string): string {
  return digits.padEnd(UUID_DIGITS, fill);
}
