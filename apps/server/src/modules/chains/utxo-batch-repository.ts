import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import type { BatchInput, BatchPayment, BatchVariant } from '../../platform/signer/utxo-protocol.ts';
import type { SendingStage } from './domain.ts';
import type { Outpoint } from './utxo-domain.ts';

/**
 * A batch on a chain of the Bitcoin family: payments that are made by one transaction, or a child, which
 * makes no payment. If several transactions are signed for it, blocks contain at most one of them.
 */

export interface UtxoBatch {
  readonly id: string;
  /** Id of the batch whose change a child spends; undefined for a batch of payments. */
  readonly parent: string | undefined;
  /** Fee of the batch's first transaction, in the smallest unit of the coin. */
  readonly fee: bigint;
  readonly createdAt: Instant;
  /** The final transaction that spent the batch's inputs; undefined until such a transaction is final. */
  readonly mined: { readonly txid: string; readonly block: number } | undefined;
}

/** A signed transaction of a batch. */
export interface UtxoVariant {
  readonly number: number;
  readonly txid: string;
  readonly raw: string;
  readonly fee: bigint;
  readonly vbytes: number;
  /** Origins (idempotency keys) of the batch's payments that this transaction does not make. */
  readonly without: readonly string[];
  readonly height: number;
  readonly at: Instant;
  readonly isSent: boolean;
  /** The id under which a block contains the transaction, if it differs from `txid`; undefined otherwise. */
  readonly minedAs: string | undefined;
}

/** A batch that has no final transaction yet, with its signed transactions, oldest first. */
export interface OpenBatch extends UtxoBatch {
  readonly variants: readonly UtxoVariant[];
  /**
   * The transaction in a block that spent one of the batch's inputs, whether final or not; undefined while no block
   * contains one.
   */
  readonly spender: { readonly txid: string; readonly block: number } | undefined;
}

interface BatchRow {
  readonly id: string;
  readonly parent: string | null;
  readonly fee: string;
  readonly created_at: string;
  readonly mined_txid: string | null;
  readonly mined_block: string | null;
}

const batchOf = (row: BatchRow): UtxoBatch => ({
  id: row.id,
  parent: row.parent ?? undefined,
  fee: BigInt(row.fee),
  createdAt: instant(Number(row.created_at)),
  mined: row.mined_txid === null ? undefined : { txid: row.mined_txid, block: Number(row.mined_block) },
});

/**
 * Stores a batch before its signature is requested. Throws if one of the payments or outputs belongs to another batch
 * already.
 */
export async function insertBatch(
  tx: Tx,
  {
    id,
    network,
    parent,
    fee,
    now,
    inputs,
    payments,
  }: {
    readonly id: string;
    readonly network: string;
    /** Id of the batch whose change a child spends; undefined for a batch of payments. */
    readonly parent?: string | undefined;
    readonly fee: bigint;
    readonly now: Instant;
    readonly inputs: readonly BatchInput[];
    readonly payments: readonly BatchPayment[];
  },
): Promise<void> {
  await sql`
    insert into utxo_batch (id, network, parent, fee, created_at)
    values (${id}::uuid, ${network}, ${parent ?? null}::uuid, ${fee.toString()}::numeric, ${now}::bigint)
  `.execute(tx);
  await sql`
    insert into utxo_input (network, txid, vout, batch, place, units, branch, idx, address)
    select ${network}, txid, vout, ${id}::uuid, place - 1, units, branch, idx, address from unnest(
      ${inputs.map(({ txid }) => txid)}::text[], ${inputs.map(({ vout }) => vout)}::integer[],
      ${inputs.map(({ units }) => units)}::numeric[], ${inputs.map(({ branch }) => branch)}::smallint[],
      ${inputs.map(({ index }) => index)}::integer[], ${inputs.map(({ address }) => address)}::text[]
    ) with ordinality as input(txid, vout, units, branch, idx, address, place)
  `.execute(tx);
  const owners = payments.map((payment) => (payment.kind === 'pay' ? payment.owner : null));
  await sql`
    insert into utxo_payment (origin, batch, place, kind, owner, address, units, digest, approved_by)
    select origin, ${id}::uuid, place - 1, kind, owner, address, units, digest, approved_by from unnest(
      ${payments.map(({ origin }) => origin)}::text[], ${payments.map(({ kind }) => kind)}::text[],
      ${owners}::text[], ${payments.map(({ address }) => address)}::text[],
      ${payments.map(({ units }) => units)}::numeric[], ${payments.map(({ digest }) => digest)}::text[],
      ${payments.map(({ approvedBy }) => approvedBy)}::text[]
    ) with ordinality as payment(origin, kind, owner, address, units, digest, approved_by, place)
  `.execute(tx);
}

