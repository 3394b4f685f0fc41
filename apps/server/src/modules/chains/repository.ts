import { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { ChainTransfer, Sending } from './domain.ts';
import type { ChainTables } from './tables.ts';

/**
 * Key of the advisory lock that only one transaction can have at a time. Positions of transfers are therefore committed
 * in ascending order, and a reader that resumes after a position misses no transfer.
 */
const POSITION_LOCK = 3_200_001;

/**
 * Stores a transfer, unless one with the same origin (idempotency key) is stored already. Returns the transaction id
 * and block of the stored transfer. Throws if the payment with this origin was voided. Other transactions that store
 * payments wait until the transaction ends.
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

/** True if the payment with this origin (idempotency key) was voided, so that nothing may be signed for it any more. */
export async function isVoided(reader: Reader, origin: string): Promise<boolean> {
  const { rows } = await sql`select 1 from chain_void where origin = ${origin}`.execute(reader);
  return rows.length > 0;
}

/** Throws if the payment with this origin (idempotency key) was voided; otherwise does nothing. */
export async function requireNotVoided(reader: Reader, origin: string): Promise<void> {
  if (await isVoided(reader, origin)) throw new Error(`${origin} was voided and is not sent any more`);
}

/**
 * Records that the payment with this origin (idempotency key) is voided, so that nothing may be signed for it any more;
 * a repeated call changes nothing.
 */
export async function storeVoid(reader: Reader, origin: string, now: Instant): Promise<void> {
  await sql`
    insert into chain_void (origin, at) values (${origin}, ${now}::bigint) on conflict (origin) do nothing
  `.execute(reader);
}

/**
 * Returns the transfer with this origin (idempotency key). If there is none, returns undefined and ensures that no
 * transfer with this origin is ever stored. Other transactions that store payments wait until the transaction ends.
 */
export async function voidTransfer(tx: Tx, origin: string, now: Instant) {
  await sql`select pg_advisory_xact_lock(${POSITION_LOCK})`.execute(tx);
  const transfer = await findTransfer(tx, origin);
  if (transfer === undefined) await storeVoid(tx, origin, now);
  return transfer;
}

/** Lists the simulated transfers in the transaction with this id. */
export async function transfersIn(reader: Reader, txid: string): Promise<Omit<ChainTransfer, 'isGone'>[]> {
  const rows = await reader
    .withTables<ChainTables>()
    .selectFrom('chain_transfer')
    .selectAll()
    .where('txid', '=', txid)
    .execute();
  return rows.map(transferOf);
}

/** Lists the transfers whose position is greater than `position`, in ascending order, at most `limit`. */
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

/**
 * Returns the transaction id and block of the transfer on a simulated network that was sent with this origin
 * (idempotency key); undefined if there is none.
 */
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
