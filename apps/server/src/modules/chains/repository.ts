import { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { ChainTransfer, Sending } from './domain.ts';
import type { ChainTables } from './tables.ts';

/**
 * Key of the advisory lock that serialises writers. Positions are therefore committed in order, and a reader that
 * resumes from a position misses no transfer.
 */
const POSITION_LOCK = 3_200_001;

/**
 * Stores a transfer unless its origin exists; returns the stored transfer's ID and block. Throws if the
 * origin was voided.
 */
export async function insertTransfer(
  tx: Tx,
  { origin, network, asset, address, memo, amount, remark }: Sending,
  { txid, block }: { readonly txid: string; readonly block: number },
): Promise<{ txid: string; block: number }> {
  await sql`select pg_advisory_xact_lock(${POSITION_LOCK})`.execute(tx);
  await requireNotVoided(tx, origin);
  await sql`
    insert into chain_transfer (txid, network, asset, address, memo, amount, origin, remark, block)
    values (${txid}, ${network}, ${asset}, ${address}, ${memo ?? null}, ${amount.toString()}::numeric, ${origin},
      ${remark ?? null}, ${block}::bigint)
    on conflict (origin) do nothing
  `.execute(tx);
  return (await findTransfer(tx, origin))!;
}

/** Whether the payment with this origin was voided, so that nothing may be signed for it any more. */
export async function isVoided(reader: Reader, origin: string): Promise<boolean> {
  const { rows } = await sql`select 1 from chain_void where origin = ${origin}`.execute(reader);
  return rows.length > 0;
}

/** Throws if the payment with this origin was voided. */
export async function requireNotVoided(reader: Reader, origin: string): Promise<void> {
  if (await isVoided(reader, origin)) throw new Error(`${origin} was voided and is not sent any more`);
}

/**
 * Records that the payment with this origin is voided: nothing may be signed for it any more. Repetitions change
 * nothing.
 */
export async function storeVoid(reader: Reader, origin: string, now: Instant): Promise<void> {
  await sql`
    insert into chain_void (origin, at) values (${origin}, ${now}::bigint) on conflict (origin) do nothing
  `.execute(reader);
}

/**
 * Returns the transfer with this origin; if there is none, forbids a transfer with this origin for good and returns
 * undefined.
 */
export async function voidTransfer(tx: Tx, origin: string, now: Instant) {
  await sql`select pg_advisory_xact_lock(${POSITION_LOCK})`.execute(tx);
  const transfer = await findTransfer(tx, origin);
  if (transfer === undefined) await storeVoid(tx, origin, now);
  return transfer;
}

/** Simulated transfers of a transaction. */
export async function transfersIn(reader: Reader, txid: string): Promise<Omit<ChainTransfer, 'isGone'>[]> {
  const rows = await reader
    .withTables<ChainTables>()
    .selectFrom('chain_transfer')
    .selectAll()
    .where('txid', '=', txid)
    .execute();
  return rows.map(transferOf);
}

/** Transfers with a position greater than `position`, in order. */
export async function transfersSince(
  reader: Reader,
  position: number,
  limit: number,
): Promise<ChainTransfer[]> {
  const rows = await reader
    .withTables<ChainTables>()
    .selectFrom('chain_transfer')
    .selectAll()
    .where('position', '>', BigInt(position))
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(transferOf);
}

function transferOf(row: ChainTables['chain_transfer']): ChainTransfer {
  return {
    position: wholeNumber(row.position),
    txid: row.txid,
    network: row.network,
    asset: row.asset,
    address: row.address,
    sender: undefined,
    isInternal: false,
    memo: row.memo ?? undefined,
    amount: Decimal.parse(row.amount),
    remark: row.remark ?? undefined,
    block: wholeNumber(row.block),
    output: 0,
    isGone: false,
  };
}

/** The transfer that was sent under this origin; undefined if there is none. */
export async function findTransfer(
  reader: Reader,
  origin: string,
): Promise<{ txid: string; block: number } | undefined> {
  const row = await reader
    .withTables<ChainTables>()
    .selectFrom('chain_transfer')
    .select(['txid', 'block'])
    .where('origin', '=', origin)
    .executeTakeFirst();
  return row && { txid: row.txid, block: wholeNumber(row.block) };
}
