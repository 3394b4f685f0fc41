import { sql } from 'kysely';
import { readBoundedText, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Store } from '../../platform/database/database.ts';

/**
 * A transaction that the signer has signed for a payment; a payment can have several. `amount` is decimal
 * text in units of the coin.
 */
export interface SignedPayment {
  readonly origin: string;
  readonly asset: string;
  readonly amount: string;
  readonly address: string;
  /** Name of the chain: `eip155:` and the id of an EVM chain, or the code of the network. */
  readonly chain: string;
  readonly txid: string;
  /** Whether the transaction replaces the payment's transaction and pays nothing. */
  readonly isVoid: boolean;
  /**
   * The last block that can contain the transaction: the number of a ledger (XRP Ledger) or the time of a block in
   * milliseconds UTC (TRON); undefined if the transaction does not expire.
   */
  readonly lastValid: number | undefined;
  /**
   * An output that the transaction spends, on networks of the Bitcoin family without segregated witness, where
   * anybody can change the transaction's id before it is in a block. If no block contains the id but this output is
   * spent, the state is `unknown`. Undefined or missing for all other networks.
   */
  readonly spends?: { readonly txid: string; readonly vout: number } | undefined;
}

/**
 * State of a signed transaction on its chain. `paid`: a block contains it and it made the payment; `failed`: a block
 * contains it, but it paid nothing; `waiting`: it is in no block yet and can still get into one; `expired`: it is in no
 * block and none can contain it any more; `unknown`: the node has deleted the blocks that may contain it, or its coins
 * were spent by a transaction with an unknown id.
 */
export type SignedPaymentState = 'paid' | 'failed' | 'waiting' | 'expired' | 'unknown';

/**
 * A signed payment of a withdrawal or of a return of an arrival to its sender, with the status that the
 * restored database stores for it.
 */
export interface ComparedPayment extends SignedPayment {
  /** The id of the payment's withdrawal; for a payment that is no withdrawal, the payment's name. */
  readonly id: string;
  /** The stored number of the withdrawal's status; undefined if the restored database has no such withdrawal. */
  readonly status: number | undefined;
}

/** A chain whose payments could not be compared. */
export interface UncomparedChain {
  /** Name of the chain, as in `SignedPayment`. */
  readonly chain: string;
  /** Number of payments on this chain that were not compared. */
  readonly payments: number;
  readonly reason: string;
}

/**
 * The compared payments in three groups: `paidKnown` are paid, and their withdrawals are stored as approved
 * or finished; `paidUnknown` are paid or can still be paid, but their withdrawals are stored with another
 * status or not at all; `notPaid` are not paid yet or can never be paid. `notPaid` also contains pending and
 * approved withdrawals without a signature.
 */
export interface Comparison {
  readonly paidKnown: readonly ComparedPayment[];
  readonly paidUnknown: readonly ComparedPayment[];
  readonly notPaid: readonly (ComparedPayment | { readonly id: string; readonly isSigned: false })[];
  /**
   * Chains for which the state of at least one payment could not be determined. None of their payments is in a group.
   */
  readonly notCompared: readonly UncomparedChain[];
}

interface Parts {
  readonly store: Store;
  /** All payments in the signers' journals; those of each journal oldest first. */
  readonly signed: AsyncIterable<SignedPayment>;
  /**
   * Returns the state of a payment's transaction on its chain. If it throws, the payments of this chain are not
   * compared, and those of the other chains are.
   */
  readonly stateOf: (payment: SignedPayment) => Promise<SignedPaymentState>;
}

const ORIGIN = /^withdrawal ([0-9a-f-]{36})$/;
/**
 * Matches the names of payments that return an arrival to its sender; group 1 is the reference of the return.
 */
const RETURN = /^return (.+)$/;
/**
 * Statuses in which the database counts the withdrawal's coins as leaving the exchange: finished and approved
 * (`processing`).
 */
