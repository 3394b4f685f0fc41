import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Reader, Store } from '../../platform/database/database.ts';
import type { FaucetTables } from './tables.ts';

export async function lastClaim(sql: Reader, owner: UserId): Promise<Instant | undefined> {
  const row = await sql
    .withTables<FaucetTables>()
    .selectFrom('faucet_claim')
    .select('claimed_at')
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row === undefined ? undefined : instant(Number(row.claimed_at));
}

export async function recordClaim(sql: Store, owner: UserId, at: Instant): Promise<void> {
  await sql
    .withTables<FaucetTables>()
    .insertInto('faucet_claim')
    .values({ owner, claimed_at: BigInt(at) })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet({ claimed_at: BigInt(at) }))
    .execute();
}
