import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { tablesOf, type Reader, type Tx } from '../../platform/database/database.ts';
import { storeBlock, type SeenBlock } from './block-repository.ts';
import type { ChainSighting } from './domain.ts';
import type { ChainTables } from './tables.ts';
import { TRX, type TronOutcome } from './tron-domain.ts';
import { storeTronHoldings, storeTronOutcomes } from './tron-payment-repository.ts';
import { admitSightings } from './watched-tokens-repository.ts';

const tables = tablesOf<ChainTables>();

const ADDRESS_LOCK = 3_200_006;
/** Block number of the row that contains the summed changes of all blocks that are no longer stored. */
const EARLIER = -1;

/**
 * Returns the deposit address of a user, and the index with which it is derived from the extended public key;
 * undefined if the user has none yet.
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

/** Returns the id of the user with this deposit address; undefined if no user has it. */
export async function ownerOfTronAddress(reader: Reader, address: string): Promise<string | undefined> {
  const row = await tables(reader)
    .selectFrom('tron_address')
    .select('owner')
    .where('address', '=', address)
    .executeTakeFirst();
  return row?.owner;
}

/**
 * Returns the deposit address of a user; a user without one receives the address of the next derivation index. Other
 * transactions that assign addresses wait until the transaction ends.
 */
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

/** Returns those of the given addresses that are deposit addresses of users. */
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
 * The contents of a block that are stored: its time, the payments to the exchange's addresses, the change of these
 * addresses' total balance, and the results of the exchange's own transactions.
 */
export interface TronContents {
  readonly time: number;
  readonly outcomes: readonly TronOutcome[];
  readonly sightings: readonly ChainSighting[];
  /**
   * Payments in unlisted coins, which are watched tokens and, while it is watched, TRX; only those that
   * operators may see.
   */
  readonly unlisted: readonly ChainSighting[];
  /**
   * Number of transfers of watched tokens that operators do not see, by contract, because their amounts are
   * too small or too large, or because there are too many of them.
   */
  readonly unfit: ReadonlyMap<string, number>;
  /**
   * The changes that the block made to the total balance of the exchange's addresses, in the smallest units.
   * The key is the code of a listed coin, or the contract of an unlisted token that is or was watched.
   */
  readonly flows: ReadonlyMap<string, bigint>;
}

/**
 * Stores a block with its payments and the exchange's own transactions. Deletes stored blocks whose number is more than
 * `keepBlocks` below that of the block; the changes that the deleted blocks made to the total balance are added to one
 * row. The contents are undefined for the block after which the reading starts with an empty database.
 */
export async function storeTronBlock(
  tx: Tx,
  network: string,
  block: SeenBlock,
  contents: TronContents | undefined,
  { keepBlocks, now }: { readonly keepBlocks: number; readonly now: Instant },
): Promise<void> {
  const { unlisted = [], unfit = new Map<string, number>() } = contents ?? {};
  const shown =
    unlisted.length === 0 && unfit.size === 0
      ? []
      : await admitSightings(tx, network, { sightings: unlisted, unfit }, now);
  await storeBlock(tx, network, block, [...(contents?.sightings ?? []), ...shown], keepBlocks);
  if (contents === undefined) return;
  const { time, outcomes, sightings, flows } = contents;
  await storeTronOutcomes(tx, { number: block.number, time }, outcomes);
  await storeTronHoldings(tx, block.number, [...sightings, ...shown.filter(({ asset }) => asset !== TRX)]);
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
 * Returns the total balance of all addresses of the exchange at a block, in the smallest units. The key is
 * the code of a listed coin, or the contract of an unlisted token that is or was watched. The block must
 * still be stored.
 */
export async function tronHoldings(reader: Reader, block: number): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ asset: string; units: string }>`
    select asset, sum(units)::text as units from tron_flow where block <= ${block}::bigint group by asset
  `.execute(reader);
  return new Map(rows.map(({ asset, units }) => [asset, BigInt(units)]));
}
