import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';

/** What of a database a replay has to make again: its name, how many rows, and a hash over all of them. */
export interface StateHash {
  readonly name: string;
  readonly rows: number;
  readonly hash: string;
}

/**
 * Everything that steps decide, each as a query that gives one text per row in a fixed order. Waiting
 * trailing stops are left out of the terms: what they have seen is stored now and then, not at every trade.
 */
const PARTS: readonly (readonly [name: string, rows: string])[] = [
  ['accounts', 'select a::text as row, a.id as turn from ledger_account a'],
  ['entries', 'select e::text as row, e.sequence as turn from ledger_entry e'],
  ['orders', 'select o::text as row, o.id as turn from spot_order o'],
  [
    'terms',
    "select t::text as row, t.order_id as turn from spot_order_terms t where not (trail is not null and stop_status = 'waiting')",
  ],
  ['amendments', 'select a::text as row, (a.order_id, a.sequence) as turn from spot_amendment a'],
  ['trades', 'select t::text as row, t.sequence as turn from spot_trade t'],
  [
    'books',
    "select (o.symbol, o.side, o.price, o.amount - o.filled_amount, o.owner)::text as row, (o.symbol, o.rank, o.id) as turn from spot_order o where status = 'open'",
  ],
];

/** The state hashes of a database; two that went through the same steps have the same. */
export async function stateHashes(reader: Reader): Promise<StateHash[]> {
  const hashes: StateHash[] = [];
  for (const [name, rows] of PARTS) {
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
