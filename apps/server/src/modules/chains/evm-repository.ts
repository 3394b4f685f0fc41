import { Decimal } from '@exchange/core/decimal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { tablesOf, type Reader, type Store, type Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { rollBackBlocks, storeBlock, type SeenBlock } from './block-repository.ts';
import type { NetworkFee } from './channel.ts';
import type { ChainSighting, Sending, SendingStage } from './domain.ts';
import { touchAddresses, touchReadAbove } from './evm-balance-repository.ts';
import { admitSightings } from './watched-tokens-repository.ts';
import type { ChainTables } from './tables.ts';

const tables = tablesOf<ChainTables>();

const ADDRESS_LOCK = 3_200_003;

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

/** Returns the id of the user with this deposit address, given in lower case; undefined if no user has it. */
export async function ownerOfAddress(reader: Reader, address: string): Promise<string | undefined> {
  const row = await tables(reader)
    .selectFrom('evm_address')
    .select('owner')
    .where('address', '=', address)
    .executeTakeFirst();
  return row?.owner;
}

/**
 * Returns the deposit address of a user; a user without one receives the address of the next derivation index. Other
 * transactions that assign addresses wait until the transaction ends.
 */
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

/** Returns those of the given addresses (in lower case) that are deposit addresses of users. */
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

/** What the scan of a block stores: the payments, and the addresses whose balances it may have changed. */
export interface BlockContents {
  readonly sightings: readonly ChainSighting[];
  /**
   * Addresses in lower case whose balances the block may have changed: the payers of its transactions, and payer and
   * receiver of each transfer. Addresses that are not deposit addresses are ignored.
   */
  readonly touched: readonly string[];
  /**
   * Number of transfers of watched tokens that operators do not see, by contract, because their amounts are too small
   * or too large, or because there are too many of them.
   */
  readonly unfit: ReadonlyMap<string, number>;
}

/**
 * Stores a block with its payments to addresses of the exchange, without the transfers of watched tokens that exceed
 * the number which operators see per day (see `storeBlock`). Records the coins that these payments left on deposit
 * addresses, so that they are checked for a sweep. Marks the deposit addresses in `touched`, so that their balances
 * are read again.
 */
export async function storeBlockAndSightings(
  tx: Tx,
  network: string,
  block: SeenBlock,
  { sightings, touched, unfit }: BlockContents,
  { keepBlocks, now }: { readonly keepBlocks: number; readonly now: Instant },
): Promise<void> {
  const admitted =
    sightings.length === 0 && unfit.size === 0
      ? []
      : await admitSightings(tx, network, { sightings, unfit }, now);
  await storeBlock(tx, network, block, admitted, keepBlocks);
  await storeHoldings(tx, network, block.number, admitted);
  await touchAddresses(tx, network, block.number, touched);
}

/** Records the coins that a block left on deposit addresses, so that they are checked for a sweep. */
async function storeHoldings(
  tx: Tx,
  network: string,
  block: number,
  sightings: readonly ChainSighting[],
): Promise<void> {
  if (sightings.length === 0) return;
  const addresses = sightings.map(({ address }) => address);
  const assets = sightings.map(({ asset }) => asset);
  await sql`
    insert into evm_holding (network, idx, asset, block, due_at)
    select distinct ${network}, idx, seen.asset, ${block}::bigint, 0
    from unnest(${addresses}::text[], ${assets}::text[]) as seen (address, asset)
    join evm_address on evm_address.address = seen.address
    on conflict (network, idx, asset) do update set block = excluded.block, due_at = excluded.due_at
  `.execute(tx);
}

/** A coin on a deposit address that may be swept into the hot wallet. */
export interface StoredHolding {
  readonly index: number;
  readonly address: string;
  readonly asset: string;
}

/**
 * Lists coins among `assets` on deposit addresses that arrived up to the block `block` and are due to be
 * checked for a sweep; those that are due for the longest time come first, at most `limit`.
 */