/**
 * Deletes a planned batch, so that its payments and outputs can be used in other batches; does nothing if the batch has
 * signed transactions.
 */
export async function deletePlan(store: Store, id: string): Promise<void> {
  await sql`
    delete from utxo_batch where id = ${id}::uuid and not exists (select from utxo_variant where batch = ${id}::uuid)
  `.execute(store);
}

export async function batchInputs(reader: Reader, id: string): Promise<BatchInput[]> {
  const { rows } = await sql<BatchInput>`
    select txid, vout, units::text as units, branch::int as branch, idx as index, address
    from utxo_input where batch = ${id}::uuid order by place
  `.execute(reader);
  return rows;
}

export async function batchPayments(reader: Reader, id: string): Promise<BatchPayment[]> {
  const { rows } = await sql<{
    kind: 'pay' | 'cold';
    origin: string;
    owner: string | null;
    address: string;
    units: string;
    digest: string;
    approvedBy: string;
  }>`
    select kind, origin, owner, address, units::text as units, digest, approved_by as "approvedBy"
    from utxo_payment where batch = ${id}::uuid order by place
  `.execute(reader);
  return rows.map(({ kind, owner, ...fields }) =>
    kind === 'cold' ? { kind, ...fields } : { kind, owner: owner!, ...fields },
  );
}

/**
 * Finds the payment with this origin (idempotency key), and the id of its batch; undefined if no batch
 * contains it.
 */
export async function findPayment(reader: Reader, origin: string) {
  const { rows } = await sql<{ batch: string; address: string; units: string; is_known: boolean }>`
    select batch::text as batch, address, units::text as units, is_known from utxo_payment where origin = ${origin}
  `.execute(reader);
  const [row] = rows;
  return row && { batch: row.batch, address: row.address, units: BigInt(row.units), isKnown: row.is_known };
}

/** Records that the status of a signed payment was read from the chain, so that it no longer counts as unanswered. */
export async function markKnown(store: Store, origin: string): Promise<void> {
  await sql`update utxo_payment set is_known = true where origin = ${origin} and not is_known`.execute(store);
}

/**
 * Lists the origins (idempotency keys) of signed payments of a network whose status was not read from the
 * chain since they were signed (see `Channel.unanswered`), at most `limit`.
 */
export async function unknownPayments(reader: Reader, network: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ origin: string }>`
    select p.origin from utxo_payment p join utxo_batch b on b.id = p.batch
    where not p.is_known and b.network = ${network}
      and exists (select from utxo_variant v where v.batch = b.id)
    order by b.id, p.place limit ${limit}
  `.execute(reader);
  return rows.map(({ origin }) => origin);
}

/**
 * Returns the batch with this id, its signed transactions, and the transaction in a block that spent one of
 * its inputs; undefined if no batch has this id.
 */
export async function readBatch(reader: Reader, id: string): Promise<OpenBatch | undefined> {
  const { rows } = await sql<BatchRow>`
    select id::text as id, parent::text as parent, fee::text as fee, created_at::text as created_at, mined_txid,
      mined_block::text as mined_block
    from utxo_batch where id = ${id}::uuid
  `.execute(reader);
  const [row] = rows;
  if (row === undefined) return undefined;
  const batch = batchOf(row);
  const variants = await variantsOf(reader, id);
  return { ...batch, variants, spender: batch.mined ?? (await spenderOf(reader, id)) };
}

async function variantsOf(reader: Reader, id: string): Promise<UtxoVariant[]> {
  const { rows } = await sql<{
    number: number;
    txid: string;
    raw: string;
    fee: string;
    vbytes: number;
    without: string[];
    height: string;
    at: string;
    is_sent: boolean;
    mined_as: string | null;
  }>`
    select number, txid, raw, fee::text as fee, vbytes, without, height::text as height, at::text as at,
      sent_at is not null as is_sent, mined_as
    from utxo_variant where batch = ${id}::uuid order by number
  `.execute(reader);
  return rows.map(({ fee, height, at, is_sent: isSent, mined_as: minedAs, ...fields }) => ({
    ...fields,
    fee: BigInt(fee),
    height: Number(height),
    at: instant(Number(at)),
    isSent,
    minedAs: minedAs ?? undefined,
  }));
}

