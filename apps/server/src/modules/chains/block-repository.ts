import { Decimal } from '@exchange/core/decimal.ts';
import { sql } from 'kysely';
import { tablesOf, type Reader, type Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { PAID_MOST, type ChainSighting, type ChainTransfer } from './domain.ts';
import type { ChainTables } from './tables.ts';

const tables = tablesOf<ChainTables>();

/** This file stores the newest blocks that were read from real blockchains, and the payments found in them. */

/**
 * Key of the advisory lock that only one transaction can have at a time. Positions of payments are therefore committed
 * in ascending order, and a reader that resumes after a position misses no payment.
 */
const POSITION_LOCK = 3_200_002;

export interface SeenBlock {
  readonly number: number;
  readonly hash: string;
}

/** Returns the stored blocks of a network, newest first, at most `limit`. */
export async function seenBlocks(reader: Reader, network: string, limit: number): Promise<SeenBlock[]> {
  const rows = await tables(reader)
    .selectFrom('chain_block')
    .select(['number', 'hash'])
    .where('network', '=', network)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ number, hash }) => ({ number: wholeNumber(number), hash }));
}

/**
 * Stores a block with its payments, and deletes stored blocks whose number is more than `keepBlocks` below that of the
 * block. Other transactions that store payments wait until the transaction ends.
 */
export async function storeBlock(
  tx: Tx,
  network: string,
  { number, hash }: SeenBlock,
  sightings: readonly ChainSighting[],
  keepBlocks: number,
): Promise<void> {
  await insertSightings(tx, network, { number, hash }, sightings);
  await tables(tx)
    .insertInto('chain_block')
    .values({ network, number: BigInt(number), hash })
    .execute();
  await sql`delete from chain_block where network = ${network} and number < ${number - keepBlocks}::bigint`.execute(
    tx,
  );
}

/**
 * Inserts payments that were found in the blocks up to the given block, within the database transaction `tx`.
 * Other database transactions that insert such payments wait until `tx` ends.
 */
export async function insertSightings(
  tx: Tx,
  network: string,
  { number, hash }: SeenBlock,
  sightings: readonly ChainSighting[],
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${POSITION_LOCK})`.execute(tx);
  if (sightings.length === 0) return;
  await tables(tx)
    .insertInto('chain_sighting')
    .values(
      sightings.map((sighting) => ({
        network,
        txid: sighting.txid,
        output: sighting.output,
        asset: sighting.asset,
        address: sighting.address,
        sender: sighting.sender ?? null,
        is_internal: sighting.isInternal,
        memo: sighting.memo ?? null,
        remark: sighting.remark ?? null,
        amount: sighting.amount.toString(),
        confirmations: sighting.confirmations ?? null,
        block: BigInt(sighting.block ?? number),
        block_hash: hash,
        is_gone: false,
      })),
    )
    .execute();
}

/**
 * Removes every stored block whose number is greater than `above`, and records its payments as dropped by the network.
 * Returns the number of these payments; payments that were already recorded as dropped are not counted again. Other
 * transactions that store payments wait until the transaction ends.
 */
export async function rollBackBlocks(tx: Tx, network: string, above: number): Promise<number> {
  await sql`select pg_advisory_xact_lock(${POSITION_LOCK})`.execute(tx);
  const inserted = await sql`
    insert into chain_sighting (network, txid, output, asset, address, sender, is_internal, amount, block, block_hash,
      confirmations, memo, remark, is_gone)
    select network, txid, output, asset, address, sender, is_internal, amount, block, block_hash,
      confirmations, memo, remark, true from (
      select distinct on (txid, output, asset) * from chain_sighting
      where network = ${network} and block > ${above}::bigint order by txid, output, asset, position desc
    ) last where not is_gone
  `.execute(tx);
  await sql`delete from chain_block where network = ${network} and number > ${above}::bigint`.execute(tx);
  return Number(inserted.numAffectedRows ?? 0);
}

/**
 * Lists the records of payments, and of payments that the network dropped (`isGone`), whose position is
 * greater than `position`, in ascending order, at most `limit`; `toDisplay` converts addresses to the form in
 * which they are displayed.
 */
export async function sightingsSince(
  reader: Reader,
  network: string,
  position: number,
  limit: number,
  toDisplay: (address: string) => string,
): Promise<ChainTransfer[]> {
  const rows = await tables(reader)
    .selectFrom('chain_sighting')
    .selectAll()
    .where('position', '>', BigInt(position))
    .where('network', '=', network)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    position: wholeNumber(row.position),
    txid: row.txid,
    network,
    asset: row.asset,
    output: row.output,
    address: toDisplay(row.address),
    sender: row.sender === null ? undefined : toDisplay(row.sender),
    isInternal: row.is_internal,
    memo: row.memo ?? undefined,
    remark: row.remark ?? undefined,
    amount: Decimal.parse(row.amount),
    block: wholeNumber(row.block),
    isGone: row.is_gone,
    confirmations: row.confirmations ?? undefined,
  }));
}

/**
 * Returns the number of addresses of the exchange to which a sender has paid on a network, at most
 * `PAID_MOST`. The query reads one index entry per address, so its cost does not grow with the number of
 * payments.
 */
export async function paidAddresses(reader: Reader, network: string, sender: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with recursive paid (address, number) as (
      select min(address), 1 from chain_sighting where network = ${network} and sender = ${sender}
      union all
      select (select min(s.address) from chain_sighting s
        where s.network = ${network} and s.sender = ${sender} and s.address > paid.address), number + 1
      from paid where paid.address is not null and number < ${PAID_MOST}
    ) select count(address)::int as count from paid
  `.execute(reader);
  return rows[0]!.count;
}
