import { Decimal } from '@exchange/core/decimal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { TRON } from '@exchange/core/tron-network.ts';
import { sql } from 'kysely';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import { storeSigned, storeVariants, type StoredHolding } from './evm-repository.ts';
import { ENDED_AFTER_MS, type TronOutcome } from './tron-domain.ts';

/** A signed transaction of a payment, with its result if a block that was read contains it. */
export interface SignedTron {
  /** Number of the transaction among those of the payment; the first has the number 0. */
  readonly number: number;
  readonly txid: string;
  readonly raw: string;
  readonly expiration: number;
  readonly feeLimit: bigint;
  /** Time at which the exchange stored the transaction; undefined if it is not known. */
  readonly at: Instant | undefined;
  /** Result and block of the transaction; undefined while no block that was read contains the transaction. */
  readonly outcome: { readonly result: string; readonly block: number } | undefined;
  /** True if the scan began early enough to read every block that could contain the transaction. */
  readonly isCovered: boolean;
  /**
   * True if a block was read that is later than the transaction's expiration by more than `ENDED_AFTER_MS`,
   * so that no later block can contain the transaction. Whether all earlier blocks were read is stated by
   * `isCovered`.
   */
  readonly hasEnded: boolean;
}

interface SignedRow {
  readonly number: number;
  readonly txid: string;
  readonly raw: string;
  readonly expiration: string;
  readonly fee_limit: string;
  readonly at: string | null;
  readonly result: string | null;
  readonly block: string | null;
  readonly is_covered: boolean | null;
  readonly has_ended: boolean | null;
}

/** Returns the signed transactions of a payment, oldest first, read in one snapshot of the database. */
export async function signedTron(reader: Reader, origin: string): Promise<SignedTron[]> {
  const { rows } = await sql<SignedRow>`
    select signed.number, signed.txid, stored.raw, signed.expiration::text as expiration,
      signed.fee_limit::text as fee_limit, stored.at::text as at, outcome.result, outcome.block::text as block,
      signed.ref_block >= reading.first_block - 1 as is_covered,
      reading.last_time > signed.expiration + ${ENDED_AFTER_MS}::bigint as has_ended
    from tron_signed signed
    join (
      select txid, raw, signing_at as at from chain_sending where origin = ${origin} and raw is not null
      union all select txid, raw, at from chain_variant where origin = ${origin}
    ) stored on stored.txid = signed.txid
    left join tron_outcome outcome on outcome.txid = signed.txid
    left join tron_reading reading on true
    where signed.origin = ${origin} order by signed.number
  `.execute(reader);
  return rows.map((row) => ({
    number: row.number,
    txid: row.txid,
    raw: row.raw,
    expiration: Number(row.expiration),
    feeLimit: BigInt(row.fee_limit),
    at: row.at === null ? undefined : instant(Number(row.at)),
    outcome: row.result === null ? undefined : { result: row.result, block: Number(row.block) },
    isCovered: row.is_covered === true,
    hasEnded: row.has_ended === true,
  }));
}

/** A transaction that the signer returned for a payment. */
export interface GivenTron {
  readonly txid: string;
  readonly raw: string;
  readonly refBlock: number;
  readonly expiration: number;
  readonly feeLimit: bigint;
}

/**
 * Stores the signed transactions of a payment, given oldest first; those that are already stored stay unchanged.
 * `serial` is the number that the signer has assigned to the payment.
 */
export async function storeSignedTron(
  tx: Tx,
  origin: string,
  { serial, given }: { readonly serial: number; readonly given: readonly GivenTron[] },
  now: { readonly height: number; readonly at: Instant },
): Promise<void> {
  const [first, ...further] = given;
  if (first === undefined) return;
  await storeSigned(tx, origin, { raw: first.raw, txid: first.txid, nonce: serial }, now);
  await storeVariants(
    tx,
    origin,
    further.map(({ txid, raw }, at) => ({ number: at + 1, isVoid: false, txid, raw })),
    now,
  );
  await sql`
    insert into tron_signed (txid, origin, number, ref_block, expiration, fee_limit)
    select given.txid, ${origin}, given.number - 1, given.ref_block, given.expiration, given.fee_limit
    from unnest(
      ${given.map(({ txid }) => txid)}::text[], ${given.map(({ refBlock }) => refBlock)}::bigint[],
      ${given.map(({ expiration }) => expiration)}::bigint[],
      ${given.map(({ feeLimit }) => feeLimit.toString())}::numeric[]
    ) with ordinality as given (txid, ref_block, expiration, fee_limit, number)
    on conflict (txid) do nothing
  `.execute(tx);
  await settlePayments(tx);
}

