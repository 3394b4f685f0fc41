import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { storeBlock, type SeenBlock } from './block-repository.ts';
import type { ChainSighting } from './domain.ts';
import type { ChainTables } from './tables.ts';
import type { TronOutcome } from './tron-domain.ts';
import { storeTronHoldings, storeTronOutcomes } from './tron-payment-repository.ts';

const ADDRESS_LOCK = 3_200_006;
/** Block number of the row that sums the changes of all blocks that are no longer stored. */
const EARLIER = -1;

/**
 * The deposit address of a user, and its derivation index below the extended public key; undefined if none was
 * assigned.
 */
export async function tronAddressOf(
  reader: Reader,
  owner: string,
): Promise<{ readonly index: number; readonly address: string } | undefined> {
  const row = await tables(reader)
    .selectFrom('tron_address')
    .select(['idx', 'address'])
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row && { index: row.idx, address: row.address };
}

/** Assigns the next derivation index to a user, once; returns the existing address otherwise. */
export async function assignTronAddress(
  tx: Tx,
  owner: string,
  derive: (index: number) => string,
  now: Instant,
): Promise<{ readonly index: number; readonly address: string }> {
  await sql`select pg_advisory_xact_lock(${ADDRESS_LOCK})`.execute(tx);
  const existing = await tronAddressOf(tx, owner);
  if (existing !== undefined) return existing;
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(idx) + 1, 0)::int as next from tron_address
  `.execute(tx);
  const index = rows[0]!.next;
  const address = derive(index);
  await tables(tx)
    .insertInto('tron_address')
    .values({ idx: index, owner, address, at: BigInt(now) })
    .execute();
  return { index, address };
}

/** The subset of these addresses that are deposit addresses of users. */
export async function tronAddressesAmong(
  reader: Reader,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const { rows } = await sql<{ address: string }>`
    select address from tron_address where address = any(${addresses}::text[])
  `.execute(reader);
  return new Set(rows.map(({ address }) => address));
}

/**
 * Stored contents of a block: its time, the payments to own addresses, the change of the own addresses' total balance
 * by coin, and the results of own accounts' transactions.
 */
export interface TronContents {
  readonly time: number;
  readonly outcomes: readonly TronOutcome[];
  readonly sightings: readonly ChainSighting[];
  readonly flows: ReadonlyMap<string, bigint>;
}

/**
 * Stores a block with its payments and the transactions of own accounts. Deletes blocks whose number is more than
 * `keepBlocks` below it; one row sums the changes of total balance of the deleted blocks. The first block of a scan has
 * no contents.
 */
export async function storeTronBlock(
  tx: Tx,
  network: string,
  block: SeenBlock,
  contents: TronContents | undefined,
  keepBlocks: number,
): Promise<void> {
  await storeBlock(tx, network, block, contents?.sightings ?? [], keepBlocks);
  if (contents === undefined) return;
  const { time, outcomes, sightings, flows } = contents;
  await storeTronOutcomes(tx, { number: block.number, time }, outcomes);
  await storeTronHoldings(tx, block.number, sightings);
  if (flows.size === 0) return;
  const assets = [...flows.keys()];
  const units = [...flows.values()].map(String);
  await sql`
    insert into tron_flow (block, asset, units)
    select ${block.number}::bigint, flow.asset, flow.units
    from unnest(${assets}::text[], ${units}::numeric[]) as flow (asset, units)
  `.execute(tx);
  await sql`
    with earlier as (
      delete from tron_flow where block <> ${EARLIER} and block < ${block.number - keepBlocks}::bigint
      returning asset, units
    )
    insert into tron_flow (block, asset, units)
    select ${EARLIER}, asset, sum(units) from earlier group by asset
    on conflict (asset, block) do update set units = tron_flow.units + excluded.units
  `.execute(tx);
}

/**
 * Total balance of all own addresses at a block, in the smallest units, by coin. The block must be one of those still
 * stored.
 */
export async function tronHoldings(reader: Reader, block: number): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ asset: string; units: string }>`
    select asset, sum(units)::text as units from tron_flow where block <= ${block}::bigint group by asset
  `.execute(reader);
  return new Map(rows.map(({ asset, units }) => [asset, BigInt(units)]));
}

function tables(reader: Reader) {
  return reader.withTables<ChainTables>();
}