export async function dueHoldings(
  reader: Reader,
  network: string,
  {
    assets,
    block,
    now,
    limit,
  }: {
    readonly assets: readonly string[];
    readonly block: number;
    readonly now: Instant;
    readonly limit: number;
  },
): Promise<StoredHolding[]> {
  const rows = await tables(reader)
    .selectFrom('evm_holding')
    .innerJoin('evm_address', 'evm_address.idx', 'evm_holding.idx')
    .select(['evm_holding.idx', 'evm_holding.asset', 'evm_address.address'])
    .where('evm_holding.network', '=', network)
    .where('evm_holding.asset', 'in', [...assets])
    .where('evm_holding.due_at', '<=', BigInt(now))
    .where('evm_holding.block', '<=', BigInt(block))
    .orderBy('evm_holding.due_at')
    .limit(limit)
    .execute();
  return rows.map(({ idx, address, asset }) => ({ index: idx, address, asset }));
}

/**
 * Sets when a coin on a deposit address is checked for a sweep next; does nothing if more of the coin arrived after the
 * block `block`.
 */
export async function postponeHolding(
  store: Store,
  network: string,
  { index, asset }: Omit<StoredHolding, 'address'>,
  { block, next }: { readonly block: number; readonly next: Instant },
): Promise<void> {
  await tables(store)
    .updateTable('evm_holding')
    .set({ due_at: BigInt(next) })
    .where('network', '=', network)
    .where('idx', '=', index)
    .where('asset', '=', asset)
    .where('block', '<=', BigInt(block))
    .execute();
}

/**
 * Removes a coin that is no longer on a deposit address from the coins that may be swept; does nothing if more of it
 * arrived after the block `block`.
 */
export async function forgetHolding(
  store: Store,
  network: string,
  { index, asset }: Omit<StoredHolding, 'address'>,
  block: number,
): Promise<void> {
  await tables(store)
    .deleteFrom('evm_holding')
    .where('network', '=', network)
    .where('idx', '=', index)
    .where('asset', '=', asset)
    .where('block', '<=', BigInt(block))
    .execute();
}

/**
 * Removes every stored block whose number is greater than `above` (see `rollBackBlocks`), and marks the balances that
 * were read at these blocks to be read again. Returns the number of payments that were in these blocks.
 */
export async function rollBackEvmBlocks(tx: Tx, network: string, above: number): Promise<number> {
  const goneCount = await rollBackBlocks(tx, network, above);
  await touchReadAbove(tx, network, above);
  return goneCount;
}

/** The terms of a payment of the exchange as the database stores them, without its signed transactions. */
export interface StoredSending extends Pick<Sending, 'origin' | 'network' | 'asset' | 'address' | 'amount'> {
  /** Derivation index of the deposit address that pays; undefined if the hot wallet pays. */
  readonly fromIndex: number | undefined;
}

/**
 * A signed transaction of a payment. The first transaction has the number 0; later ones have a higher fee or void the
 * payment.
 */
export interface StoredVariant {
  readonly number: number;
  readonly isVoid: boolean;
  readonly txid: string;
  readonly raw: string;
  /**
   * Number of the newest block that had been read when the transaction was stored, and the time of storing; undefined
   * for transactions that old versions stored.
   */
  readonly height: number | undefined;
  readonly at: Instant | undefined;
}

export async function findSending(reader: Reader, origin: string): Promise<StoredSending | undefined> {
  const row = await tables(reader)
    .selectFrom('chain_sending')
    .selectAll()
    .where('origin', '=', origin)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    origin,
    network: row.network,
    asset: row.asset,
    address: row.address,
    amount: Decimal.parse(row.amount),
    fromIndex: row.from_index ?? undefined,
  };
}

