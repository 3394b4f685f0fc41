import { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { tablesOf, type Reader, type Tx } from '../../platform/database/database.ts';
import { UTXO_DIGITS } from '@exchange/core/utxo-network.ts';
import type { Place } from '../../platform/utxo/scripts.ts';
import { rollBackBlocks, storeBlock, type SeenBlock } from './block-repository.ts';
import type { ChainSighting } from './domain.ts';
import type { ChainTables } from './tables.ts';
import type { Outpoint, UtxoArrival, WatchedPlace } from './utxo-domain.ts';

const tables = tablesOf<ChainTables>();

/**
 * Key of the advisory lock under which derivation indices are assigned one after the other, so that there are no gaps
 * between them.
 */
const ADDRESS_LOCK = 3_200_004;

export interface AssignedAddress {
  readonly index: number;
  readonly address: string;
}

export async function addressOf(
  reader: Reader,
  network: string,
  owner: string,
): Promise<AssignedAddress | undefined> {
  const row = await tables(reader)
    .selectFrom('utxo_address')
    .select(['idx', 'address'])
    .where('network', '=', network)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row && { index: row.idx, address: row.address };
}

/**
 * Returns the deposit address of a user on a network; a user without one receives the address of the next derivation
 * index.
 */
export async function assignAddress(
  tx: Tx,
  { network, owner }: { readonly network: string; readonly owner: string },
  derive: (index: number) => Place,
  now: Instant,
): Promise<AssignedAddress> {
  await sql`select pg_advisory_xact_lock(${ADDRESS_LOCK})`.execute(tx);
  const existing = await addressOf(tx, network, owner);
  if (existing !== undefined) return existing;
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(idx) + 1, 0)::int as next from utxo_address where network = ${network}
  `.execute(tx);
  const index = rows[0]!.next;
  const { address, script } = derive(index);
  await tables(tx)
    .insertInto('utxo_address')
    .values({ network, idx: index, owner, address, script, at: BigInt(now) })
    .execute();
  return { index, address };
}

/**
 * Returns the users' deposit addresses whose scripts are among the given ones (lower-case hexadecimal
 * digits), by script.
 */
export async function usersPlacesAmong(
  reader: Reader,
  network: string,
  scripts: readonly string[],
): Promise<Map<string, WatchedPlace>> {
  const { rows } = await sql<{ idx: number; address: string; script: string }>`
    select idx, address, script from utxo_address
    where network = ${network} and script = any(${scripts}::text[])
  `.execute(reader);
  return new Map(rows.map(({ idx, address, script }) => [script, { address, holder: 'user', index: idx }]));
}

/**
 * Returns those of the given outputs that are stored as outputs of the exchange or its users, each with its
 * address.
 */
export async function ownOutputsAmong(
  reader: Reader,
  network: string,
  outpoints: readonly Outpoint[],
): Promise<(Outpoint & { readonly address: string })[]> {
  const { rows } = await sql<{ txid: string; vout: number; address: string }>`
    select o.txid, o.vout, o.address from unnest(
      ${outpoints.map(({ txid }) => txid)}::text[], ${outpoints.map(({ vout }) => vout)}::integer[]
    ) as spent(txid, vout)
    join utxo_output o on o.network = ${network} and o.txid = spent.txid and o.vout = spent.vout
  `.execute(reader);
  return rows;
}

/**
 * What is stored of a block: the outputs in it that pay to addresses of the exchange and its users
 * (`arrivals`), the same outputs without dust as payments to be recorded (`sightings`), and the outputs that
 * the block spent.
 */
export interface BlockChanges {
  readonly sightings: readonly ChainSighting[];
  readonly arrivals: readonly UtxoArrival[];
  /** All outputs that the block spent, also those of others, with the id of the spending transaction (`by`). */
  readonly spent: readonly (Outpoint & { readonly by: string })[];
}

/**
 * Stores a block with its changes. Deletes stored blocks whose number is more than `keepBlocks` below that of the
 * block, and the outputs that were spent in the deleted blocks.
 */
export async function storeUtxoBlock(
  tx: Tx,
  network: string,
  block: SeenBlock,
  { sightings, arrivals, spent }: BlockChanges,
  keepBlocks: number,
): Promise<void> {
  await storeBlock(tx, network, block, sightings, keepBlocks);
  if (arrivals.length > 0)
    await tables(tx)
      .insertInto('utxo_output')
      .values(
        arrivals.map(({ txid, vout, address, holder, index, units, spendableFrom, isDust }) => ({
          network,
          txid,
          vout,
          address,
          holder,
          idx: index ?? null,
          units: units.toString(),
          block: BigInt(block.number),
          spendable_from: BigInt(spendableFrom),
          is_dust: isDust,
          spent_block: null,
          spent_txid: null,
        })),
      )
      .execute();
  if (spent.length > 0)
    await sql`
      update utxo_output o set spent_block = ${block.number}::bigint, spent_txid = spent.by
      from unnest(
        ${spent.map(({ txid }) => txid)}::text[], ${spent.map(({ vout }) => vout)}::integer[],
        ${spent.map(({ by }) => by)}::text[]
      ) as spent(txid, vout, by)
      where o.network = ${network} and o.txid = spent.txid and o.vout = spent.vout
    `.execute(tx);
  await sql`
    delete from utxo_output where network = ${network} and spent_block < ${block.number - keepBlocks}::bigint
  `.execute(tx);
}

/**
 * Removes every stored block whose number is greater than `above`, with its outputs, and records its payments
 * as dropped by the network; outputs that these blocks spent count as unspent again. Returns the number of
 * these payments.
 */
export async function rollBackUtxoBlocks(tx: Tx, network: string, above: number): Promise<number> {
  const goneCount = await rollBackBlocks(tx, network, above);
  await sql`delete from utxo_output where network = ${network} and block > ${above}::bigint`.execute(tx);
  await sql`
    update utxo_output set spent_block = null, spent_txid = null
    where network = ${network} and spent_block > ${above}::bigint
  `.execute(tx);
  return goneCount;
}

/**
 * Returns the balance of the exchange at a block, in units of the coin, with decimals: everything (`all`), or
 * only what the wallet account (deposit addresses and own addresses) can pay (`hot`), which excludes other
 * wallets of the exchange such as cold storage, and dust.
 */
export async function heldAt(
  reader: Reader,
  network: string,
  { block, which }: { readonly block: number; readonly which: 'all' | 'hot' },
): Promise<Decimal> {
  const { rows } = await sql<{ units: string }>`
    select coalesce(sum(units), 0)::text as units from utxo_output
    where network = ${network} and block <= ${block}::bigint
      and (spent_block is null or spent_block > ${block}::bigint)
      and (${which} = 'all' or (holder <> 'reserve' and not is_dust))
  `.execute(reader);
  return Decimal.ofScaled(BigInt(rows[0]!.units), UTXO_DIGITS);
}
