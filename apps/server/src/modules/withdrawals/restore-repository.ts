import { sql } from 'kysely';
import type { Store } from '../../platform/database/database.ts';

/** A payment that the signer has signed. `amount` in units of the asset. */
export interface SignedPayment {
  readonly origin: string;
  readonly asset: string;
  readonly amount: string;
  readonly address: string;
  /** Name of the chain: `eip155:` and the id of an EVM chain, or the code of the network. */
  readonly chain: string;
  readonly txid: string;
  /** Whether the transaction takes the place of the payment and does not pay it. */
  readonly isVoid: boolean;
  /**
   * The last block that can contain the transaction: the number of a ledger (XRP Ledger) or the time of a block in milliseconds
   * UTC (TRON); undefined if the transaction does not expire.
   */
  readonly lastValid: number | undefined;
}

/**
 * State of a signed transaction on its chain. `waiting`: it is in no block yet and can still get into one; `failed`: its block
 * has it and it paid nothing; `expired`: it is in no block and none can contain it any more; `unknown`: the node deleted the
 * blocks that may contain it.
 */
export type SignedPaymentState = 'paid' | 'failed' | 'waiting' | 'expired' | 'unknown';

/** A payment with the withdrawal of the restored database that it belongs to, if there is one. */
export interface ComparedPayment extends SignedPayment {
  /** The withdrawal's id, or the origin of a payment that is no withdrawal. */
  readonly id: string;
  /**
   * The stored number of the withdrawal's state; undefined if the restored database has no such withdrawal.
   */
  readonly status: number | undefined;
}

/**
 * The payments in three groups; `notPaid` holds failed and expired payments, recorded ones that are in no block
 * yet, and open withdrawals.
 */
export interface Comparison {
  readonly paidKnown: readonly ComparedPayment[];
  readonly paidUnknown: readonly ComparedPayment[];
  readonly notPaid: readonly (ComparedPayment | { readonly id: string; readonly isSigned: false })[];
}

interface Parts {
  readonly store: Store;
  /** The signers' journals, each oldest first. */
  readonly signed: AsyncIterable<SignedPayment>;
  /** State of a payment's transaction on its chain. */
  readonly stateOf: (payment: SignedPayment) => Promise<SignedPaymentState>;
}

const ORIGIN = /^withdrawal ([0-9a-f-]{36})$/;
/** Payments that return an arrival to its sender. */
const RETURN = /^return (.+)$/;
/** States in which the database counts the coins as leaving: finished and processing. */
const LEAVING = [1, 3];
/**
 * States of withdrawals that may still be sent: pending ones were not released; processing ones are
 * sent after sending is resumed.
 */
const OPEN = [0, 3];
const FINISHED = 1;
const PROCESSING = 3;

/**
 * Compares a restored database with the signer's journal and the chain. A payment is unknown if its
 * withdrawal is missing, or if the withdrawal's amount was released or can still be rejected: the
 * database does not count it. That includes signed transactions that are in no block yet, since
 * anybody who has one can still send it to a node. A withdrawal that ended although its transaction
 * can never be mined was paid by hand, which is known, or its amount was returned. Where the node
 * cannot say, a finished withdrawal counts as paid, and every other one as if its transaction waited.
 */
export async function compareWithChain({ store, signed, stateOf }: Parts): Promise<Comparison> {
  const paidKnown: ComparedPayment[] = [];
  const paidUnknown: ComparedPayment[] = [];
  const notPaid: (ComparedPayment | { id: string; isSigned: false })[] = [];
  const payments = await signedPayments({ signed, stateOf });
  for (const [id, { payment, state }] of payments) {
    const compared = { ...payment, id, status: await statusOf(store, id) };
    const isKnown = compared.status !== undefined && LEAVING.includes(compared.status);
    const isEnded = compared.status !== undefined && !OPEN.includes(compared.status);
    const isFinished = compared.status === FINISHED;
    const isNeverPaid = state === 'failed' || state === 'expired';
    // The transaction can never pay: the withdrawal was paid by hand, or its amount was returned.
    if (isNeverPaid && isEnded) {
      if (isFinished) paidKnown.push(compared);
    } else if (isNeverPaid) notPaid.push(compared);
    else if (!isKnown) paidUnknown.push(compared);
    else if (state === 'paid' || (state === 'unknown' && isFinished)) paidKnown.push(compared);
    else notPaid.push(compared);
  }
  const { rows } = await sql<{ id: string }>`
    select id::text as id from withdrawal where status = any(${OPEN}) order by created_at
  `.execute(store);
  for (const { id } of rows) if (!payments.has(id)) notPaid.push({ id, isSigned: false });
  return { paidKnown, paidUnknown, notPaid };
}

interface SignedState {
  readonly payment: SignedPayment;
  readonly state: SignedPaymentState;
}

/** States that no later transaction of the same payment changes. */
const FINAL_STATES: ReadonlySet<SignedPaymentState> = new Set(['paid', 'failed']);