const LEAVING = [1, 3];
/** Statuses of withdrawals that may still be sent after sending is resumed: pending and approved. */
const OPEN = [0, 3];
const FINISHED = 1;
const PROCESSING = 3;

/**
 * Compares a restored database with the signer's journal and the chain. A payment is unknown to the database if its
 * withdrawal is missing, is still pending, or has returned its amount to the owner. That includes payments whose signed
 * transaction is in no block yet, since anybody who has the transaction can still send it to a node. A withdrawal that
 * ended although its transaction can never be mined was paid by hand (then its payment is known) or its amount was
 * returned (then it is left out). If the node cannot tell the state of the transaction, a finished withdrawal counts as
 * paid, and any other as if its transaction was in no block yet.
 */
export async function compareWithChain({ store, signed, stateOf }: Parts): Promise<Comparison> {
  const paidKnown: ComparedPayment[] = [];
  const paidUnknown: ComparedPayment[] = [];
  const notPaid: (ComparedPayment | { id: string; isSigned: false })[] = [];
  const { payments, unread } = await signedPayments({ signed, stateOf });
  for (const [id, { payment, state }] of payments) {
    const compared = { ...payment, id, status: await statusOf(store, id) };
    const isKnown = compared.status !== undefined && LEAVING.includes(compared.status);
    const isEnded = compared.status !== undefined && !OPEN.includes(compared.status);
    const isFinished = compared.status === FINISHED;
    const isNeverPaid = state === 'failed' || state === 'expired';
    // The transaction can never be mined, but the withdrawal has ended: if it is finished, it was paid by
    // hand and counts as paid; otherwise its amount was returned to the owner, and it belongs to no group.
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
  for (const { id } of rows)
    if (!payments.has(id) && [...unread.values()].every(({ ids }) => !ids.has(id)))
      notPaid.push({ id, isSigned: false });
  const notCompared = [...unread].map(([chain, { ids, reason }]) => ({ chain, payments: ids.size, reason }));
  return { paidKnown, paidUnknown, notPaid, notCompared };
}

interface SignedState {
  readonly payment: SignedPayment;
  readonly state: SignedPaymentState;
}

/** Why a chain is not compared, and the ids of its payments. */
interface UnreadChain {
  readonly reason: string;
  readonly ids: Set<string>;
}

/**
 * Final states: once a transaction of a payment has one of them, the payment's other transactions are not looked up.
 */
const FINAL_STATES: ReadonlySet<SignedPaymentState> = new Set(['paid', 'failed']);

/**
 * Returns the payments of the signers' journals with their states, by id, and the chains whose states could
 * not be read, by name. At most one transaction of a payment can be in a block. If that is the replacement
 * that pays nothing, the payment has failed. While none is in a block, the payment waits until its last
 * transaction has expired.
 */
async function signedPayments({ signed, stateOf }: Pick<Parts, 'signed' | 'stateOf'>) {
  const payments = new Map<string, SignedState>();
  const unread = new Map<string, UnreadChain>();
  for await (const payment of signed) {
    const id = ORIGIN.exec(payment.origin)?.[1] ?? payment.origin;
    const known = payments.get(id);
    if (known !== undefined && FINAL_STATES.has(known.state)) continue;
    const unreadChain = unread.get(payment.chain);
    if (unreadChain !== undefined) {
      unreadChain.ids.add(id);
      continue;
    }
    let state: SignedPaymentState;
    try {
      state = await stateOf(payment);
    } catch (cause) {
      const earlier = [...payments].filter(([, read]) => read.payment.chain === payment.chain);
      unread.set(payment.chain, {
        reason: cause instanceof Error ? cause.message : String(cause),
        ids: new Set([...earlier.map(([earlierId]) => earlierId), id]),
      });
      for (const [earlierId] of earlier) payments.delete(earlierId);
      continue;
    }
    if (payment.isVoid) {
      if (known !== undefined && FINAL_STATES.has(state))
        payments.set(id, { payment: known.payment, state: 'failed' });
    } else if (known === undefined || known.state === 'expired' || FINAL_STATES.has(state))
      payments.set(id, { payment, state });
  }
  return { payments, unread };
}

/**
 * Returns the stored number of a withdrawal's status. For the return of an arrival to its sender, the number
 * of the withdrawal status with the same meaning: approved (coins are leaving) or finished (paid). Undefined
 * if the database has no such payment, and for a return that ended without a payment.
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
 * Stores the result of comparing a restored database with the chains. A further comparison for the same backup replaces
 * the counts and adds payments; payments that are settled stay settled. The database counts as compared only after a
 * comparison of all chains; one without some of them only adds payments. `at` is in milliseconds UTC.
 */
export async function storeComparison(
  store: Store,
  {
    backup,
    comparison,
    at,
  }: { readonly backup: string; readonly comparison: Comparison; readonly at: number },
): Promise<void> {
  const { paidKnown, paidUnknown, notPaid, notCompared } = comparison;
  await store.transaction().execute(async (tx) => {
    for (const { id, asset, amount, address, txid, status } of paidUnknown)
      await sql`
        insert into restored_payment (id, restored_from, asset, amount, address, txid, withdrawal_status)
        values (${id}, ${backup}, ${asset}, ${amount}, ${address}, ${txid}, ${status ?? null})
        on conflict (id) do nothing
      `.execute(tx);
    if (notCompared.length > 0) return;
    await sql`
      insert into restore_comparison (restored_from, at, paid_known, paid_unknown, not_paid)
      values (${backup}, ${at}, ${paidKnown.length}, ${paidUnknown.length}, ${notPaid.length})
      on conflict (restored_from) do update
        set at = excluded.at, paid_known = excluded.paid_known, paid_unknown = excluded.paid_unknown,
          not_paid = excluded.not_paid
    `.execute(tx);
  });
}

/** A signed payment, unknown to the restored database, that operators still have to settle. */
export interface OpenPayment {
  readonly id: string;
  readonly asset: string;
  readonly amount: string;
  readonly address: string;
  readonly txid: string;
  /**
   * The stored number of the status of the payment's withdrawal, and the withdrawal's owner; both are null if the
   * restored database has no such withdrawal.
   */
  readonly status: number | null;
  readonly owner: string | null;
}

/**
 * Returns the payments that were found after the restore of a backup and are not settled: the first `limit`
 * in the order of their ids, and their number.
 */
export function openPayments(store: Store, backup: string, limit: number): Promise<BoundedRows<OpenPayment>> {
  const open = sql<OpenPayment>`${openIn(backup)} order by p.id`;
  return readBoundedText(store, open, limit);
}

/**
 * Returns the payment with this id that was found after the restore of a backup and is not settled; undefined
 * if there is none.
 */
export async function findOpenPayment(
  store: Store,
  backup: string,
  id: string,
): Promise<OpenPayment | undefined> {
  const { rows } = await sql<OpenPayment>`${openIn(backup)} and p.id = ${id}`.execute(store);
  return rows[0];
}

function openIn(backup: string) {
  return sql`
    select p.id, p.asset, p.amount, p.address, p.txid, w.status, w.owner::text as owner
    from restored_payment p left join withdrawal w on w.id::text = p.id
    where p.restored_from = ${backup} and p.settled_at is null`;
}

/** Returns the number of the payments that were found after the restore of a backup and are not settled. */
export async function openPaymentCount(store: Store, backup: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from restored_payment where restored_from = ${backup} and settled_at is null
  `.execute(store);
  return rows[0]!.count;
}

/** Returns whether the restored database was compared with the signers' journals and the chains. */
export async function isCompared(store: Store, backup: string): Promise<boolean> {
  const { rows } = await sql`select 1 from restore_comparison where restored_from = ${backup}`.execute(store);
  return rows.length > 0;
}

/**
 * Marks a payment that was found after a restore as settled. Returns false if there is no such payment, or if it is
 * settled already.
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