/** Returns all signed transactions of the payment with this origin (idempotency key), oldest first. */
export async function variantsOf(reader: Reader, origin: string): Promise<StoredVariant[]> {
  const { rows } = await sql<{
    number: number;
    is_void: boolean;
    txid: string;
    raw: string;
    height: string | null;
    at: string | null;
  }>`
    select 0 as number, false as is_void, txid, raw, signed_height::text as height, signing_at::text as at
    from chain_sending where origin = ${origin} and raw is not null
    union all
    select number, is_void, txid, raw, height::text, at::text from chain_variant where origin = ${origin}
    order by number
  `.execute(reader);
  return rows.map(({ is_void: isVoid, height, at, ...row }) => ({
    ...row,
    isVoid,
    height: height === null ? undefined : Number(height),
    at: at === null ? undefined : instant(Number(at)),
  }));
}

/** Stores further signed transactions of a payment; those that are already stored stay unchanged. */
export async function storeVariants(
  store: Store,
  origin: string,
  variants: readonly Omit<StoredVariant, 'height' | 'at'>[],
  { height, at }: { readonly height: number; readonly at: Instant },
): Promise<void> {
  if (variants.length === 0) return;
  await tables(store)
    .insertInto('chain_variant')
    .values(
      variants.map(({ number, isVoid, txid, raw }) => ({
        origin,
        number,
        is_void: isVoid,
        txid,
        raw,
        height: BigInt(height),
        at: BigInt(at),
      })),
    )
    .onConflict((conflict) => conflict.columns(['origin', 'number']).doNothing())
    .execute();
}

/**
 * With `now`, records that a signature is requested for the payment. With undefined, records that the signer has signed
 * nothing for it. Does nothing if a signed transaction of the payment is stored.
 */
export async function markSigning(store: Store, origin: string, now: Instant | undefined): Promise<void> {
  await sql`
    update chain_sending set signing_at = ${now ?? null}::bigint where origin = ${origin} and raw is null
  `.execute(store);
}

/** Records the time at which a node first had a transaction of the payment; later calls change nothing. */
export async function markSent(store: Store, origin: string, now: Instant): Promise<void> {
  await sql`
    update chain_sending set sent_at = ${now}::bigint where origin = ${origin} and sent_at is null
  `.execute(store);
}

/**
 * Returns the origins (idempotency keys) of a network's payments for which a signature was requested and no
 * answer of the signer is stored, sorted by origin, at most `limit`.
 */
export async function unansweredOrigins(reader: Reader, network: string, limit: number): Promise<string[]> {
  const rows = await tables(reader)
    .selectFrom('chain_sending')
    .select('origin')
    .where('raw', 'is', null)
    .where('signing_at', 'is not', null)
    .where('network', '=', network)
    .orderBy('origin')
    .limit(limit)
    .execute();
  return rows.map(({ origin }) => origin);
}

/**
 * Returns how far each of the given payments has come, by origin (idempotency key): signature requested,
 * signed, or sent. Payments for which no signature was requested are left out.
 */
export async function sendingStages(
  reader: Reader,
  origins: readonly string[],
): Promise<ReadonlyMap<string, SendingStage>> {
  const { rows } = await sql<{ origin: string; stage: SendingStage }>`
    select origin, case when sent_at is not null then 'sent' when raw is not null then 'signed' else 'signing' end as stage
    from chain_sending where origin = any(${origins}::text[]) and (raw is not null or signing_at is not null)
  `.execute(reader);
  return new Map(rows.map(({ origin, stage }) => [origin, stage]));
}

export async function insertSending(
  store: Store,
  { origin, network, asset, address, amount, sweep }: Sending,
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
      from_index: sweep?.kind === 'sweep' ? sweep.index : null,
      asked_at: BigInt(now),
      nonce: null,
      txid: null,
      raw: null,
      signing_at: null,
      signed_height: null,
      sent_at: null,
    })
    .onConflict((conflict) => conflict.column('origin').doNothing())
    .execute();
}

/** Stores the first signed transaction of a payment; does nothing if one is stored already. */
export async function storeSigned(
  store: Store,
  origin: string,
  { raw, txid, nonce }: { readonly raw: string; readonly txid: string; readonly nonce: number },
  { height, at }: { readonly height: number; readonly at: Instant },
): Promise<void> {
  await tables(store)
    .updateTable('chain_sending')
    .set({
      raw,
      txid,
      nonce: BigInt(nonce),
      signed_height: BigInt(height),
      signing_at: BigInt(at),
    })
    .where('origin', '=', origin)
    .where('raw', 'is', null)
    .execute();
}

