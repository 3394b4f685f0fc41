import { Decimal } from '@exchange/core/decimal.ts';
import type { ProofReason } from '@exchange/core/deposit-proof.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { tablesOf, type Reader, type Tx } from '../../platform/database/database.ts';
import {
  type AskedPage,
  BY_ID,
  type ListPage,
  mapPage,
  readPage,
  rowsOfPage,
} from '../../platform/database/paged-rows.ts';
import { trackedRows, type TransferNames } from '../../platform/database/tracked-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { DepositTables } from './tables.ts';

const tables = tablesOf<DepositTables>();

/** A deposit that a user reported, with a picture as proof. */
export interface Proof {
  readonly id: string;
  readonly owner: UserId;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly amount: Decimal;
  readonly remark: string;
  /** File id of the uploaded picture. */
  readonly picture: string;
  readonly status: 0 | 1 | 2 | 3;
  readonly reason: ProofReason | undefined;
  readonly credited: Decimal | undefined;
  readonly createdAt: Instant;
  readonly decidedAt: Instant | undefined;
}

/** Makes other transactions that submit a report of the same user wait until this transaction ends. */
export async function lockReporter(tx: Tx, owner: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`deposit proof ${owner}`}, 0))`.execute(tx);
}

export async function proofByKey(tx: Tx, owner: UserId, key: string): Promise<Proof | undefined> {
  const row = await tables(tx)
    .selectFrom('deposit_proof')
    .selectAll()
    .where('owner', '=', owner)
    .where('request_key', '=', key)
    .executeTakeFirst();
  return row && proofOf(row);
}

export async function pendingProofsOf(tx: Tx, owner: UserId): Promise<number> {
  const { n } = await tables(tx)
    .selectFrom('deposit_proof')
    .select(({ fn }) => fn.countAll<bigint>().as('n'))
    .where('owner', '=', owner)
    .where('status', '=', 0)
    .executeTakeFirstOrThrow();
  return wholeNumber(n);
}

export async function insertProof(
  tx: Tx,
  proof: Omit<Proof, 'status' | 'reason' | 'credited' | 'decidedAt'>,
  key: string | undefined,
): Promise<void> {
  const { id, owner, asset, network, address, remark, picture } = proof;
  await tables(tx)
    .insertInto('deposit_proof')
    .values({
      id,
      owner,
      request_key: key ?? null,
      asset,
      network,
      address,
      remark,
      picture,
      amount: proof.amount.toString(),
      status: 0,
      reason: null,
      credited: null,
      created_at: BigInt(proof.createdAt),
      decided_at: null,
      decided_by: null,
    })
    .execute();
}

/**
 * Marks a pending report as credited and returns `now`. Changes nothing and returns `before` if the report was decided
 * already, `unknown` if it does not exist, as in a replay.
 */
export async function creditProof(
  reader: Reader,
  id: string,
  { amount, by, now }: { readonly amount: Decimal; readonly by: string; readonly now: Instant },
): Promise<'now' | 'before' | 'unknown'> {
  const { rows } = await sql`
    update deposit_proof set status = 1, credited = ${amount.toString()}::numeric, decided_at = ${now}::bigint,
      decided_by = ${by} where id = ${id} and status = 0 returning id`.execute(reader);
  if (rows.length > 0) return 'now';
  return (await findProof(reader, id)) === undefined ? 'unknown' : 'before';
}

/**
 * Rejects a pending report, or marks it as withdrawn by its owner if `reason` is undefined; returns the report in its
 * new state. Returns undefined, and changes nothing, if the report is not pending.
 */
export async function closeProof(
  tx: Tx,
  id: string,
  {
    reason,
    by,
    now,
  }: { readonly reason: ProofReason | undefined; readonly by: string; readonly now: Instant },
): Promise<Proof | undefined> {
  const row = await tables(tx)
    .updateTable('deposit_proof')
    .set({
      status: reason === undefined ? 3 : 2,
      reason: reason ?? null,
      decided_at: BigInt(now),
      decided_by: by,
    })
    .where('id', '=', id)
    .where('status', '=', 0)
    .returningAll()
    .executeTakeFirst();
  return row && proofOf(row);
}

export async function findProof(reader: Reader, id: string): Promise<Proof | undefined> {
  const row = await tables(reader)
    .selectFrom('deposit_proof')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && proofOf(row);
}

/** Reports that wait for a decision: the `limit` oldest ones, oldest first, and their total number. */
export async function waitingProofs(reader: Reader, limit: number): Promise<BoundedRows<Proof>> {
  const waiting = tables(reader)
    .selectFrom('deposit_proof')
    .selectAll()
    .where('status', '=', 0)
    .orderBy('id');
  return mapBounded(await readBounded(reader, waiting, limit), proofOf);
}

/**
 * An owner's reports of deposits that `names` selects, newest first, at most `limit`: all undecided ones, those of the
 * newest 500 with a matching reported or credited amount, or the one with a matching id.
 */
export async function namedProofs(
  reader: Reader,
  owner: UserId,
  names: TransferNames,
  limit: number,
): Promise<Proof[]> {
  const isNamed = trackedRows('deposit_proof', owner, names, {
    open: sql`status = 0`,
    amounts: [sql`amount`, sql`coalesce(credited, amount)`],
    transaction: undefined,
  });
  const rows = await tables(reader)
    .selectFrom('deposit_proof')
    .selectAll()
    .where(isNamed)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(proofOf);
}

export async function proofsOf(reader: Reader, owner: UserId, page: AskedPage): Promise<ListPage<Proof>> {
  const ownProofs = tables(reader).selectFrom('deposit_proof').where('owner', '=', owner).selectAll();
  return mapPage(await readPage(reader, ownProofs, BY_ID, rowsOfPage(page)), proofOf);
}

function proofOf(row: Selectable<DepositTables['deposit_proof']>): Proof {
  return {
    id: row.id,
    owner: row.owner as UserId,
    asset: row.asset,
    network: row.network,
    address: row.address,
    amount: Decimal.parse(row.amount),
    remark: row.remark,
    picture: row.picture,

    status: row.status as Proof['status'],
    reason: (row.reason ?? undefined) as ProofReason | undefined,
    credited: row.credited === null ? undefined : Decimal.parse(row.credited),
    createdAt: instant(wholeNumber(row.created_at)),
    decidedAt: row.decided_at === null ? undefined : instant(wholeNumber(row.decided_at)),
  };
}
