import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';

/** What of a database a replay has to make again: its name, how many rows, and a hash over all of them. */
export interface StateHash {
  readonly name: string;
  readonly rows: number;
  readonly hash: string;
}

/** The state hashes of a database, by the modules' queries; two that went through the same steps have the same. */
export async function stateHashes(
  reader: Reader,
  state: Readonly<Record<string, string>>,
): Promise<StateHash[]> {
  const hashes: StateHash[] = [];
  for (const [name, rows] of Object.entries(state)) {
    // A hash of hashes: a text aggregate of whole rows would outgrow what one value may hold.
    const found = await sql<{ rows: bigint; hash: string }>`
      select count(*) as rows, encode(sha256(convert_to(coalesce(string_agg(md5(row), '' order by turn), ''), 'UTF8')), 'hex') as hash
      from (${sql.raw(rows)}) as part
    `.execute(reader);
    const { rows: count = 0n, hash = '' } = found.rows[0] ?? {};
    hashes.push({ name, rows: Number(count), hash });
  }
  return hashes;
}