/** Returns the ids of those given transactions that were signed for payments of the exchange. */
export async function signedAmong(reader: Reader, txids: readonly string[]): Promise<ReadonlySet<string>> {
  if (txids.length === 0) return new Set();
  const { rows } = await sql<{ txid: string }>`
    select txid from tron_signed where txid = any(${txids}::text[])
  `.execute(reader);
  return new Set(rows.map(({ txid }) => txid));
}

/**
 * Stores the results of the exchange's transactions in a block, and records that the blocks up to this block are read.
 */
export async function storeTronOutcomes(
  tx: Tx,
  { number, time }: { readonly number: number; readonly time: number },
  outcomes: readonly TronOutcome[],
): Promise<void> {
  await sql`
    insert into tron_reading (first_block, last_block, last_time)
    values (${number}::bigint, ${number}::bigint, ${time}::bigint)
    on conflict (is_only) do update set last_block = excluded.last_block, last_time = excluded.last_time
  `.execute(tx);
  if (outcomes.length === 0) return;
  await sql`
    insert into tron_outcome (txid, owner, block, at, result, fee)
    select outcome.txid, outcome.owner, ${number}::bigint, ${time}::bigint, outcome.result, outcome.fee
    from unnest(
      ${outcomes.map(({ txid }) => txid)}::text[], ${outcomes.map(({ owner }) => owner)}::text[],
      ${outcomes.map(({ result }) => result)}::text[], ${outcomes.map(({ fee }) => fee.toString())}::numeric[]
    ) as outcome (txid, owner, result, fee)
  `.execute(tx);
  await settlePayments(tx);
}

/**
 * Sets `is_fee_booked` for payments of which a block that was read contains a transaction, so that `openTron`, which
 * totals the payments in no block, no longer counts them.
 */
async function settlePayments(tx: Tx): Promise<void> {
  await sql`
    update chain_sending set is_fee_booked = true
    where network = ${TRON} and txid is not null and not is_fee_booked and exists (
      select from tron_signed join tron_outcome using (txid) where tron_signed.origin = chain_sending.origin
    )
  `.execute(tx);
}

/**
 * Returns the time of the newest block that was read, in milliseconds UTC; undefined before the first block.
 */
export async function tronTime(reader: Reader): Promise<number | undefined> {
  const { rows } = await sql<{ at: string }>`select last_time::text as at from tron_reading`.execute(reader);
  return rows[0] === undefined ? undefined : Number(rows[0].at);
}

/**
 * The number of the hot wallet's signed payments that are in no block that was read, and the totals of their
 * fee limits and amounts.
 */
export interface OpenTron {
  readonly count: number;
  /** Total of the fee limits of the newest transactions of these unmined payments, in sun (10^-6 TRX). */
  readonly limits: bigint;
  /** Totals of the amounts of these unmined payments, by coin, in units of the coin, with decimals. */
  readonly amounts: ReadonlyMap<string, Decimal>;
}

export async function openTron(reader: Reader): Promise<OpenTron> {
  const { rows } = await sql<{ asset: string; amount: string; count: number; limits: string }>`
    select asset, sum(amount)::text as amount, count(*)::int as count, sum(newest.fee_limit)::text as limits
    from chain_sending, lateral (
      select fee_limit from tron_signed where tron_signed.origin = chain_sending.origin order by number desc limit 1
    ) newest
    where network = ${TRON} and txid is not null and not is_fee_booked and from_index is null
    group by asset
  `.execute(reader);
  return {
    count: rows.reduce((total, { count }) => total + count, 0),
    limits: rows.reduce((total, { limits }) => total + BigInt(limits), 0n),
    amounts: new Map(rows.map(({ asset, amount }) => [asset, Decimal.parse(amount)])),
  };
}

