import type { UserId } from '@exchange/core/ids.ts';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';

/** Lets the user's other changes of this module wait until the transaction ends, so that counts hold. */
export async function lockUser(tx: Tx, user: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`watchlist ${user}`}, 0))`.execute(tx);
}
