import type { Clock } from '../clock.ts';
import { POOL_SIZES } from '../database/connection-counts.ts';
import { databaseOver } from '../database/database.ts';
import type { DatabaseLog } from '../database/log.ts';
import { openDatabase } from '../database/pool.ts';
import { systemRandom } from '../secrets/random.ts';
import { SignInSessions } from './sessions.ts';

/** Opens the sessions of users for an API node or feed node, over read-only database connections. */
export function openNodeSessions({
  databaseUrl,
  databaseLog,
  name,
  clock,
}: {
  readonly databaseUrl: string;
  readonly databaseLog: DatabaseLog;
  /** Application name of the database connections, by which PostgreSQL lists them. */
  readonly name: string;
  readonly clock: Clock;
}) {
  const pool = openDatabase({
    connection: { connectionString: databaseUrl },
    log: databaseLog,
    name,
    size: POOL_SIZES.node,
    isReadOnly: true,
  });
  const isReplica = async () => {
    const { rows } = await pool.query<{ replica: boolean }>('select pg_is_in_recovery() as replica');
    return rows[0]?.replica === true;
  };
  const database = databaseOver(pool);
  return {
    pool,
    isReplica,
    sessions: new SignInSessions({ database, clock, random: systemRandom, recordsUse: false }),
  };
}
