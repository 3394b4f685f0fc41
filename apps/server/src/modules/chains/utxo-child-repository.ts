import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { mapBounded, readBoundedText, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Outpoint } from './utxo-domain.ts';

/**
 * Returns the child transactions of a batch (each spends its change and raises its effective fee), oldest
 * first, including those that are stored but not signed yet: the id of each, and the id of the transaction
 * whose change it spends.
 */
export async function childrenOf(
  reader: Reader,
  parent: string,
): Promise<{ readonly id: string; readonly spends: string }[]> {
  const { rows } = await sql<{ id: string; spends: string }>`
    select b.id::text as id, i.txid as spends from utxo_batch b join utxo_input i on i.batch = b.id
    where b.parent = ${parent}::uuid order by b.id
  `.execute(reader);
  return rows;
}

/**
 * Returns the number of direct and indirect child transactions of a batch of payments; `batch` is that batch
 * or one of its children.
 */
export async function countFamily(reader: Reader, batch: string): Promise<number> {
  const { rows } = await sql<{ children: number }>`
    with recursive above as (
      select id, parent from utxo_batch where id = ${batch}::uuid
      union all select b.id, b.parent from utxo_batch b join above on b.id = above.parent
    ), below as (
      select id from above where parent is null
      union all select b.id from utxo_batch b join below on b.parent = below.id
    )
    select count(*)::int - 1 as children from below
  `.execute(reader);
  return rows[0]!.children;
}

/** True if a stored batch, planned or signed, spends the output. */
export async function isInBatch(reader: Reader, network: string, { txid, vout }: Outpoint): Promise<boolean> {
  const { rows } = await sql`
    select 1 from utxo_input where network = ${network} and txid = ${txid} and vout = ${vout}
  `.execute(reader);
  return rows.length > 0;
}

/**
 * True if a transaction in a block spends the change of the transaction `txid` and is not stored among the signed
 * transactions, for example a child that was signed after the backup from which the database was restored.
 */
export async function isChangeSpentUnknown(reader: Reader, network: string, txid: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from utxo_output o where o.network = ${network} and o.txid = ${txid} and o.holder = 'own'
      and o.spent_txid is not null and not exists (select from utxo_variant v where v.txid = o.spent_txid)
  `.execute(reader);
  return rows.length > 0;
}

/** A child transaction (see `ChainChild`) of which no version is final yet. */
export interface OpenChild {
  readonly id: string;
  readonly parent: string;
  /** Id of the transaction of the parent batch whose change the child spends. */
  readonly spends: string;
  readonly createdAt: Instant;
  /**
   * Id of the child's newest version that a node accepted or, if none was accepted, of its newest signed version;
   * undefined while none is signed.
   */
  readonly txid: string | undefined;
  /** Fee of the version `txid`, or the planned fee while none is signed, in the smallest unit of the coin. */
  readonly fee: bigint;
  /** Number of signed versions of the child; each has a higher fee than the one before. */
  readonly transactions: number;
  /** True if a block contains a version of the child or another transaction that spends the child's input. */
  readonly isMined: boolean;
  /** True if a node has accepted a version of the child. */
  readonly isSent: boolean;
}

/**
 * Returns the child transactions on a network of which no version is final: the `limit` oldest ones, oldest
 * first, and their total number.
 */
export async function openChildren(
  reader: Reader,
  network: string,
  limit: number,
): Promise<BoundedRows<OpenChild>> {
  const rows = await readBoundedText(
    reader,
    sql<{
      id: string;
      parent: string;
      spends: string;
      created_at: string;
      txid: string | null;
      fee: string;
      transactions: number;
      is_mined: boolean;
      is_sent: boolean;
    }>`
      select b.id::text as id, b.parent::text as parent, i.txid as spends, b.created_at::text as created_at,
        newest.txid, coalesce(newest.fee, b.fee)::text as fee,
        (select count(*)::int from utxo_variant v where v.batch = b.id) as transactions,
        exists (select from utxo_output o where o.network = i.network and o.txid = i.txid and o.vout = i.vout
          and o.spent_block is not null) as is_mined,
        exists (select from utxo_variant v where v.batch = b.id and v.sent_at is not null) as is_sent
      from utxo_batch b join utxo_input i on i.batch = b.id
      left join lateral (
        select v.txid, v.fee from utxo_variant v where v.batch = b.id
        order by (v.sent_at is not null) desc, v.number desc limit 1
      ) newest on true
      where b.network = ${network} and b.mined_txid is null and b.parent is not null order by b.id`,
    limit,
  );
  return mapBounded(rows, (row) => ({
    id: row.id,
    parent: row.parent,
    spends: row.spends,
    createdAt: instant(Number(row.created_at)),
    txid: row.txid ?? undefined,
    fee: BigInt(row.fee),
    transactions: row.transactions,
    isMined: row.is_mined,
    isSent: row.is_sent,
  }));
}
