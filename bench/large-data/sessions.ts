import { createHash } from 'node:crypto';
import pg from 'pg';
import { clientOptions, type DatabaseConnection } from '../../apps/server/src/platform/database/pool.ts';
import { SIGNED_IN, tokenOf, userId } from './plan.ts';

/**
 * Opens sessions for the first users with the tokens of `tokenOf`. `owner` is a database connection that may write
 * sessions.
 */
export async function signIn(owner: DatabaseConnection): Promise<void> {
  const client = new pg.Client(clientOptions(owner, 'bench large data'));
  await client.connect();
  const now = Date.now();
  for (let user = 1; user <= SIGNED_IN; user += 1)
    await client.query(
      `insert into user_session (id, user_id, token_hash, device, device_mark, address, created_at, seen_at)
       values (gen_random_uuid(), $1, $2, 'bench', $2, '127.0.0.1', $3, $3) on conflict (token_hash)
       do update set ended_at = null, seen_at = excluded.seen_at`,
      [userId(user), createHash('sha256').update(tokenOf(user)).digest(), now],
    );
  await client.end();
}
