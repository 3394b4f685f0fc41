import { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { ChainTransfer, Sending } from './domain.ts';
import type { Sighting } from './evm-domain.ts';
import type { ChainTables } from './tables.ts';

/** Serialises writers so that positions are committed in order and readers that resume from a position miss nothing. */
const POSITION_LOCK = 3_200_002;
const ADDRESS_LOCK = 3_200_003;

export interface SeenBlock {
  readonly number: number;
  readonly hash: string;
}

export async function addressOf(
  reader: Reader,
  owner: string,
): Promise<{ index: number; address: string } | undefined> {
  const row = await tables(reader)
    .selectFrom('evm_address')
    .select(['idx', 'address'])
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row && { index: row.idx, address: row.address };
}

/** Assigns the next derivation index to a user, once; returns the existing address otherwise. */
export async function assignAddress(
  tx: Tx,
  owner: string,
  derive: (index: number) => string,
  now: Instant,
): Promise<{ index: number; address: string }> {
  await sql`select pg_advisory_xact_lock(${ADDRESS_LOCK})`.execute(tx);
  const existing = await addressOf(tx, owner);
  if (existing !== undefined) return existing;
  const { rows } = await sql<{
    next: number;
  }>`select coalesce(max(idx) + 1, 0)::int as next from evm_address`.execute(tx);
  const index = rows[0]!.next;
  const address = derive(index);
  await tables(tx)
    .insertInto('evm_address')
    .values({ idx: index, owner, address, at: BigInt(now) })
    .execute();
  return { index, address };
}

/** Addresses with an index of at least `from`, in order. */
export async function addressesFrom(
  reader: Reader,
  from: number,
  limit: number,
): Promise<{ index: number; address: string }[]> {
  const rows = await tables(reader)
    .selectFrom('evm_address')
    .select(['idx', 'address'])
    .where('idx', '>=', from)
    .orderBy('idx')
    .limit(limit)
    .execute();
  return rows.map(({ idx, address }) => ({ index: idx, address }));
}

/** The subset of these lower-case addresses that are deposit addresses of our users. */
export async function depositAddressesAmong(
  reader: Reader,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const { rows } = await sql<{ address: string }>`
    select address from evm_address where address = any(${addresses}::text[])
  `.execute(reader);
  return new Set(rows.map(({ address }) => address));
}

/** Blocks that were read, newest first. */
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

/** Stores a block with its deposits, and deletes blocks more than `keepBlocks` behind it. */
export async function storeBlockAndSightings(
  tx: Tx,
  network: string,
  { number, hash }: SeenBlock,
  sightings: readonly Sighting[],
  keepBlocks: number,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${POSITION_LOCK})`.execute(tx);
  await tables(tx)
    .insertInto('chain_block')
    .values({ network, number: BigInt(number), hash })
    .execute();
  if (sightings.length > 0)
    await tables(tx)
      .insertInto('chain_sighting')
      .values(
        sightings.map(({ txid, output, asset, address, amount }) => ({
          network,
          txid,
          output,
          asset,
          address,
          amount: amount.toString(),
          block: BigInt(number),
          block_hash: hash,
          is_gone: false,
        })),
      )
      .execute();
  await sql`delete from chain_block where network = ${network} and number < ${number - keepBlocks}::bigint`.execute(
    tx,
  );
}

/** Rolls back every block above `above` and records its payments as gone. Returns the number of payments. */
export async function rollBackBlocks(tx: Tx, network: string, above: number): Promise<number> {
  await sql`select pg_advisory_xact_lock(${POSITION_LOCK})`.execute(tx);
  const inserted = await sql`
    insert into chain_sighting (network, txid, output, asset, address, amount, block, block_hash, is_gone)
    select network, txid, output, asset, address, amount, block, block_hash, true from (
      select distinct on (txid, output, asset) * from chain_sighting
      where network = ${network} and block > ${above}::bigint order by txid, output, asset, position desc
    ) last where not is_gone
  `.execute(tx);
  await sql`delete from chain_block where network = ${network} and number > ${above}::bigint`.execute(tx);
  return Number(inserted.numAffectedRows ?? 0);
}

/** Entries after a position, in order; `toDisplay` converts addresses to their display form. */
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
    memo: undefined,
    amount: Decimal.parse(row.amount),
    block: wholeNumber(row.block),
    isGone: row.is_gone,
  }));
}

/** A payment to be sent, with its signed transaction once it exists. */
export interface StoredSending extends Pick<Sending, 'origin' | 'network' | 'asset' | 'address' | 'amount'> {
  readonly signed: { readonly raw: string; readonly txid: string; readonly nonce: number } | undefined;
}

export async function findSending(reader: Reader, origin: string): Promise<StoredSending | undefined> {
  const row = await tables(reader)
    .selectFrom('chain_sending')
    .selectAll()
    .where('origin', '=', origin)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { network, asset, address, raw, txid, nonce } = row;
  return {
    origin,
    network,
    asset,
    address,
    amount: Decimal.parse(row.amount),
    signed: raw === null ? undefined : { raw, txid: txid!, nonce: wholeNumber(nonce!) },
  };
}

export async function insertSending(
  store: Store,
  { origin, network, asset, address, amount }: Sending,
  now: Instant,
): Promise<void> {
  await tables(store)
    .insertInto('chain_sending')
    .values({
      origin,
      network,
      asset,
      address,
      amount: amount.toString(),
      asked_at: BigInt(now),
      nonce: null,
      txid: null,
      raw: null,
    })
    .onConflict((conflict) => conflict.column('origin').doNothing())
    .execute();
}

/** Stores the signed transaction, unless one is stored already. */
export async function storeSigned(
  store: Store,
  origin: string,
  { raw, txid, nonce }: { readonly raw: string; readonly txid: string; readonly nonce: number },
): Promise<void> {
  await tables(store)
    .updateTable('chain_sending')
    .set({ raw, txid, nonce: BigInt(nonce) })
    .where('origin', '=', origin)
    .where('raw', 'is', null)
    .execute();
}

/** Signed payments of a network whose network fee is not booked, in the order of their nonces. */
export async function paymentsWithoutFee(
  reader: Reader,
  network: string,
  limit: number,
): Promise<{ origin: string; txid: string }[]> {
  const rows = await tables(reader)
    .selectFrom('chain_sending')
    .select(['origin', 'txid'])
    .where('network', '=', network)
    .where('txid', 'is not', null)
    .where('is_fee_booked', '=', false)
    .orderBy('nonce')
    .limit(limit)
    .execute();
  return rows.map(({ origin, txid }) => ({ origin, txid: txid! }));
}

export async function markFeeBooked(store: Store, origin: string): Promise<void> {
  await tables(store)
    .updateTable('chain_sending')
    .set({ is_fee_booked: true })
    .where('origin', '=', origin)
    .execute();
}

/** One more than the highest nonce used on a network. */
export async function nextNonce(reader: Reader, network: string): Promise<number> {
  const { rows } = await sql<{ next: string }>`
    select coalesce(max(nonce) + 1, 0)::text as next from chain_sending where network = ${network}
  `.execute(reader);
  return Number(rows[0]!.next);
}

function tables(reader: Reader) {
  return reader.withTables<ChainTables>();
}
