import type { Instant } from '@exchange/core/time.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { WithdrawalTables } from './tables.ts';

interface Resumption {
  readonly restoredFrom: string;
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}

/** A setting of the database. */
export async function storedSetting(reader: Reader, name: string): Promise<string | undefined> {
  const row = await reader
    .withTables<WithdrawalTables>()
    .selectFrom('database_setting')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

export async function isResumed(reader: Reader, backup: string): Promise<boolean> {
  const row = await reader
    .withTables<WithdrawalTables>()
    .selectFrom('withdrawal_resumption')
    .select('at')
    .where('restored_from', '=', backup)
    .executeTakeFirst();
  return row !== undefined;
}

export async function storeResumption(
  store: Reader,
  { restoredFrom: restored_from, by: resumed_by, reason, at }: Resumption,
): Promise<void> {
  await store
    .withTables<WithdrawalTables>()
    .insertInto('withdrawal_resumption')
    .values({ restored_from, resumed_by, reason, at: BigInt(at) })
    .execute();
}
