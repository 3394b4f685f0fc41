import type { Instant } from '@exchange/core/time.ts';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import type { OperatorTables } from './tables.ts';

export async function replaceRecoveryCodes(
  tx: Tx,
  operator: string,
  hashes: readonly Buffer[],
): Promise<void> {
  const tables = tx.withTables<OperatorTables>();
  await tables.deleteFrom('operator_recovery_code').where('operator', '=', operator).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((code_hash) => ({ operator, code_hash, used_at: null }));
  await tables.insertInto('operator_recovery_code').values(rows).execute();
}

/** Uses a code; false where there is none, or it was used before. */
export async function useRecoveryCode(
  store: Store,
  operator: string,
  hash: Buffer,
  now: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await store
    .withTables<OperatorTables>()
    .updateTable('operator_recovery_code')
    .set({ used_at: BigInt(now) })
    .where('operator', '=', operator)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function countRecoveryCodes(reader: Reader): Promise<Map<string, number>> {
  const rows = await reader
    .withTables<OperatorTables>()
    .selectFrom('operator_recovery_code')
    .select((of) => ['operator', of.fn.countAll<bigint>().as('left')])
    .where('used_at', 'is', null)
    .groupBy('operator')
    .execute();
  return new Map(rows.map(({ operator, left }) => [operator, Number(left)]));
}
