import { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { insertSightings, storeBlock, type SeenBlock } from './block-repository.ts';
import type { Sending } from './domain.ts';
import { XRP, type XrpArrival, type XrpOutcome } from './xrp-domain.ts';

/** Key of the advisory lock under which destination tags are assigned one after the other. */
const TAG_LOCK = 3_200_005;
/**
 * The first destination tag that is assigned; it is high enough to differ from short numbers that people type by
 * mistake.
 */
const FIRST_TAG = 100_001;

export async function tagOf(reader: Reader, owner: string): Promise<number | undefined> {
  const { rows } = await sql<{ tag: string }>`
    select tag::text as tag from xrp_tag where owner = ${owner}
  `.execute(reader);
  return rows[0] === undefined ? undefined : Number(rows[0].tag);
}

/**
 * Returns the destination tag of a user; a user without a tag receives the next one. A tag is never assigned
 * to another user later. Other database transactions that assign tags wait until `tx` ends.
 */
export async function assignTag(tx: Tx, owner: string, now: Instant): Promise<number> {
  await sql`select pg_advisory_xact_lock(${TAG_LOCK})`.execute(tx);
  const assigned = await tagOf(tx, owner);
  if (assigned !== undefined) return assigned;
  const { rows } = await sql<{ tag: string }>`
    insert into xrp_tag (tag, owner, at)
    select coalesce(max(tag) + 1, ${FIRST_TAG}::bigint), ${owner}, ${now}::bigint from xrp_tag
    returning tag::text as tag
  `.execute(tx);
  return Number(rows[0]!.tag);
}

/**
 * Stores the contents of the ledgers up to `last`: the arrivals, and the transactions of the exchange's account.
 * Deletes the stored hashes of ledgers whose number is more than `keepLedgers` below that of `last`.
 */
export async function storeLedgers(
  tx: Tx,
  last: SeenBlock,
  {
    arrivals,
    outcomes,
  }: { readonly arrivals: readonly XrpArrival[]; readonly outcomes: readonly XrpOutcome[] },
  keepLedgers: number,
): Promise<void> {
  await storeBlock(tx, XRP, last, arrivals, keepLedgers);
  await sql`
    insert into xrp_outcome (sequence, txid, block, result, fee)
    select * from unnest(
      ${outcomes.map(({ sequence }) => sequence)}::bigint[], ${outcomes.map(({ txid }) => txid)}::text[],
      ${outcomes.map(({ block }) => block)}::bigint[], ${outcomes.map(({ result }) => result)}::text[],
      ${outcomes.map(({ fee }) => fee.toString())}::numeric[]
    )
  `.execute(tx);
}

interface OutcomeRow {
  readonly sequence: string;
  readonly txid: string;
  readonly block: string;
  readonly result: string;
  readonly fee: string;
}

/**
 * The validated transaction that used a sequence number of the exchange's account; undefined while the number is
 * unused.
 */
export async function outcomeAt(reader: Reader, sequence: number): Promise<XrpOutcome | undefined> {
  const { rows } = await sql<OutcomeRow>`
    select sequence::text as sequence, txid, block::text as block, result, fee::text as fee
    from xrp_outcome where sequence = ${sequence}::bigint
  `.execute(reader);
  const [row] = rows;
  return row && outcomeOf(row);
}

function outcomeOf({ sequence, txid, block, result, fee }: OutcomeRow): XrpOutcome {
  return { sequence: Number(sequence), txid, block: Number(block), result, fee: BigInt(fee) };
}

/** Total amount, in XRP, of the signed payments whose sequence number is `sequence` or higher. */
export async function signedFrom(reader: Reader, sequence: number): Promise<Decimal> {
  const { rows } = await sql<{ amount: string }>`
    select coalesce(sum(amount), 0)::text as amount from chain_sending
    where network = ${XRP} and from_index is null and nonce >= ${sequence}::bigint
  `.execute(reader);
  return Decimal.parse(rows[0]!.amount);
}

/**
 * A withdrawal to the exchange's own account (an internal payment), which is credited without a transaction on the XRP
 * Ledger.
 */
interface InternalPayment {
  readonly txid: string;
  readonly block: number;
  readonly address: string;
  readonly memo: string | undefined;
  readonly amount: Decimal;
}

/** The internal payment with this origin (idempotency key) or this transaction id; undefined if there is none. */
export async function findInternal(
  reader: Reader,
  { origin, txid }: { readonly origin?: string; readonly txid?: string },
): Promise<InternalPayment | undefined> {
  const { rows } = await sql<{
    txid: string;
    block: string;
    address: string;
    tag: string | null;
    amount: string;
  }>`
    select txid, block::text as block, address, tag, amount::text as amount from xrp_internal
    where origin = ${origin ?? null} or txid = ${txid ?? null}
  `.execute(reader);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    txid: row.txid,
    block: Number(row.block),
    address: row.address,
    memo: row.tag ?? undefined,
    amount: Decimal.parse(row.amount),
  };
}

/**
 * Stores an internal payment and its arrival; does nothing if they are stored already. It does not check whether the
 * payment was voided.
 */
export async function storeInternal(
  tx: Tx,
  { origin, address, memo, amount }: Sending,
  { txid, last }: { readonly txid: string; readonly last: SeenBlock },
): Promise<void> {
  const { rows } = await sql<{ origin: string }>`
    insert into xrp_internal (origin, txid, address, tag, amount, block)
    values (${origin}, ${txid}, ${address}, ${memo ?? null}, ${amount.toString()}::numeric, ${last.number}::bigint)
    on conflict (origin) do nothing returning origin
  `.execute(tx);
  if (rows.length === 0) return;
  await insertSightings(tx, XRP, last, [
    { txid, output: 0, asset: XRP, address, sender: undefined, isInternal: false, memo, amount },
  ]);
}