async function spenderOf(reader: Reader, id: string) {
  const { rows } = await sql<{ txid: string; block: string }>`
    select o.spent_txid as txid, o.spent_block::text as block from utxo_input i
    join utxo_output o on o.network = i.network and o.txid = i.txid and o.vout = i.vout
    where i.batch = ${id}::uuid and o.spent_block is not null order by o.spent_block limit 1
  `.execute(reader);
  const [row] = rows;
  return row && { txid: row.txid, block: Number(row.block) };
}

/**
 * True if an output that a batch spends is not among the stored outputs. Outputs are deleted some time after they were
 * spent, and with blocks that the chain has dropped.
 */
export async function hasUnknownInputs(reader: Reader, id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from utxo_input i where i.batch = ${id}::uuid and not exists (
      select from utxo_output o where o.network = i.network and o.txid = i.txid and o.vout = i.vout
    ) limit 1
  `.execute(reader);
  return rows.length > 0;
}

/**
 * Returns the ids of a network's batches that have no final transaction, oldest first, starting after the
 * batch `after`, at most `limit`.
 */
export async function openBatches(
  reader: Reader,
  network: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from utxo_batch
    where network = ${network} and mined_txid is null and (${after ?? null}::uuid is null or id > ${after ?? null}::uuid)
    order by id limit ${limit}
  `.execute(reader);
  return rows.map(({ id }) => id);
}

/**
 * Returns the ids of the planned batches of a network, for which the signer has not returned a transaction
 * yet.
 */