/**
 * Sums the TRX that the exchange's transactions in blocks of the time `since` or later burnt, in sun (10^-6
 * TRX).
 */
export async function tronFeesSince(reader: Reader, since: Instant): Promise<bigint> {
  const { rows } = await sql<{ fee: string }>`
    select coalesce(sum(fee), 0)::text as fee from tron_outcome where at >= ${since}::bigint
  `.execute(reader);
  return BigInt(rows[0]!.fee);
}

/** Records the deposit addresses at which tokens arrived in a block, so that they are checked for a sweep. */
export async function storeTronHoldings(
  tx: Tx,
  block: number,
  arrivals: readonly { readonly address: string; readonly asset: string }[],
): Promise<void> {
  if (arrivals.length === 0) return;
  await sql`
    insert into tron_holding (idx, asset, block, due_at)
    select distinct idx, seen.asset, ${block}::bigint, 0
    from unnest(
      ${arrivals.map(({ address }) => address)}::text[], ${arrivals.map(({ asset }) => asset)}::text[]
    ) as seen (address, asset)
    join tron_address on tron_address.address = seen.address
    on conflict (idx, asset) do update set block = excluded.block, due_at = excluded.due_at
  `.execute(tx);
}

/**
 * Changes the asset of tokens on deposit addresses from the contract, under which they were stored before the exchange
 * listed the coin, to the code of the listed coin, so that they are swept.
 *
 * @param listed codes of the listed coins by their contracts
 */
export async function adoptTronHoldings(tx: Tx, listed: ReadonlyMap<string, string>): Promise<void> {
  await sql`
    with adopted as (
      delete from tron_holding using unnest(${[...listed.keys()]}::text[], ${[...listed.values()]}::text[])
        as listed (contract, coin)
      where tron_holding.asset = listed.contract
      returning tron_holding.idx, listed.coin as asset, tron_holding.block
    )
    insert into tron_holding (idx, asset, block, due_at) select idx, asset, block, 0 from adopted
    on conflict (idx, asset) do update set due_at = 0
  `.execute(tx);
}

/**
 * Lists tokens among `assets` on deposit addresses that are due to be checked for a sweep, at most `limit`;
 * those that are due for the longest time come first.
 */
export async function dueTronHoldings(
  reader: Reader,
  {
    assets,
    now,
    limit,
  }: { readonly assets: readonly string[]; readonly now: Instant; readonly limit: number },
): Promise<StoredHolding[]> {
  const { rows } = await sql<StoredHolding>`
    select tron_holding.idx as index, address, asset from tron_holding join tron_address using (idx)
    where asset = any(${assets}::text[]) and due_at <= ${now}::bigint order by due_at, idx limit ${limit}
  `.execute(reader);
  return rows;
}

/**
 * Sets when a token on a deposit address is checked for a sweep next; does nothing if more of the token arrived after
 * the block `block`.
 */
export async function postponeTronHolding(
  store: Store,
  { index, asset }: Pick<StoredHolding, 'index' | 'asset'>,
  { block, next }: { readonly block: number; readonly next: Instant },
): Promise<void> {
  await sql`
    update tron_holding set due_at = ${next}::bigint
    where idx = ${index} and asset = ${asset} and block <= ${block}::bigint
  `.execute(store);
}

/**
 * Removes a token that is no longer on a deposit address from the tokens that may be swept; does nothing if more of it
 * arrived after the block `block`.
 */
export async function forgetTronHolding(
  store: Store,
  { index, asset }: Pick<StoredHolding, 'index' | 'asset'>,
  block: number,
): Promise<void> {
  await sql`
    delete from tron_holding where idx = ${index} and asset = ${asset} and block <= ${block}::bigint
  `.execute(store);
}
