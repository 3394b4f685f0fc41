import { Decimal } from '@exchange/core/decimal.ts';
import { UTXO_DIGITS } from '@exchange/core/utxo-network.ts';
import type { Pool } from 'pg';
import type { Litecoind } from '../litecoind.ts';

/**
 * Steps of a child transaction, in their order. The exchange makes it to pay a higher fee for a stuck batch (child pays
 * for parent). The test kills the server when a child has reached a step.
 */
const CHILD_STEPS = ['stored', 'signed', 'sent', 'mined'] as const;
export type ChildStep = (typeof CHILD_STEPS)[number];

/**
 * Number of child transactions that have reached each step. `signed` and `sent` also count replacements, so a child
 * with several signed transactions counts several times.
 */
type ChildProgress = Readonly<Record<ChildStep, number>>;

/** Reads from the database how many child transactions of stuck batches have reached each step. */
export async function childProgress(pool: Pool): Promise<ChildProgress> {
  const { rows } = await pool.query<Record<ChildStep, number>>(
    `select count(distinct b.id)::int as stored, count(v.txid)::int as signed, count(v.sent_at)::int as sent,
       count(distinct b.id) filter (where o.spent_block is not null)::int as mined
     from utxo_batch b left join utxo_variant v on v.batch = b.id left join utxo_input i on i.batch = b.id
     left join utxo_output o on o.network = i.network and o.txid = i.txid and o.vout = i.vout
     where b.parent is not null`,
  );
  return rows[0]!;
}

/**
 * Returns the latest of the steps that more child transactions have reached in `now` than in `before`;
 * undefined if there is none.
 */
export function newestStep(before: ChildProgress, now: ChildProgress): ChildStep | undefined {
  return CHILD_STEPS.findLast((step) => now[step] > before[step]);
}

/** A transaction of the memory pool, with the ids of those of its parents that are in the pool too. */
interface Pooled {
  readonly txid: string;
  readonly parents: readonly string[];
  /** True for a transaction of the node's wallet, which pays the deposits. */
  readonly isOutside: boolean;
}

/** Returns the transactions of the node's memory pool, each after its parents. */
async function pooled(node: Litecoind): Promise<Pooled[]> {
  const entries = Object.entries(
    await node.rpc<Record<string, { readonly ancestorcount: number; readonly depends: string[] }>>(
      'getrawmempool',
      true,
    ),
  ).toSorted(([, left], [, right]) => left.ancestorcount - right.ancestorcount);
  const transactions: Pooled[] = [];
  for (const [txid, { depends: parents }] of entries) {
    const isOutside = await node.rpc<object>('gettransaction', txid).then(
      () => true,
      () => false,
    );
    transactions.push({ txid, parents, isOutside });
  }
  return transactions;
}

async function mineThese(node: Litecoind, transactions: readonly string[]): Promise<void> {
  await node.rpc('generateblock', await node.rpc('getnewaddress', '', 'bech32'), transactions);
}

/** Mines a block without the exchange's transactions, which stay in the node's memory pool. */
export async function mineOutside(node: Litecoind): Promise<void> {
  const outside = (await pooled(node)).filter(({ isOutside }) => isOutside);
  await mineThese(
    node,
    outside.map(({ txid }) => txid),
  );
}

/**
 * Mines a block with all transactions of the node's memory pool except those that spend outputs of the exchange's
 * transactions in the pool. These child transactions stay in the pool.
 */
export async function mineParents(node: Litecoind): Promise<void> {
  const transactions = await pooled(node);
  const exchanges = new Set(transactions.filter(({ isOutside }) => !isOutside).map(({ txid }) => txid));
  const isChild = ({ parents }: Pooled) => parents.some((parent) => exchanges.has(parent));
  await mineThese(
    node,
    transactions.filter((each) => !isChild(each)).map(({ txid }) => txid),
  );
}

/**
 * Mines a block with the transactions from outside and, for each unconfirmed batch with a child transaction, the
 * batch's newest transaction: a replacement that the node had refused. The batch's earlier transaction in the memory
 * pool and its child can then get into no block.
 */
export async function mineReplacements(node: Litecoind, pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ raw: string }>(
    `select distinct on (b.id) v.raw from utxo_batch b join utxo_variant v on v.batch = b.id
     where b.parent is null and b.mined_txid is null and exists (select from utxo_batch c where c.parent = b.id)
     order by b.id, v.number desc`,
  );
  const outside = (await pooled(node)).filter(({ isOutside }) => isOutside);
  await mineThese(node, [...outside.map(({ txid }) => txid), ...rows.map(({ raw }) => raw)]);
}

/**
 * Returns figures of the batches of a network after all of them are closed: the number of child transactions
 * (child pays for parent), how many of them were closed because a block contains another transaction of their
 * parent, and the sum of the booked fees in coins. `wrong` lists mined transactions whose fee is not booked
 * exactly once as signed, closed children whose fee was booked, and fees of unknown transactions.
 */
export async function childAccounts(pool: Pool, network: string) {
  const { rows } = await pool.query<{
    id: string;
    is_child: boolean;
    is_closed: boolean;
    txid: string;
    fee: string | null;
    booked: string[];
  }>(
    `select b.id::text as id, b.parent is not null as is_child, v.txid is null as is_closed, b.mined_txid as txid,
       v.fee::text as fee, array(select t.amount::text from treasury_payment t
         where t.kind = 'gas' and t.network = b.network and t.txid = b.mined_txid) as booked
     from utxo_batch b left join utxo_variant v on v.batch = b.id and b.mined_txid in (v.txid, v.mined_as)
     where b.network = $1`,
    [network],
  );
  const { rows: gas } = await pool.query<{ txid: string; amount: string }>(
    "select txid, amount::text as amount from treasury_payment where kind = 'gas' and network = $1",
    [network],
  );
  const mined = rows.filter((row) => !row.is_closed);
  const isBookedOnce = ({ fee, booked }: (typeof rows)[number]) =>
    booked.length === 1 && Decimal.parse(booked[0]!).equals(Decimal.ofScaled(BigInt(fee!), UTXO_DIGITS));
  const own = new Set(mined.map(({ txid }) => txid));
  return {
    children: rows.filter((row) => row.is_child).length,
    closed: rows.filter((row) => row.is_child && row.is_closed).length,
    booked: gas.reduce((sum, { amount }) => sum.plus(Decimal.parse(amount)), Decimal.zero),
    wrong: [
      ...mined.filter((row) => !isBookedOnce(row)),
      // Also wrong are a batch of payments that is closed without a mined transaction of its own, and a child
      // that was closed by a transaction that is not the exchange's.
      ...rows.filter((row) => row.is_closed && (!row.is_child || !own.has(row.txid))),
      ...gas.filter(({ txid }) => !own.has(txid)),
    ],
  };
}