/** A signed payment whose network fee is not booked in the ledger. */
export interface PaymentWithoutFee {
  readonly origin: string;
  /** The payment's first signed transaction, and the nonce of all its transactions. */
  readonly raw: string;
  readonly nonce: number;
  /** Ids of all transactions of the payment, newest first; the chain executes at most one of them. */
  readonly txids: readonly string[];
}

/**
 * Lists signed payments of a network whose network fees are not booked in the ledger: payments of the hot
 * wallet in the order of their nonces, or payments of deposit addresses in the order in which they were
 * signed; at most `limit`.
 */
export async function paymentsWithoutFee(
  reader: Reader,
  network: string,
  { payer, limit }: { readonly payer: 'hot' | 'deposits'; readonly limit: number },
): Promise<PaymentWithoutFee[]> {
  const signed = tables(reader)
    .selectFrom('chain_sending')
    .select(['origin', 'raw', 'nonce', 'txid'])
    .where('network', '=', network)
    .where('txid', 'is not', null)
    .where('is_fee_booked', '=', false);
  const payments = await (
    payer === 'hot'
      ? signed.where('from_index', 'is', null).orderBy('nonce')
      : signed.where('from_index', 'is not', null).orderBy('signing_at')
  )
    .limit(limit)
    .execute();
  if (payments.length === 0) return [];
  const variants = await tables(reader)
    .selectFrom('chain_variant')
    .select(['origin', 'txid'])
    .where(
      'origin',
      'in',
      payments.map(({ origin }) => origin),
    )
    .orderBy('number', 'desc')
    .execute();
  return payments.map(({ origin, raw, nonce, txid }) => ({
    origin,
    raw: raw!,
    nonce: wholeNumber(nonce!),
    txids: [...variants.filter((variant) => variant.origin === origin).map((variant) => variant.txid), txid!],
  }));
}

export async function markFeeBooked(store: Store, origin: string): Promise<void> {
  await tables(store)
    .updateTable('chain_sending')
    .set({ is_fee_booked: true })
    .where('origin', '=', origin)
    .execute();
}

/**
 * Stores the fee of a payment in a coin that the exchange does not list, which the ledger therefore cannot book.
 * `paymentsWithoutFee` no longer returns the payment afterwards.
 */
export async function storeSpentFee(
  tx: Tx,
  { origin, network, amount }: Pick<NetworkFee, 'origin' | 'network' | 'amount'>,
  now: Instant,
): Promise<void> {
  await sql`
    insert into chain_spent_fee (origin, network, amount, at)
    values (${origin}, ${network}, ${amount.toString()}::numeric, ${now}::bigint) on conflict (origin) do nothing
  `.execute(tx);
  await markFeeBooked(tx, origin);
}

/**
 * Returns the total of the fees that a network's payments have cost in a coin that the exchange does not
 * list, in units of that coin, with decimals: of those recorded after `at`.
 */
export async function spentFeesSince(reader: Reader, network: string, at: Instant): Promise<Decimal> {
  const { rows } = await sql<{ total: string }>`
    select coalesce(sum(amount), 0)::text as total from chain_spent_fee
    where network = ${network} and at > ${at}::bigint
  `.execute(reader);
  return Decimal.parse(rows[0]!.total);
}

/**
 * Returns the next nonce of an account on a network, according to the database: one more than the highest
 * nonce that the hot wallet, or the deposit address with the index `fromIndex`, has used; 0 if it has used
 * none.
 */
export async function nextNonce(
  reader: Reader,
  network: string,
  fromIndex: number | undefined,
): Promise<number> {
  const { rows } = await sql<{ next: string }>`
    select coalesce(max(nonce) + 1, 0)::text as next from chain_sending
    where network = ${network} and coalesce(from_index, -1) = ${fromIndex ?? -1}
  `.execute(reader);
  return Number(rows[0]!.next);
}