/**
 * The payments of a signer's journal by id with their outcomes. At most one transaction of a
 * payment can be in a block: if that is the replacement that pays nothing, the payment failed;
 * while none is, the payment waits until its last transaction has expired.
 */
async function signedPayments({
  signed,
  stateOf,
}: Pick<Parts, 'signed' | 'stateOf'>): Promise<ReadonlyMap<string, SignedState>> {
  const payments = new Map<string, SignedState>();
  for await (const payment of signed) {
    const id = ORIGIN.exec(payment.origin)?.[1] ?? payment.origin;
    const known = payments.get(id);
    if (known !== undefined && FINAL_STATES.has(known.state)) continue;
    const state = await stateOf(payment);
    if (payment.isVoid) {
      if (known !== undefined && FINAL_STATES.has(state))
        payments.set(id, { payment: known.payment, state: 'failed' });
    } else if (known === undefined || known.state === 'expired' || FINAL_STATES.has(state))
      payments.set(id, { payment, state });
  }
  return payments;
}

/**
 * The stored number of the state of a withdrawal. For the return of an arrival to its sender, the number of the state that
 * means the same for the coins: leaving, or paid. Undefined for what the database does not have, and for a return that
 * ended without a payment.
 */
async function statusOf(store: Store, id: string): Promise<number | undefined> {
  const reference = RETURN.exec(id)?.[1];
  if (reference !== undefined) return statusOfReturn(store, reference);
  const { rows } = await sql<{ status: number }>`
    select status from withdrawal where id::text = ${id}
  `.execute(store);
  return rows[0]?.status;
}

async function statusOfReturn(store: Store, reference: string): Promise<number | undefined> {
  const { rows } = await sql<{ state: string }>`
    select state from treasury_return where reference = ${reference}
  `.execute(store);
  const state = rows[0]?.state;
  if (state === 'done') return FINISHED;
  return state === 'approved' || state === 'cancelling' ? PROCESSING : undefined;
}

/**
 * Stores the result of the comparison for the backup that was restored. A repetition replaces the
 * counts and adds payments; settled ones stay settled. `at` in milliseconds UTC.
 */
export async function storeComparison(
  store: Store,
  {
    backup,
    comparison,
    at,
  }: { readonly backup: string; readonly comparison: Comparison; readonly at: number },
): Promise<void> {
  const { paidKnown, paidUnknown, notPaid } = comparison;
  await store.transaction().execute(async (tx) => {
    for (const { id, asset, amount, address, txid, status } of paidUnknown)
      await sql`
        insert into restored_payment (id, restored_from, asset, amount, address, txid, withdrawal_status)
        values (${id}, ${backup}, ${asset}, ${amount}, ${address}, ${txid}, ${status ?? null})
        on conflict (id) do nothing
      `.execute(tx);
    await sql`
      insert into restore_comparison (restored_from, at, paid_known, paid_unknown, not_paid)
      values (${backup}, ${at}, ${paidKnown.length}, ${paidUnknown.length}, ${notPaid.length})
      on conflict (restored_from) do update
        set at = excluded.at, paid_known = excluded.paid_known, paid_unknown = excluded.paid_unknown,
          not_paid = excluded.not_paid
    `.execute(tx);
  });
}

/** A payment that two operators still have to settle, as the console lists it. */
export interface OpenPayment {
  readonly id: string;
  readonly asset: string;
  readonly amount: string;
  readonly address: string;
  readonly txid: string;
  /** The stored number of the state of its withdrawal, and its owner; null if the restored database has none. */
  readonly status: number | null;
  readonly owner: string | null;
}

/** Payments of a restored backup that are not settled, at most `limit`. */
export async function openPayments(store: Store, backup: string, limit: number): Promise<OpenPayment[]> {
  const { rows } = await sql<OpenPayment>`
    select p.id, p.asset, p.amount, p.address, p.txid, w.status, w.owner::text as owner
    from restored_payment p left join withdrawal w on w.id::text = p.id
    where restored_from = ${backup} and settled_at is null order by p.id limit ${limit}
  `.execute(store);
  return rows;
}

/** Number of payments of a restored backup that are not settled. */
export async function openPaymentCount(store: Store, backup: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from restored_payment where restored_from = ${backup} and settled_at is null
  `.execute(store);
  return rows[0]!.count;
}

/** Whether the restored database was compared with the signer's journal and the chains. */
export async function isCompared(store: Store, backup: string): Promise<boolean> {
  const { rows } = await sql`select 1 from restore_comparison where restored_from = ${backup}`.execute(store);
  return rows.length > 0;
}

/**
 * Marks a restored payment as settled. Returns false if there is none, or if it is settled already.
 */
export async function settlePayment(
  store: Store,
  { id, by, settlement, at }: { id: string; by: string; settlement: string; at: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update restored_payment set settled_at = ${at}, settled_by = ${by}, settlement = ${settlement}
    where id = ${id} and settled_at is null
  `.execute(store);
  return numAffectedRows > 0n;
}
