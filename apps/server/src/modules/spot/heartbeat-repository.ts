import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { SpotTables } from './tables.ts';

/** The last time that was stored, at which trading ran or at which a planned stop happened (`isPlannedStop`). */
export interface LastSeen {
  readonly at: Instant;
  readonly isPlannedStop: boolean;
}

export async function lastSeen({ reader }: Database): Promise<LastSeen | undefined> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_presence')
    .selectAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { at: instant(wholeNumber(row.at)), isPlannedStop: row.is_planned_stop };
}

export async function storeSeen(database: Database, { at, isPlannedStop }: LastSeen): Promise<void> {
  await database.transaction(async (tx) => {
    await sql`
      insert into spot_presence (id, at, is_planned_stop) values (1, ${at}, ${isPlannedStop})
      on conflict (id) do update set at = excluded.at, is_planned_stop = excluded.is_planned_stop
    `.execute(tx);
  });
}
