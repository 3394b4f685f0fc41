import type { Role } from '../../platform/console/operation.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable, type Updateable } from 'kysely';
import { readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import {
  tablesOf,
  type Database,
  type Reader,
  type Store,
  type Tx,
} from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { LIFETIMES } from './domain.ts';
import type { OperatorTables } from './tables.ts';

const WAITING_SHOWN = 500;
const DECIDED_SHOWN = 50;
const tables = tablesOf<OperatorTables>();
const toInstant = (value: bigint): Instant => instant(wholeNumber(value));

export type OperatorRow = Selectable<OperatorTables['operator']>;
export type ProposalRow = Selectable<OperatorTables['operator_proposal']>;

/** All operators, including disabled ones, ordered by name. */
export async function operatorRows(reader: Reader): Promise<OperatorRow[]> {
  return tables(reader).selectFrom('operator').selectAll().orderBy('name').execute();
}

export async function operatorRow(reader: Reader, name: string): Promise<OperatorRow | undefined> {
  return tables(reader).selectFrom('operator').selectAll().where('name', '=', name).executeTakeFirst();
}

export async function operatorBySetUp(reader: Reader, hash: Buffer): Promise<OperatorRow | undefined> {
  return tables(reader).selectFrom('operator').selectAll().where('set_up_hash', '=', hash).executeTakeFirst();
}

/**
 * True if an operator who is not disabled, other than `except`, has one of these roles and has signed in
 * before. With `orShutOut`, disabled operators count too.
 */
export async function hasOperator(
  reader: Reader,
  roles: readonly Role[],
  { except = '', orShutOut = false }: { readonly except?: string; readonly orShutOut?: boolean } = {},
): Promise<boolean> {
  const row = await tables(reader)
    .selectFrom('operator')
    .select('name')
    .where('confirmed_at', 'is not', null)
    .where('is_disabled', 'in', orShutOut ? [false, true] : [false])
    .where('name', '<>', except)
    .where(sql<boolean>`roles && ${roles}::text[]`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function changeOperator(
  store: Store,
  name: string,
  change: Updateable<OperatorTables['operator']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(store)
    .updateTable('operator')
    .set(change)
    .where('name', '=', name)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Marks an authenticator code as used by storing its time step. Returns false and stores nothing if this step or a
 * later one is stored already.
 */
export async function storeUsedStep(store: Store, name: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tables(store)
    .updateTable('operator')
    .set({ totp_step: BigInt(step) })
    .where('name', '=', name)
    .where((where) => where.or([where('totp_step', 'is', null), where('totp_step', '<', BigInt(step))]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Makes the last used authenticator code valid again: restores the time step `before`, unless a later step than `step`
 * was stored since.
 */
export async function restoreStep(
  store: Store,
  name: string,
  { step, before }: { readonly step: number; readonly before: number | undefined },
): Promise<void> {
  await tables(store)
    .updateTable('operator')
    .set({ totp_step: before === undefined ? null : BigInt(before) })
    .where('name', '=', name)
    .where('totp_step', '=', BigInt(step))
    .execute();
}

/** Inserts an operator. Returns false if the name is taken. */
export async function insertOperator(
  store: Store,
  row: Pick<OperatorRow, 'name' | 'roles' | 'created_at'> & Partial<OperatorRow>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(store)
    .insertInto('operator')
    .values({
      password_hash: null,
      totp: null,
      totp_step: null,
      set_up_hash: null,
      set_up_until: null,
      email: null,
      confirmed_at: null,
      is_disabled: false,
      ...row,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function insertSession(
  store: Store,
  session: { readonly hash: Buffer; readonly operator: string; readonly now: Instant },
): Promise<void> {
  const now = BigInt(session.now);
  const row = { token_hash: session.hash, operator: session.operator, created_at: now, used_at: now };
  await tables(store).insertInto('operator_session').values(row).execute();
}

export async function sessionRow(store: Store, hash: Buffer) {
  const row = await tables(store)
    .selectFrom('operator_session')
    .innerJoin('operator', 'operator.name', 'operator_session.operator')
    .select(['name', 'roles', 'is_disabled', 'operator_session.created_at', 'used_at'])
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { name, roles, is_disabled: isDisabled } = row;
  return { name, roles, isDisabled, createdAt: toInstant(row.created_at), usedAt: toInstant(row.used_at) };
}

export async function touchSession(store: Store, hash: Buffer, now: Instant): Promise<void> {
  await tables(store)
    .updateTable('operator_session')
    .set({ used_at: BigInt(now) })
    .where('token_hash', '=', hash)
    .execute();
}

export async function endSession(store: Store, hash: Buffer): Promise<void> {
  await tables(store).deleteFrom('operator_session').where('token_hash', '=', hash).execute();
}

export async function endSessionsOf(store: Store, operator: string): Promise<void> {
  await tables(store).deleteFrom('operator_session').where('operator', '=', operator).execute();
}

/** Deletes operators' sessions that began longer ago than the maximum lifetime of a session. */
export async function removeOldSessions(store: Store, now: Instant): Promise<void> {
  await tables(store)
    .deleteFrom('operator_session')
    .where('created_at', '<', BigInt(now - LIFETIMES.session))
    .execute();
}

/**
 * Stores a proposal. If the operator has an open proposal with the same operation, parameters, fields and evidence,
 * that one is returned instead. If only the evidence differs, the earlier proposal becomes `expired` and the new one is
 * stored.
 */
export async function insertProposal(
  database: Pick<Database, 'transaction'>,
  row: ProposalRow,
): Promise<ProposalRow> {
  return database.transaction(async (tx) => {
    await tables(tx)
      .updateTable('operator_proposal')
      .set({ state: 'expired' })
      .where('state', '=', 'open')
      .where('operator', '=', row.operator)
      .where('operation', '=', row.operation)
      .where('parameters', '=', row.parameters)
      .where('fields', '=', row.fields)
      .where('evidence_digest', 'is distinct from', row.evidence_digest)
      .execute();
    const added = await tables(tx)
      .insertInto('operator_proposal')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (added !== undefined) return added;
    return tables(tx)
      .selectFrom('operator_proposal')
      .selectAll()
      .where('state', '=', 'open')
      .where('operator', '=', row.operator)
      .where('operation', '=', row.operation)
      .where('parameters', '=', row.parameters)
      .where('fields', '=', row.fields)
      .executeTakeFirstOrThrow();
  });
}

export async function proposalRow(reader: Reader, id: string): Promise<ProposalRow | undefined> {
  return tables(reader).selectFrom('operator_proposal').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Open and running proposals, oldest first, then the others, the latest proposed first; at most 500 and 50. `total` is
 * the number of all open and running proposals plus the others returned.
 */
export async function proposalRows(reader: Reader): Promise<BoundedRows<ProposalRow>> {
  const proposals = tables(reader).selectFrom('operator_proposal').selectAll();
  const waiting = await readBounded(
    reader,
    proposals.where('state', 'in', ['open', 'running']).orderBy('created_at'),
    WAITING_SHOWN,
  );
  const decided = await readBounded(
    reader,
    proposals.where('state', 'not in', ['open', 'running']).orderBy('created_at', 'desc'),
    DECIDED_SHOWN,
  );
  return {
    list: [...waiting.list, ...decided.list],
    total: waiting.total + decided.list.length,
    hasMore: waiting.hasMore,
  };
}

/** Changes a proposal's state. Returns false if it was not in state `from`. */
export async function changeProposalState(
  store: Store,
  { id, from }: { readonly id: string; readonly from: ProposalRow['state'] },
  change: Updateable<OperatorTables['operator_proposal']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(store)
    .updateTable('operator_proposal')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Marks open proposals whose lifetime has ended as expired. */
export async function expireProposals(store: Store, now: Instant): Promise<void> {
  await tables(store)
    .updateTable('operator_proposal')
    .set({ state: 'expired' })
    .where('state', '=', 'open')
    .where('expires_at', '<=', BigInt(now))
    .execute();
}

/**
 * Marks proposals that were running when the server stopped as interrupted, because it is unknown whether their
 * operations took effect.
 */
export async function interruptProposals(store: Store): Promise<void> {
  await tables(store)
    .updateTable('operator_proposal')
    .set({ state: 'interrupted' })
    .where('state', '=', 'running')
    .execute();
}

export type AuditRow = Selectable<OperatorTables['operator_audit']>;

/**
 * The last row of the audit log, locked against concurrent appends until the transaction ends; undefined if the
 * log is empty.
 */
export async function lastAudit(tx: Tx): Promise<{ sequence: number; hash: Buffer } | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('operator audit', 0))`.execute(tx);
  const row = await tables(tx)
    .selectFrom('operator_audit')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { sequence: wholeNumber(row.sequence), hash: row.hash };
}

export async function insertAudit(tx: Tx, row: AuditRow): Promise<void> {
  await tables(tx).insertInto('operator_audit').values(row).execute();
}

/** Audit log filter; undefined fields match everything. */
export interface AuditFilter {
  readonly operator?: string | undefined;
  /** Action as logged: `POST /ops/…`. */
  readonly action?: string | undefined;
  /** Restricts the audit rows to those with one of these actions. */
  readonly actions?: readonly string[] | undefined;
  readonly events?: readonly string[] | undefined;
  /**
   * Restricts the audit rows to those whose first path parameter has one of these values. The order of the
   * parameters is that of PostgreSQL's jsonb: shorter names first, names of equal length alphabetically.
   */
  readonly subjects?: readonly string[] | undefined;
  /** If true, the audit rows about reads (event `seen`) are left out. */
  readonly isChange?: boolean | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * The newest audit log rows that match the filter and have a lower sequence number than `before`, at most `limit`,
 * newest first.
 */
export async function auditRows(
  reader: Reader,
  { before, limit, ...filter }: AuditFilter & { readonly before: number; readonly limit: number },
): Promise<AuditRow[]> {
  const { operator, action, actions, events, subjects, isChange, from, to } = filter;
  let query = tables(reader).selectFrom('operator_audit').selectAll().where('sequence', '<', BigInt(before));
  if (operator !== undefined) query = query.where('operator', '=', operator);
  if (action !== undefined) query = query.where('action', '=', action);
  if (actions !== undefined) query = query.where(sql<boolean>`action = any(${actions}::text[])`);
  if (events !== undefined) query = query.where(sql<boolean>`event = any(${events}::text[])`);
  if (subjects !== undefined)
    query = query.where(
      sql<boolean>`(jsonb_path_query_first(parameters::jsonb, '$.*') #>> '{}') = any(${subjects}::text[])`,
    );
  if (isChange === true) query = query.where('event', '<>', 'seen');
  if (from !== undefined) query = query.where('at', '>=', BigInt(from));
  if (to !== undefined) query = query.where('at', '<=', BigInt(to));
  return query.orderBy('sequence', 'desc').limit(limit).execute();
}

/** Audit log rows with a higher sequence number than `after`, oldest first, at most `limit`. */
export async function auditAfter(reader: Reader, after: number, limit: number): Promise<AuditRow[]> {
  return tables(reader)
    .selectFrom('operator_audit')
    .selectAll()
    .where('sequence', '>', BigInt(after))
    .orderBy('sequence')
    .limit(limit)
    .execute();
}

interface ClaimRow {
  readonly queue: string;
  readonly record: string;
  readonly operator: string;
  readonly until: number;
}

/**
 * Stores an operator's claim of a queue row; also deletes the expired claims of all rows. Returns false if another
 * operator has claimed the row, unless `isAssigned` is true: the claim then replaces the other one.
 */
export async function claimRow(
  store: Store,
  { queue, record, operator, until }: ClaimRow,
  { now, isAssigned }: { readonly now: Instant; readonly isAssigned: boolean },
): Promise<boolean> {
  await tables(store).deleteFrom('operator_claim').where('until', '<=', BigInt(now)).execute();
  const { rows } = await sql`
    insert into operator_claim (queue, record, operator, until)
    values (${queue}, ${record}::uuid, ${operator}, ${until}::bigint)
    on conflict (queue, record) do update set operator = excluded.operator, until = excluded.until
      where ${isAssigned} or operator_claim.operator = excluded.operator or operator_claim.until <= ${now}::bigint
    returning operator
  `.execute(store);
  return rows.length > 0;
}

export async function releaseClaim(
  store: Store,
  { queue, record, operator }: Omit<ClaimRow, 'until'>,
): Promise<void> {
  await tables(store)
    .deleteFrom('operator_claim')
    .where('queue', '=', queue)
    .where('record', '=', record)
    .where('operator', '=', operator)
    .execute();
}

/** Unexpired claims of the rows `records` of a queue, by the id of the row; rows without one are missing. */
export async function claimsOf(
  reader: Reader,
  {
    queue,
    records,
    now,
  }: { readonly queue: string; readonly records: readonly string[]; readonly now: Instant },
): Promise<ReadonlyMap<string, { readonly operator: string; readonly until: number }>> {
  if (records.length === 0) return new Map();
  const rows = await tables(reader)
    .selectFrom('operator_claim')
    .select(['record', 'operator', 'until'])
    .where('queue', '=', queue)
    .where(sql<boolean>`record = any(${records}::uuid[])`)
    .where('until', '>', BigInt(now))
    .execute();
  return new Map(rows.map(({ record, operator, until }) => [record, { operator, until: Number(until) }]));
}