export async function plannedBatches(reader: Reader, network: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from utxo_batch b where network = ${network} and mined_txid is null
      and not exists (select from utxo_variant v where v.batch = b.id) order by id
  `.execute(reader);
  return rows.map(({ id }) => id);
}

/**
 * Returns the time at which the newest batch of payments of a network was planned; undefined before the
 * first.
 */
export async function newestBatchAt(reader: Reader, network: string): Promise<Instant | undefined> {
  const { rows } = await sql<{ at: string }>`
    select created_at::text as at from utxo_batch where network = ${network} and parent is null order by id desc
    limit 1
  `.execute(reader);
  return rows[0] && instant(Number(rows[0].at));
}

/**
 * Stores the signed transactions of a batch; those that are already stored stay unchanged. `variants` are all of the
 * batch, oldest first.
 */
export async function storeVariants(
  store: Store,
  id: string,
  variants: readonly (BatchVariant & { readonly txid: string; readonly vbytes: number })[],
  { height, at }: { readonly height: number; readonly at: Instant },
): Promise<void> {
  for (const [number, { txid, raw, fee, vbytes, without }] of variants.entries())
    await sql`
      insert into utxo_variant (batch, number, txid, raw, fee, vbytes, without, height, at)
      values (${id}::uuid, ${number}, ${txid}, ${raw}, ${fee}::numeric, ${vbytes}, ${without}::text[],
        ${height}::bigint, ${at}::bigint)
      on conflict (batch, number) do nothing
    `.execute(store);
}

/** Records the time at which a node first had the transaction with this id; later calls change nothing. */
export async function markVariantSent(store: Store, txid: string, now: Instant): Promise<void> {
  await sql`
    update utxo_variant set sent_at = ${now}::bigint where txid = ${txid} and sent_at is null
  `.execute(store);
}

/** Records the id under which a block contains a transaction of a batch that was signed with another id. */
export async function markVariantMinedAs(
  store: Store,
  batch: string,
  { number, minedAs }: { readonly number: number; readonly minedAs: string },
): Promise<void> {
  await sql`
    update utxo_variant set mined_as = ${minedAs} where batch = ${batch}::uuid and number = ${number}
  `.execute(store);
}

/** Closes a batch: records the final transaction that spent its inputs. Does nothing if the batch is closed already. */
export async function closeBatch(
  store: Store,
  id: string,
  { txid, block }: { readonly txid: string; readonly block: number },
): Promise<void> {
  await sql`
    update utxo_batch set mined_txid = ${txid}, mined_block = ${block}::bigint
    where id = ${id}::uuid and mined_txid is null
  `.execute(store);
}

/**
 * Lists closed batches of a network whose fee is not booked in the ledger, oldest first, at most `limit`.
 * `fee` is that of the mined transaction in the smallest unit; undefined for a batch whose inputs were spent
 * by a transaction that was not signed for it.
 */
export async function batchesWithoutFee(reader: Reader, network: string, limit: number) {
  const { rows } = await sql<{ id: string; txid: string; fee: string | null }>`
    select b.id::text as id, b.mined_txid as txid, v.fee::text as fee from utxo_batch b
    left join utxo_variant v on v.batch = b.id and b.mined_txid in (v.txid, v.mined_as)
    where b.network = ${network} and b.mined_txid is not null and not b.is_fee_booked order by b.id limit ${limit}
  `.execute(reader);
  return rows.map(({ id, txid, fee }) => ({ id, txid, fee: fee === null ? undefined : BigInt(fee) }));
}

export async function markBatchFeeBooked(store: Store, id: string): Promise<void> {
  await sql`update utxo_batch set is_fee_booked = true where id = ${id}::uuid`.execute(store);
}

/**
 * Returns how far each of the given payments has come, by origin (idempotency key): `signing` while its batch
 * is only planned. Payments that are in no batch are left out.
 */
export async function batchStages(
  reader: Reader,
  origins: readonly string[],
): Promise<ReadonlyMap<string, SendingStage>> {
  const { rows } = await sql<{ origin: string; stage: SendingStage }>`
    select p.origin, case when bool_or(v.sent_at is not null) then 'sent' when count(v.txid) > 0 then 'signed'
      else 'signing' end as stage
    from utxo_payment p left join utxo_variant v on v.batch = p.batch
    where p.origin = any(${origins}::text[]) group by p.origin
  `.execute(reader);
  return new Map(rows.map(({ origin, stage }) => [origin, stage]));
}

/** An unspent output of the wallet account (deposit addresses and own addresses) that a batch may spend. */
export interface SpendableOutput extends Outpoint {
  readonly units: bigint;
  readonly branch: 0 | 1;
  readonly index: number;
  readonly address: string;
}

/**
 * Lists unspent outputs of the wallet account (deposit addresses and own addresses) that are not dust, that
 * no stored batch spends, and that the next block may spend; the largest or the smallest first. Deposits must
 * be in a block up to `depositsUntil`, outputs at the exchange's own addresses in a block up to
 * `changeUntil`.
 */
export async function spendableOutputs(
  reader: Reader,
  network: string,
  {
    order,
    height,
    depositsUntil,
    changeUntil,
    limit,
  }: {
    readonly order: 'largest' | 'smallest';
    readonly height: number;
    /** Number of the newest block whose deposits may be spent. */
    readonly depositsUntil: number;
    /** Number of the newest block whose outputs at the exchange's own addresses may be spent. */
    readonly changeUntil: number;
    readonly limit: number;
  },
): Promise<SpendableOutput[]> {
  const direction = order === 'largest' ? sql`desc` : sql`asc`;
  const { rows } = await sql<{
    txid: string;
    vout: number;
    units: string;
    branch: 0 | 1;
    index: number;
    address: string;
  }>`
    select o.txid, o.vout, o.units::text as units, case o.holder when 'own' then 1 else 0 end as branch,
      o.idx as index, o.address
    from utxo_output o
    where o.network = ${network} and o.spent_block is null and o.holder <> 'reserve' and not o.is_dust
      and o.spendable_from <= ${height + 1}::bigint
      and o.block <= case o.holder when 'own' then ${changeUntil}::bigint else ${depositsUntil}::bigint end
      and not exists (select from utxo_input i where i.network = o.network and i.txid = o.txid and i.vout = o.vout)
    order by o.units ${direction} limit ${limit}
  `.execute(reader);
  return rows.map(({ units, ...output }) => ({ ...output, units: BigInt(units) }));
}

/**
 * Returns the ids of transactions in blocks that have an unspent output at the exchange's own addresses with
 * one of these amounts, at most `limit`.
 */
export async function ownTransactions(
  reader: Reader,
  network: string,
  { amounts, limit }: { readonly amounts: readonly bigint[]; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ txid: string }>`
    select txid from utxo_output
    where network = ${network} and spent_block is null and holder = 'own'
      and units = any(${amounts.map(String)}::numeric[])
    order by block desc limit ${limit}
  `.execute(reader);
  return rows.map(({ txid }) => txid);
}
