import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import {
  BY_ID,
  mapPage,
  readPage,
  type ListPage,
  type PagedRows,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Arrival, ArrivalState, Debt, DebtOutcome, PaymentIdentity } from './domain.ts';
import type { TreasuryTables } from './tables.ts';

const tables = tablesOf<TreasuryTables>();

/**
 * An operator's decision on an arrival (an incoming transfer that is no user's deposit): the new state and,
 * depending on it, the credited user, the house account or the transaction that sends the arrival back.
 */
export interface ArrivalDecision {
  readonly state: Exclude<ArrivalState, 'open' | 'internal'>;
  readonly by: string;
  readonly reason: string;
  readonly now: Instant;
  readonly owner?: UserId;
  readonly account?: string;
  readonly returnTxid?: string;
}

/**
 * Stores a new arrival (an incoming transfer that is no user's deposit), in the state `open` or, if another wallet of
 * the exchange sent it, `internal`. Returns false if its payment is recorded already.
 */
export async function insertArrival(store: Store, arrival: Arrival): Promise<boolean> {
  const stored = await tables(store)
    .insertInto('treasury_arrival')
    .values({
      id: arrival.id,
      network: arrival.network,
      asset: arrival.asset,
      txid: arrival.txid,
      output: arrival.output,
      address: arrival.address,
      sender: arrival.sender ?? null,
      memo: arrival.memo ?? null,
      amount: arrival.amount.toString(),
      remark: arrival.remark ?? null,
      position: BigInt(arrival.position),
      block: BigInt(arrival.block),
      registered_by: arrival.registeredBy ?? null,
      state: arrival.state,
      created_at: BigInt(arrival.createdAt),
      gone_at: null,
      // An arrival from another wallet of the exchange needs no decision of operators, so it is stored as
      // decided.
      decided_at: arrival.state === 'internal' ? BigInt(arrival.createdAt) : null,
      decided_by: null,
      reason: null,
      owner: null,
      account: null,
      return_txid: null,
      contract: null,
    })
    .onConflict((conflict) => conflict.columns(['network', 'txid', 'output', 'asset']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

export async function findArrival(reader: Reader, id: string): Promise<Arrival | undefined> {
  const row = await tables(reader)
    .selectFrom('treasury_arrival')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && arrivalOf(row);
}

/**
 * Returns the recorded arrival of a payment in any state, even if it was recorded under the contract of a
 * token that was listed later. Undefined if there is none.
 */
export async function arrivalOfPayment(
  reader: Reader,
  { network, txid, output, asset }: PaymentIdentity,
): Promise<Arrival | undefined> {
  const row = await tables(reader)
    .selectFrom('treasury_arrival')
    .selectAll()
    .where('network', '=', network)
    .where('txid', '=', txid)
    .where('output', '=', output)
    .where((where) => where.or([where('asset', '=', asset), where('contract', '=', asset)]))
    .executeTakeFirst();
  return row && arrivalOf(row);
}

/**
 * Returns whether a payment is recorded as an arrival, in whatever state. If `output` is undefined, any
 * payment of the same asset in the transaction counts.
 */
export async function isArrival(
  reader: Reader,
  { network, txid, asset }: Omit<PaymentIdentity, 'output'>,
  output: number | undefined,
): Promise<boolean> {
  const { rows } = await sql`
    select from treasury_arrival where network = ${network} and txid = ${txid} and asset = ${asset}
      and (${output ?? null}::integer is null or output = ${output ?? null}::integer)
    limit 1
  `.execute(reader);
  return rows.length > 0;
}

/**
 * Records that a network has dropped an arrival's transaction, or that the transaction is in a block again or in
 * another block.
 */
export async function updateArrival(
  store: Store,
  id: string,
  { position, block, goneAt }: Pick<Arrival, 'position' | 'block' | 'goneAt'>,
): Promise<void> {
  await tables(store)
    .updateTable('treasury_arrival')
    .set({
      position: BigInt(position),
      block: BigInt(block),
      gone_at: goneAt === undefined ? null : BigInt(goneAt),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Stores an operator's decision on an arrival (an incoming transfer that is no user's deposit) in the state `open`.
 * Returns false if the arrival has another state.
 */
export async function decideArrival(store: Store, id: string, decision: ArrivalDecision): Promise<boolean> {
  const row = await tables(store)
    .updateTable('treasury_arrival')
    .set({
      state: decision.state,
      decided_at: BigInt(decision.now),
      decided_by: decision.by,
      reason: decision.reason,
      owner: decision.owner ?? null,
      account: decision.account ?? null,
      return_txid: decision.returnTxid ?? null,
    })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Makes an arrival undecided again after its return to the sender has ended without a payment, so that operators decide
 * anew.
 */
export async function reopenArrival(store: Store, id: string): Promise<void> {
  await tables(store)
    .updateTable('treasury_arrival')
    .set({ state: 'open', decided_at: null, decided_by: null, reason: null })
    .where('id', '=', id)
    .where('state', '=', 'returning')
    .execute();
}

/** Records that an arrival was sent back by a transaction that is now final. */
export async function finishReturning(
  store: Store,
  id: string,
  { txid, now }: { readonly txid: string; readonly now: Instant },
): Promise<void> {
  await tables(store)
    .updateTable('treasury_arrival')
    .set({ state: 'returned', decided_at: BigInt(now), return_txid: txid })
    .where('id', '=', id)
    .where('state', '=', 'returning')
    .execute();
}

/**
 * Returns arrivals (incoming transfers that are no users' deposits) that wait for an operator's decision,
 * oldest first, at most `limit`.
 */
export async function openArrivals(reader: Reader, limit: number): Promise<BoundedRows<Arrival>> {
  const open = tables(reader)
    .selectFrom('treasury_arrival')
    .selectAll()
    .where('state', '=', 'open')
    .orderBy('id');
  return mapBounded(await readBounded(reader, open, limit), arrivalOf);
}

/**
 * Returns undecided arrivals of a network that are recorded under the contract of a token, oldest first, at
 * most `limit`.
 */
export async function openTokenArrivals(
  reader: Reader,
  { network, contract }: { readonly network: string; readonly contract: string },
  limit: number,
): Promise<Arrival[]> {
  const rows = await tables(reader)
    .selectFrom('treasury_arrival')
    .selectAll()
    .where('state', '=', 'open')
    .where('network', '=', network)
    .where('asset', '=', contract)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(arrivalOf);
}

/**
 * Stores an undecided arrival of a formerly unlisted token under the coin `asset` as which the token is now
 * listed, with the given amount in units of the coin. The contract's address, which was the arrival's asset
 * before, is kept in `contract`. Does nothing if the arrival is decided or changed already, or if its payment
 * is also recorded under the coin.
 */
export async function adoptArrival(
  reader: Reader,
  { id, asset, amount }: Pick<Arrival, 'id' | 'asset' | 'amount'>,
): Promise<void> {
  await sql`
    update treasury_arrival a set contract = asset, asset = ${asset}, amount = ${amount.toString()}::numeric
    where id = ${id}::uuid and state = 'open' and contract is null and not exists (
      select from treasury_arrival other where other.network = a.network and other.txid = a.txid
        and other.output = a.output and other.asset = ${asset}
    )
  `.execute(reader);
}

/**
 * Returns, for each payment, the user to whom operators credited it, in the order of `payments`; undefined
 * for a payment that was credited to nobody.
 */
export async function creditedOwners(
  reader: Reader,
  payments: readonly PaymentIdentity[],
): Promise<(UserId | undefined)[]> {
  if (payments.length === 0) return [];
  const { rows } = await sql<{ place: number; owner: string }>`
    select payment.place::int as place, a.owner from unnest(
      ${payments.map(({ network }) => network)}::text[], ${payments.map(({ txid }) => txid)}::text[],
      ${payments.map(({ output }) => output)}::integer[], ${payments.map(({ asset }) => asset)}::text[]
    ) with ordinality as payment(network, txid, output, asset, place)
    join treasury_arrival a on a.network = payment.network and a.txid = payment.txid
      and a.output = payment.output and a.asset = payment.asset and a.state = 'credited'
  `.execute(reader);
  const owners = new Map(rows.map(({ place, owner }) => [place - 1, owner as UserId]));
  return payments.map((_, index) => owners.get(index));
}

/** Stores a payment that left the exchange. Returns false if the payment is recorded already. */
export async function insertPayment(
  store: Store,
  payment: Omit<TreasuryTables['treasury_payment'], 'amount' | 'at'> & {
    readonly amount: Decimal;
    readonly at: Instant;
  },
): Promise<boolean> {
  const stored = await tables(store)
    .insertInto('treasury_payment')
    .values({
      id: payment.id,
      kind: payment.kind,
      network: payment.network,
      asset: payment.asset,
      txid: payment.txid,
      output: payment.output,
      account: payment.account,
      amount: payment.amount.toString(),
      made_by: payment.made_by,
      reason: payment.reason,
      at: BigInt(payment.at),
    })
    .onConflict((conflict) => conflict.columns(['kind', 'network', 'txid', 'output', 'asset']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Returns whether a payment of capital or fees that left the exchange is booked already. */
export async function isPaidOut(
  reader: Reader,
  { network, txid, output, asset }: PaymentIdentity,
): Promise<boolean> {
  const row = await tables(reader)
    .selectFrom('treasury_payment')
    .select('id')
    .where('kind', '=', 'paid')
    .where('network', '=', network)
    .where('txid', '=', txid)
    .where('output', '=', output)
    .where('asset', '=', asset)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns booked payments that left the exchange, network fees included, newest first; at most `limit`. */
export async function newestPayments(reader: Reader, limit: number) {
  const newest = tables(reader).selectFrom('treasury_payment').selectAll().orderBy('id', 'desc');
  return mapBounded(await readBounded(reader, newest, limit), ({ at, amount, made_by: by, ...row }) => ({
    ...row,
    amount: Decimal.parse(amount),
    by,
    paidAt: wholeNumber(at),
  }));
}

/** The total of network fees booked on a network, in units of `asset`. */
interface NetworkFeeSum {
  readonly network: string;
  readonly asset: string;
  readonly amount: Decimal;
}

/**
 * Returns the network fees of transactions that were booked at `since` or later, summed by network and coin.
 */
export async function networkFeesSince(reader: Reader, since: Instant): Promise<NetworkFeeSum[]> {
  const { rows } = await sql<{ network: string; asset: string; amount: string }>`
    select network, asset, sum(amount)::text as amount from treasury_payment
    where kind = 'gas' and at >= ${since}::bigint group by network, asset order by network, asset
  `.execute(reader);
  return rows.map(({ network, asset, amount }) => ({ network, asset, amount: Decimal.parse(amount) }));
}

/** A correction of a user's balance; a house account pays or receives the amount. */
export interface Correction {
  readonly id: string;
  /** The case that justifies the correction, e.g. the number of a ticket. */
  readonly caseRef: string;
  readonly owner: UserId;
  /** Whether the user receives the amount; otherwise the user pays it. */
  readonly isCredit: boolean;
  readonly account: string;
  readonly asset: string;
  readonly amount: Decimal;
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}

/**
 * Stores a correction. Returns false if its case already has a correction with the same user, direction, coin and
 * amount.
 */
export async function insertCorrection(store: Store, correction: Correction): Promise<boolean> {
  const stored = await tables(store)
    .insertInto('treasury_correction')
    .values({
      id: correction.id,
      case_ref: correction.caseRef,
      owner: correction.owner,
      is_credit: correction.isCredit,
      account: correction.account,
      asset: correction.asset,
      amount: correction.amount.toString(),
      made_by: correction.by,
      reason: correction.reason,
      at: BigInt(correction.at),
    })
    .onConflict((conflict) =>
      conflict.columns(['case_ref', 'owner', 'is_credit', 'asset', 'amount']).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Returns whether the case already has a correction with the same user, direction, coin and amount. */
export async function hasCorrection(
  reader: Reader,
  { caseRef, owner, isCredit, asset, amount }: Omit<Correction, 'id' | 'account' | 'by' | 'reason' | 'at'>,
): Promise<boolean> {
  const row = await tables(reader)
    .selectFrom('treasury_correction')
    .select('id')
    .where('case_ref', '=', caseRef)
    .where('owner', '=', owner)
    .where('is_credit', '=', isCredit)
    .where('asset', '=', asset)
    .where('amount', '=', amount.toString())
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns corrections of users' balances, newest first, at most `limit`. */
export async function newestCorrections(reader: Reader, limit: number): Promise<BoundedRows<Correction>> {
  const newest = tables(reader).selectFrom('treasury_correction').selectAll().orderBy('id', 'desc');
  return mapBounded(await readBounded(reader, newest, limit), (row) => ({
    id: row.id,
    caseRef: row.case_ref,
    owner: row.owner as UserId,
    isCredit: row.is_credit,
    account: row.account,
    asset: row.asset,
    amount: Decimal.parse(row.amount),
    by: row.made_by,
    reason: row.reason,
    at: instant(wholeNumber(row.at)),
  }));
}

export async function insertDebt(store: Store, debt: Debt): Promise<void> {
  await tables(store)
    .insertInto('treasury_debt')
    .values({
      id: debt.id,
      owner: debt.owner,
      asset: debt.asset,
      amount: debt.amount.toString(),
      paid: debt.paid.toString(),
      cause: debt.cause,
      reference: debt.reference,
      account: debt.account,
      outcome: debt.outcome ?? null,
      created_at: BigInt(debt.createdAt),
      closed_at: debt.closedAt === undefined ? null : BigInt(debt.closedAt),
      closed_by: null,
      reason: debt.reason,
    })
    .execute();
}

/** Updates the paid amount of a debt and, if the debt has ended, its outcome. */
export async function updateDebt(
  store: Store,
  id: string,
  state: {
    readonly paid: Decimal;
    readonly outcome?: DebtOutcome | undefined;
    readonly by?: string;
    readonly now: Instant;
  },
): Promise<void> {
  await tables(store)
    .updateTable('treasury_debt')
    .set({
      paid: state.paid.toString(),
      outcome: state.outcome ?? null,
      closed_at: state.outcome === undefined ? null : BigInt(state.now),
      closed_by: state.by ?? null,
    })
    .where('id', '=', id)
    .execute();
}

export async function findDebt(reader: Reader, id: string): Promise<Debt | undefined> {
  const row = await tables(reader)
    .selectFrom('treasury_debt')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && debtOf(row);
}

/**
 * Returns the open, paid or written-off debt that a correction or a dropped deposit (id `reference`) has
 * caused; undefined if there is none or it was cancelled.
 */
export async function debtFor(reader: Reader, reference: string): Promise<Debt | undefined> {
  const row = await tables(reader)
    .selectFrom('treasury_debt')
    .selectAll()
    .where('reference', '=', reference)
    .where(sql<boolean>`outcome is distinct from 'cancelled'`)
    .executeTakeFirst();
  return row && debtOf(row);
}

/** Returns open debts of the given users, oldest first. */
export async function openDebtsOf(reader: Reader, owners: readonly UserId[]): Promise<Debt[]> {
  const rows = await tables(reader)
    .selectFrom('treasury_debt')
    .selectAll()
    .where(sql<boolean>`owner = any(${[...new Set(owners)]}::uuid[])`)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(debtOf);
}

/** Returns open debts of all users, oldest first, at most `limit`. */
export async function openDebts(reader: Reader, limit: number): Promise<BoundedRows<Debt>> {
  const open = tables(reader)
    .selectFrom('treasury_debt')
    .selectAll()
    .where('closed_at', 'is', null)
    .orderBy('id');
  return mapBounded(await readBounded(reader, open, limit), debtOf);
}

/** Returns a user's debts, newest first; with `isOpen` only those without an outcome. */
export async function debtsOf(
  reader: Reader,
  owner: UserId,
  isOpen: boolean,
  page: PagedRows,
): Promise<ListPage<Debt>> {
  let query = tables(reader).selectFrom('treasury_debt').where('owner', '=', owner);
  if (isOpen) query = query.where('closed_at', 'is', null);
  return mapPage(await readPage(reader, query.selectAll(), BY_ID, page), debtOf);
}

/**
 * A pause of a coin of which the exchange owns less than it owes; meanwhile its withdrawals are not signed
 * and its deposits worth more than 1,000 USDT, or without a price, are not credited.
 */
export interface Pause {
  readonly asset: string;
  /**
   * The shortage at the start of the pause, in the coin: the amount that the exchange owes minus the amount that it
   * owns.
   */
  readonly missing: Decimal;
  readonly since: Instant;
}

export async function openPauses(reader: Reader): Promise<Pause[]> {
  const rows = await tables(reader)
    .selectFrom('treasury_pause')
    .selectAll()
    .where('lifted_at', 'is', null)
    .orderBy('asset')
    .execute();
  return rows.map(({ asset, missing, since }) => ({
    asset,
    missing: Decimal.parse(missing),
    since: instant(wholeNumber(since)),
  }));
}

/** Stores a pause of a coin. Returns false if the coin is paused already. */
export async function insertPause(reader: Reader, id: string, pause: Pause): Promise<boolean> {
  const { rows } = await sql`
    insert into treasury_pause (id, asset, missing, since)
    values (${id}, ${pause.asset}, ${pause.missing.toString()}::numeric, ${pause.since}::bigint)
    on conflict (asset) where lifted_at is null do nothing returning id
  `.execute(reader);
  return rows.length > 0;
}

/**
 * Ends the pause of a coin and stores `accepted`, the shortage of the coin that the operators accept. Returns
 * false if the coin is not paused.
 */
export async function endPause(
  store: Store,
  asset: string,
  {
    accepted,
    by,
    reason,
    now,
  }: { readonly accepted: Decimal; readonly by: string; readonly reason: string; readonly now: Instant },
): Promise<boolean> {
  const row = await tables(store)
    .updateTable('treasury_pause')
    .set({ accepted: accepted.toString(), lifted_at: BigInt(now), lifted_by: by, reason })
    .where('asset', '=', asset)
    .where('lifted_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns, for each of the coins, the shortage that operators accepted when they last ended a pause of the
 * coin, and when; coins that were never paused or still have their first pause are missing.
 */
export async function acceptedShortages(
  reader: Reader,
  assets: readonly string[],
): Promise<ReadonlyMap<string, { readonly amount: Decimal; readonly at: Instant }>> {
  const { rows } = await sql<{ asset: string; accepted: string; at: bigint }>`
    select distinct on (asset) asset, accepted::text as accepted, lifted_at as at from treasury_pause
    where asset = any(${assets}::text[]) and lifted_at is not null order by asset, id desc
  `.execute(reader);
  return new Map(
    rows.map(({ asset, accepted, at }) => [
      asset,
      { amount: Decimal.parse(accepted), at: instant(wholeNumber(at)) },
    ]),
  );
}

function optionalInstant(at: bigint | null): Instant | undefined {
  return at === null ? undefined : instant(wholeNumber(at));
}

function arrivalOf(row: Selectable<TreasuryTables['treasury_arrival']>): Arrival {
  return {
    id: row.id,
    network: row.network,
    asset: row.asset,
    txid: row.txid,
    output: row.output,
    address: row.address,
    sender: row.sender ?? undefined,
    memo: row.memo ?? undefined,
    amount: Decimal.parse(row.amount),
    remark: row.remark ?? undefined,
    position: wholeNumber(row.position),
    block: wholeNumber(row.block),
    registeredBy: row.registered_by ?? undefined,
    state: row.state,
    createdAt: instant(wholeNumber(row.created_at)),
    goneAt: optionalInstant(row.gone_at),
    owner: (row.owner ?? undefined) as UserId | undefined,
    account: row.account ?? undefined,
  };
}

function debtOf(row: Selectable<TreasuryTables['treasury_debt']>): Debt {
  return {
    id: row.id,
    owner: row.owner as UserId,
    asset: row.asset,
    amount: Decimal.parse(row.amount),
    paid: Decimal.parse(row.paid),
    cause: row.cause,
    reference: row.reference,
    account: row.account,
    outcome: row.outcome ?? undefined,
    createdAt: instant(wholeNumber(row.created_at)),
    closedAt: optionalInstant(row.closed_at),
    reason: row.reason,
  };
}
