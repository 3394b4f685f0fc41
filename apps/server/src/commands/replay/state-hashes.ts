import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';

/** A part of the state that a replay must reproduce: its name, the number of its rows, and a hash over them. */
export interface StateHash {
  readonly name: string;
  readonly rows: number;
  readonly hash: string;
}

/**
 * Computes the hashes of a database's state. `state` contains the SQL queries of the modules by name. Two databases to
 * which the same steps were applied have equal hashes.
 */
export async function stateHashes(
  reader: Reader,
  state: Readonly<Record<string, string>>,
): Promise<StateHash[]> {
  const hashes: StateHash[] = [];
  for (const [name, rows] of Object.entries(state)) {
    // The query aggregates hashes of the rows instead of the rows themselves, whose aggregate could exceed PostgreSQL's
    // maximum size of a value.
    const result = await sql<{ rows: bigint; hash: string }>`
      select count(*) as rows, encode(sha256(convert_to(coalesce(string_agg(md5(row), '' order by turn), ''), 'UTF8')), 'hex') as hash
      from (${sql.raw(rows)}) as part
    `.execute(reader);
    const { rows: count = 0n, hash = '' } = result.rows[0] ?? {};
    hashes.push({ name, rows: Number(count), hash });
  }
  return hashes;
}
