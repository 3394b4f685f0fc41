import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { Log } from '../../platform/log.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { SignerClient } from '../../platform/signer/client.ts';
import {
  BATCH_INPUTS_MAX,
  BATCH_PAYMENTS_MAX,
  CHILDREN_MAX,
  LEGACY_INPUTS_MAX,
  PREVIOUS_BYTES_MAX,
  PREVIOUS_TOTAL_MAX,
  UTXO_LINE_MAX,
  utxoAnswer,
  type BatchPayment,
  type BatchVariant,
  type PreviousRequest,
  type SignedBatch,
  type UtxoAnswer,
  type UtxoRequest,
} from '../../platform/signer/utxo-protocol.ts';
import { UTXO_DIGITS, type UtxoNetwork } from '@exchange/core/utxo-network.ts';
import {
  feeInPackage,
  NO_PACKAGE,
  packageRate,
  packageWith,
  type FeePackage,
} from '@exchange/core/utxo-package.ts';
import type { AddressCodec, Place } from '../../platform/utxo/scripts.ts';
import { feeAt, planTransaction, rateOf, sumOf, vbytesOf } from '@exchange/core/utxo-transaction.ts';
import { readTransaction } from '../../platform/utxo/transactions.ts';
import { PaymentQueued } from './channel.ts';
import type {
  FeeRaise,
  PaymentCost,
  Sending,
  SendingStatus,
  Sent,
  SignedVariant,
  VoidStatus,
} from './domain.ts';
import { requireNotVoided, storeVoid } from './repository.ts';
import {
  batchInputs,
  batchPayments,
  closeBatch,
  deletePlan,
  findPayment,
  hasUnknownInputs,
  insertBatch,
  markKnown,
  markVariantMinedAs,
  markVariantSent,
  newestBatchAt,
  openBatches,
  ownTransactions,
  plannedBatches,
  readBatch,
  spendableOutputs,
  storeVariants,
  unknownPayments,
  type OpenBatch,
  type SpendableOutput,
  type UtxoVariant,
} from './utxo-batch-repository.ts';
import { ChildImpossible, type NoChild } from './utxo-child-domain.ts';
import { isChangeSpentUnknown } from './utxo-child-repository.ts';
import { heldVariant, UtxoChildren, type ChildPlan } from './utxo-children.ts';
import { beyondPrevious, chooseBatch, type BatchChoice, type UtxoTransaction } from './utxo-domain.ts';
import { UtxoNodeRefused, type UtxoNode } from './utxo-node.ts';

/** Limits of fee rates, in the smallest unit of the coin per 1,000 virtual bytes. */
export interface UtxoRates {
  /** Lowest and highest fee rate that the exchange uses, whatever the node's estimate is. */
  readonly least: bigint;
  readonly most: bigint;
  /** Highest fee rate at which a batch also spends small outputs, to merge them into one. */
  readonly consolidate: bigint;
}

interface Parts {
  readonly network: UtxoNetwork;
  /** Returns the exchange's own address, which receives the change. */
  readonly own: () => Promise<Place>;
  readonly codec: () => Promise<AddressCodec>;
  readonly signer: SignerClient;
  readonly node: UtxoNode;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
  readonly rates: UtxoRates;
  /**
   * Milliseconds after which a transaction that is in no block is replaced automatically; the fee rate of the
   * replacement is at most `rates.most`.
   */
  readonly replaceAfterMs: number;
  /** Returns the number of the newest block that was read. */
  readonly height: () => number;
  /**
   * Numbers of confirmations: `payment` after which a payment is final, `deposit` the highest number that any deposit
   * needs.
   */
  readonly needed: { readonly payment: number; readonly deposit: number };
}

/**
 * Number of signed transactions of a batch from which on its fee is not raised automatically. The signer signs more
 * than this number, so that operators can still raise the fee and return payments.
 */
const AUTOMATIC_MAX = 20;
/**
 * Number of direct and indirect children of a batch of payments from which on no child is added automatically. The
 * signer signs more than this number, so that operators can still add children.
 */
const AUTOMATIC_CHILDREN = 3;
const BATCH_MS = 60_000;
const BROADCAST_MS = 60_000;
/** Number of blocks within which a payment should be in a block; determines the estimated fee rate. */
const TARGET_BLOCKS = 3;
/** Number of open batches that one database query reads. */
const OPEN_PAGE = 100;
/** Number of small outputs that a batch merges, provided that the account has more than `ENOUGH_OUTPUTS` outputs. */
const CONSOLIDATED = 20;
const ENOUGH_OUTPUTS = 60;
/**
 * Maximum number of transactions in blocks that are compared with a batch in order to find out whether one of them is
 * the batch's transaction under another id.
 */
const CHANGE_LOOKUPS = 20;
/**
 * A replacing transaction pays at least an eighth more than the replaced one, and at least the relay fee of the network
 * for its own size in addition.
 */
const RAISE_TIMES = 9n;
const RAISE_PARTS = 8n;
/**
 * Converts the rates of this file (smallest unit per 1,000 virtual bytes) to the fees of `SignedVariant` (10^-9 of the
 * smallest unit per virtual byte).
 */
const VARIANT_FEE_SCALE = 1_000_000n;
const RATE_UNIT = 'units per vbyte';
/** Keys of the refusals that operators receive if a child cannot be added, by reason. */
const NO_CHILD_REFUSALS = {
  noChange: 'l.child_change',
  changeSpent: 'l.child_change',
  changeSmall: 'l.child_change',
  paysEnough: 'l.child_change',
  notHeld: 'l.child_not_held',
  manyChildren: 'l.child_number',
  network: 'l.child_network',
} as const satisfies Readonly<Record<NoChild, string>>;

/**
 * Sends payments in batches: at most one transaction a minute, which can make several payments. A batch is stored
 * before the signer receives it. The signer signs each payment and each output in one batch only, and never in another.
 * All transactions of a batch spend the same outputs, so the chain executes at most one of them, even after
 * replacements, voids, lost answers and repeated requests.
 */
export class UtxoSender {
  private readonly parts: Parts;
  /** Payments that were requested since the last call of `dispatch`, by origin. */
  private readonly requested = new Map<string, Sending>();
  /**
   * Why the signer refused payments, by origin. The next request of such a payment fails with this reason; the request
   * after that is sent to the signer again.
   */
  private readonly refusals = new Map<string, { readonly text: string; readonly isReported: boolean }>();
  private readonly broadcastAt = new Map<string, number>();
  private readonly replacedProblems = new Map<string, string>();
  private readonly childProblems = new Map<string, string>();
  /**
   * By batch: the id of the transaction that the node refused at the last broadcast; no entry once the node has
   * accepted one.
   */
  private readonly refusedByNode = new Map<string, string>();
  /**
   * By batch: the id of its newest transaction when the signer refused a child of the batch. No further child is made
   * automatically until the batch has a newer transaction.
   */
  private readonly childRefusals = new Map<string, string>();
  private readonly children: UtxoChildren;
  private lastTrouble: string | undefined;
  private work: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.parts = parts;
    this.children = new UtxoChildren(parts);
  }

  /** Why payments are delayed, for operators; undefined if no payment is delayed. */
  get trouble(): string | undefined {
    return (
      this.lastTrouble ??
      [...this.refusals.values()].map(({ text }) => text)[0] ??
      [...this.replacedProblems.values(), ...this.childProblems.values()][0]
    );
  }

  /** Sends a payment, as specified at `Channel.send`. */
  async send(sending: Sending): Promise<Sent> {
    const { store } = this.parts.database;
    const { origin } = sending;
    await requireNotVoided(store, origin);
    const payment = await findPayment(store, origin);
    if (payment !== undefined) {
      const isSame = payment.address === sending.address && payment.units === unitsOf(sending.amount);
      if (!isSame) throw new Error(`${origin} is to send something else than before`);
      const newest = (await readBatch(store, payment.batch))?.variants.at(-1);
      if (newest === undefined) throw new PaymentQueued();
      return { txid: newest.txid, block: undefined };
    }
    const refused = this.refusals.get(origin);
    if (refused?.isReported === false) {
      this.refusals.set(origin, { ...refused, isReported: true });
      throw new Error(refused.text);
    }
    await this.requestOf(sending);
    this.requested.set(origin, sending);
    throw new PaymentQueued();
  }

  /** Signs and sends the next batch of payments if it is due, as specified at `Channel.dispatch`. */
  async dispatch(): Promise<void> {
    await this.exclusively(async () => {
      const sendings = [...this.requested.values()];
      this.requested.clear();
      try {
        await this.signPlans();
        if (sendings.length > 0 && (await this.isTimeForBatch())) await this.sendBatch(sendings);
        else if (sendings.length === 0) this.lastTrouble = undefined;
      } catch (cause) {
        this.note(cause);
      }
    });
  }

  /**
   * Works on all open batches: has planned ones signed, broadcasts and replaces transactions, and closes batches that
   * are final.
   */
  async tend(): Promise<void> {
    await this.exclusively(async () => {
      try {
        await this.signPlans();
      } catch (cause) {
        this.note(cause);
      }
      for await (const id of this.open())
        await this.tendBatch(id).catch((cause: unknown) => this.note(cause));
    });
  }

  /** The status of a payment, as specified at `Channel.status`. */
  async status(origin: string): Promise<SendingStatus> {
    const { store } = this.parts.database;
    const payment = await findPayment(store, origin);
    const batch = payment && (await readBatch(store, payment.batch));
    if (payment === undefined || batch === undefined) return { state: 'unknown' };
    const newest = batch.variants.at(-1);
    if (newest === undefined) return { state: 'unknown' };
    if (!payment.isKnown) await markKnown(store, origin);
    const waiting = { state: 'waiting', txid: newest.txid } as const;
    const { spender } = batch;
    if (spender === undefined) return waiting;
    const mined = await this.minedVariant(batch, spender.txid);
    // If a transaction that was not signed for the payment spent the coins of its batch, the payment waits until
    // operators decide.
    if (typeof mined === 'string') return waiting;
    if (!mined.without.includes(origin)) return { state: 'mined', ...spender };
    return this.isFinal(spender.block) ? { state: 'voided', ...spender } : waiting;
  }

  /** Makes sure that a payment never happens, as specified at `Channel.void`. */
  async void(sending: Sending): Promise<VoidStatus> {
    const { database, clock, network } = this.parts;
    const { store } = database;
    const { origin } = sending;
    await storeVoid(store, origin, clock.now());
    return this.exclusively(async () => {
      this.requested.delete(origin);
      this.refusals.delete(origin);
      // Only the signer's answer shows whether it has signed a planned batch, so the planned batches are sent to the
      // signer first.
      await this.signPlans();
      if ((await findPayment(store, origin)) === undefined) {
        const answer = await this.request({ kind: 'forbid', network: network.code, origin });
        if ('refused' in answer) throw new Error(`the signer refused ${origin}: ${answer.refused}`);
        if (answer.batch === null) return { state: 'unsigned' };
        await this.adopt(answer.batch);
      }
      const status = await this.status(origin);
      if (status.state !== 'waiting') return status;
      const batch = (await readBatch(store, (await findPayment(store, origin))!.batch))!;
      const { spender, variants } = batch;
      if (spender !== undefined) {
        const isForeign = (await this.minedVariant(batch, spender.txid)) === 'foreign';
        return isForeign && this.isFinal(spender.block) ? { state: 'voided', ...spender } : status;
      }
      if (variants.at(-1)!.without.includes(origin)) return status;
      const { txid } = await this.replace(batch, { without: [origin], rateMax: this.parts.rates.most });
      return { state: 'waiting', txid };
    });
  }

  /**
   * Origins of at most `limit` signed payments whose status was not read from the chain since they were signed (see
   * `Channel.unanswered`).
   */
  unanswered(limit: number): Promise<readonly string[]> {
    return unknownPayments(this.parts.database.store, this.parts.network.code, limit);
  }

  /**
   * The newest signed transaction of a payment, also if its answer was lost (`Channel.recover`); undefined if none is
   * stored.
   */
  async recover(origin: string): Promise<Sent | undefined> {
    const { store } = this.parts.database;
    const payment = await findPayment(store, origin);
    const newest = payment && (await readBatch(store, payment.batch))?.variants.at(-1);
    return newest && { txid: newest.txid, block: undefined };
  }

  /**
   * Replaces the transaction of a payment's batch by one with a higher fee, as specified at `Channel.raiseFee`;
   * `maxFee` is in 10^-9 of the smallest unit per virtual byte.
   */
  async raiseFee(origin: string, maxFee: bigint): Promise<SignedVariant> {
    return this.exclusively(async () => {
      const { batch, rateMax } = await this.requireRaisable(origin, maxFee);
      return variantView(await this.replace(batch, { without: [], rateMax, isExact: true }), origin);
    });
  }

  /**
   * The fees and costs of the transaction that `raiseFee` would sign, as specified at `Channel.plannedRaise`; they are
   * those of the whole batch.
   */
  async plannedRaise(origin: string, maxFee: bigint): Promise<FeeRaise> {
    const { batch, newest, rateMax, least, leastFee } = await this.requireRaisable(origin, maxFee);
    return this.feeRaiseOf(batch, newest, {
      present: newest,
      least,
      raisedFee: raisedFee(newest, rateMax, leastFee),
    });
  }

  /**
   * The fees and costs of a replacement or a child for a batch. `present`: fee and size of the transactions that wait
   * now. `least`: lowest accepted fee rate, in the smallest unit per 1,000 virtual bytes. `raisedFee`: total fee with
   * the replacement or child, in the smallest unit.
   */
  private async feeRaiseOf(
    batch: OpenBatch,
    newest: UtxoVariant,
    terms: { readonly present: FeePackage; readonly least: bigint; readonly raisedFee: bigint },
  ): Promise<FeeRaise> {
    const { database, network, node, rates } = this.parts;
    const payments = await batchPayments(database.store, batch.id);
    return {
      unit: RATE_UNIT,
      present: perByte(packageRate(terms.present)),
      least: perByte(terms.least),
      automatic: perByte(rates.most),
      suggested: perByte((await node.feeRate(TARGET_BLOCKS)) ?? rates.least),
      coin: network.code,
      presentCost: Decimal.ofScaled(terms.present.fee, UTXO_DIGITS),
      raisedCost: Decimal.ofScaled(terms.raisedFee, UTXO_DIGITS),
      payments: payments.length - newest.without.length,
    };
  }

  /**
   * The open batch of a payment and the fees of a replacement: rates in the smallest unit per 1,000 virtual bytes,
   * `leastFee` in the smallest unit. Refuses a payment that is unsigned or in a block, and a `maxFee` below the lowest
   * rate that nodes accept.
   */
  private async requireRaisable(origin: string, maxFee: bigint) {
    const { batch, newest } = await this.requireWaiting(origin);
    const rateMax = maxFee / VARIANT_FEE_SCALE;
    const leastFee = await this.leastFee(batch, newest);
    const least = rateOf(leastFee, newest.vbytes) + 1n;
    requireRate(rateMax, least);
    return { batch, newest, rateMax, least, leastFee };
  }

  /**
   * The open batch of a payment and its newest transaction. Refuses a payment that is in no batch, unsigned or in a
   * block.
   */
  private async requireWaiting(origin: string) {
    const { store } = this.parts.database;
    const payment = await findPayment(store, origin);
    const batch = payment && (await readBatch(store, payment.batch));
    const newest = batch?.variants.at(-1);
    if (batch === undefined || newest === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    if (batch.spender !== undefined)
      throw new Refused(refusal('closed', 'l.withdraw_not_pending', { limit: 'waiting', value: 'mined' }));
    return { batch, newest };
  }

  /**
   * The lowest fee, in the smallest unit, with which nodes accept a replacement of the newest transaction of a batch. A
   * replacement also removes the batch's children from a node's memory pool, so its fee must exceed the fees of the
   * held transaction and all its children together.
   */
  private async leastFee(batch: OpenBatch, newest: UtxoVariant): Promise<bigint> {
    const below = await this.children.feesBelow(batch);
    const { relayRate } = this.parts.network;
    const least = leastRaise(newest, relayRate);
    if (below === 0n) return least;
    const all = heldVariant(batch)!.fee + below + feeAt(relayRate, newest.vbytes) + 1n;
    return all > least ? all : least;
  }

  /**
   * Signs and broadcasts a child that spends the change of a payment's batch or, if the batch has children, of the last
   * of them, as specified at `ChannelChildren.add`; `maxFee` is in 10^-9 of the smallest unit per virtual byte.
   */
  async addChild(origin: string, maxFee: bigint): Promise<SignedVariant> {
    return this.exclusively(async () => {
      const { plan } = await this.requireChild(origin, maxFee);
      return variantView(await this.makeChild(plan), origin);
    });
  }

  /** The fees and costs of the child that `addChild` would sign, as specified at `ChannelChildren.planned`. */
  async plannedChild(origin: string, maxFee: bigint): Promise<FeeRaise> {
    const { batch, newest, plan, least } = await this.requireChild(origin, maxFee);
    return this.feeRaiseOf(batch, newest, {
      present: plan.ancestors,
      least,
      raisedFee: plan.ancestors.fee + plan.fee,
    });
  }

  private async requireChild(origin: string, maxFee: bigint) {
    const { batch, newest } = await this.requireWaiting(origin);
    const rate = maxFee / VARIANT_FEE_SCALE;
    try {
      const last = await this.children.lastBelow(batch);
      const ancestors = await this.children.ancestorsFor(last, CHILDREN_MAX);
      const least = packageRate(ancestors) + 1n;
      requireRate(rate, least);
      return { batch, newest, least, plan: await this.children.plan(last, ancestors, rate) };
    } catch (cause) {
      if (!(cause instanceof ChildImpossible)) throw cause;
      const { code } = this.parts.network;
      const limit = cause.reason === 'network' ? code : String(CHILDREN_MAX);
      throw new Refused(refusal('closed', NO_CHILD_REFUSALS[cause.reason], { limit }));
    }
  }

  async signedFor(origin: string): Promise<readonly SignedVariant[]> {
    const { store } = this.parts.database;
    const payment = await findPayment(store, origin);
    const batch = payment && (await readBatch(store, payment.batch));
    return (batch?.variants ?? []).map((variant) => variantView(variant, origin));
  }

  /** Runs `work` after all work that was passed before has ended, so that no payment is planned twice. */
  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.work.then(work);
    this.work = result.catch(() => undefined);
    return result;
  }

  private note(cause: unknown): void {
    const text = errorMessage(cause);
    if (this.lastTrouble !== text)
      this.parts.log.warn('chains.batch_waits', { network: this.parts.network.code, cause });
    this.lastTrouble = text;
  }

  private isFinal(block: number): boolean {
    return this.parts.height() - block + 1 >= this.parts.needed.payment;
  }

  private async isTimeForBatch(): Promise<boolean> {
    const { database, network, clock } = this.parts;
    const newestAt = await newestBatchAt(database.store, network.code);
    return newestAt === undefined || clock.now() - newestAt >= BATCH_MS;
  }

  /**
   * Converts a payment to the form of the signer's request, with the script of its address. Throws for an address or an
   * amount that the network does not accept.
   */
  private async requestOf({ origin, address, amount, confirmed, coldDigest, approvedBy }: Sending) {
    const script = (await this.parts.codec()).scriptOf(address);
    if (script === undefined) throw new Error(`${address} is no address of ${this.parts.network.code}`);
    const units = unitsOf(amount);
    if (units < this.parts.network.dust) throw new Error(`${origin} pays less than the network takes`);
    const fields = {
      origin,
      address,
      units: units.toString(),
      approvedBy: approvedBy === undefined || approvedBy === '' ? 'nobody' : approvedBy,
    };
    let payment: BatchPayment;
    if (confirmed !== undefined)
      payment = { kind: 'pay', owner: confirmed.owner, digest: confirmed.digest, ...fields };
    else if (coldDigest !== undefined) payment = { kind: 'cold', digest: coldDigest, ...fields };
    else throw new Error(`${origin} has no digest of its owner's confirmation`);
    return { payment, script, units };
  }

  /**
   * The network fee, at the current fee rate, of a transaction that makes one payment and spends one output. A payment
   * in a batch usually adds no more than this size.
   */
  async paymentCosts(): Promise<ReadonlyMap<string, PaymentCost>> {
    const { network } = this.parts;
    const { script } = await this.parts.own();
    const fee = feeAt(await this.rate(), vbytesOf(1, [script, script], network.script));
    return new Map([[network.code, { coin: network.code, amount: Decimal.ofScaled(fee, UTXO_DIGITS) }]]);
  }

  /**
   * The current fee rate: the node's estimate, raised to the lowest rate of the settings and lowered to `most`; while
   * the node has no estimate, the lowest rate.
   */
  private async rate(most = this.parts.rates.most): Promise<bigint> {
    const { node, rates } = this.parts;
    const estimate = (await node.feeRate(TARGET_BLOCKS)) ?? rates.least;
    const rate = estimate < rates.least ? rates.least : estimate;
    return rate > most ? most : rate;
  }

  /**
   * Plans, signs and broadcasts one batch with as many of the payments as the spendable outputs can pay. Throws if they
   * can pay none. A batch that the signer refuses is deleted.
   */
  private async sendBatch(sendings: readonly Sending[]): Promise<void> {
    const { database, network, rates, height, needed, clock } = this.parts;
    const own = await this.parts.own();
    const payments = await Promise.all(
      sendings.slice(0, BATCH_PAYMENTS_MAX).map((each) => this.requestOf(each)),
    );
    const rate = await this.rate();
    const isCheap = rate <= rates.consolidate;
    const spendable = {
      height: height(),
      depositsUntil: height() - needed.deposit + 1,
      // Without segregated witness, a re-org can replace a transaction by the same one under another id. A batch that
      // spends the change under the first id could then never be mined, so the change of such networks is spent only
      // when it is final.
      changeUntil: network.script === 'wpkh' ? height() : height() - needed.payment + 1,
    };
    const inputsMax = network.script === 'wpkh' ? BATCH_INPUTS_MAX : LEGACY_INPUTS_MAX;
    const coins = await spendableOutputs(database.store, network.code, {
      order: 'largest',
      limit: inputsMax - CONSOLIDATED,
      ...spendable,
    });
    const small =
      isCheap && coins.length > ENOUGH_OUTPUTS
        ? await spendableOutputs(database.store, network.code, {
            order: 'smallest',
            limit: CONSOLIDATED,
            ...spendable,
          })
        : [];
    const byName = new Map(coins.map((coin) => [`${coin.txid}:${coin.vout}`, coin]));
    const extra = small.map((coin) => byName.get(`${coin.txid}:${coin.vout}`) ?? coin);
    const choice = await this.choose({ coins, extra, payments, rate, change: own.script });
    if (choice === undefined) {
      const available = Decimal.ofScaled(sumOf(coins), UTXO_DIGITS);
      const wanted = Decimal.ofScaled(sumOf(payments), UTXO_DIGITS);
      throw new Error(
        `${available} ${network.code} can be spent now, and ${wanted} are to be paid; unconfirmed coins and open batches are not spent`,
      );
    }
    const id = newId(systemRandom, clock.now());
    await database.transaction((tx) =>
      insertBatch(tx, {
        id,
        network: network.code,
        fee: choice.fee,
        now: clock.now(),
        inputs: choice.inputs.map(({ units, ...coin }) => ({ ...coin, units: units.toString() })),
        payments: choice.payments.map(({ payment }) => payment),
      }),
    );
    await this.signPlan(id);
    this.lastTrouble =
      choice.payments.length < payments.length
        ? `${payments.length - choice.payments.length} payments on ${network.code} wait for coins that can be spent`
        : undefined;
    await this.tendBatch(id);
  }

  /**
   * Chooses the payments and outputs of a batch, as `chooseBatch` does. On a network without segregated witness, outputs
   * whose previous transactions do not fit into a request to the signer, or are unknown to the node, are left for later
   * batches; throws if no payment can be made without them.
   */
  private async choose<Payment extends { readonly units: bigint; readonly script: string }>({
    payments,
    rate,
    change,
    ...available
  }: {
    readonly coins: readonly SpendableOutput[];
    readonly extra: readonly SpendableOutput[];
    readonly payments: readonly Payment[];
    readonly rate: bigint;
    readonly change: string;
  }): Promise<BatchChoice<SpendableOutput, Payment> | undefined> {
    const { node, network } = this.parts;
    const kind = network.script;
    const sizes = new Map<string, number>();
    let { coins, extra } = available;
    let left = 0;
    for (;;) {
      const choice = chooseBatch({ coins, extra, payments, rate, change, kind });
      if (choice === undefined && left > 0)
        throw new Error(
          `${left} outputs on ${network.code} wait: the transactions that made them are unknown to the node, or too large together for a batch`,
        );
      if (choice === undefined || kind === 'wpkh') return choice;
      for (const { txid } of choice.inputs) {
        const raw = sizes.has(txid) ? undefined : await node.rawTransaction(txid);
        if (raw !== undefined) sizes.set(txid, raw.length / 2);
      }
      const limits = { each: PREVIOUS_BYTES_MAX, total: PREVIOUS_TOTAL_MAX };
      const beyond = beyondPrevious(choice.inputs, sizes, limits);
      if (beyond.size === 0) return choice;
      left += beyond.size;
      coins = coins.filter((coin) => !beyond.has(coin));
      extra = extra.filter((coin) => !beyond.has(coin));
    }
  }

  /**
   * Reads the transactions that made the inputs of a batch from the node, each once; undefined on networks with
   * segregated witness, whose signer does not need them. Transactions that the node does not have are left out: the
   * signer then refuses the batch, unless it has signed it before.
   */
  private async previousOf(inputs: readonly { readonly txid: string }[]) {
    const { node, network } = this.parts;
    if (network.script === 'wpkh') return undefined;
    const previous: PreviousRequest[] = [];
    for (const txid of new Set(inputs.map((input) => input.txid))) {
      const raw = await node.rawTransaction(txid);
      if (raw !== undefined) previous.push({ txid, raw });
    }
    return previous;
  }

  /**
   * Yields the ids of the batches without a final transaction, oldest first; they are read from the database in pages.
   */
  private async *open(): AsyncGenerator<string> {
    const { database, network } = this.parts;
    for (let after: string | undefined; ;) {
      const page = await openBatches(database.store, network.code, { after, limit: OPEN_PAGE });
      yield* page;
      after = page.at(-1);
      if (page.length < OPEN_PAGE) return;
    }
  }

  /** Sends the planned batches without an answer to the signer, and broadcasts the signed ones. */
  private async signPlans(): Promise<void> {
    const { store } = this.parts.database;
    for (const id of await plannedBatches(store, this.parts.network.code)) {
      const batch = (await readBatch(store, id))!;
      const { parent } = batch;
      if (parent !== undefined && !(await this.isChildNeeded(batch, parent))) continue;
      try {
        await this.signPlan(id);
        await this.tendBatch(id);
      } catch (cause) {
        // The failure of a child is only recorded, so that it does not stop the signing of payments; for example, a
        // signer of an earlier version cannot sign children.
        if (parent === undefined) throw cause;
        this.noteNoChild(parent, cause);
      }
    }
  }

  /**
   * True if an unsigned child is still useful. False, after deleting its plan, if a block contains a transaction of its
   * parent, or if nodes hold other transactions than those that it depends on. If the signer has signed the child
   * nevertheless, the child is adopted when the signer refuses a batch that spends the same output.
   */
  private async isChildNeeded(child: OpenBatch, parent: string): Promise<boolean> {
    const { store } = this.parts.database;
    const line = await this.children.lineOf(child);
    const isMined = (await readBatch(store, parent))?.spender !== undefined;
    if (!isMined && line.state === 'usable') return true;
    await deletePlan(store, child.id);
    this.childProblems.delete(parent);
    return false;
  }

  private async signPlan(id: string): Promise<void> {
    const { database, network } = this.parts;
    const { store } = database;
    const batch = await readBatch(store, id);
    if (batch === undefined) return;
    const [inputs, payments, own] = [
      await batchInputs(store, id),
      await batchPayments(store, id),
      await this.parts.own(),
    ];
    const fields = {
      network: network.code,
      batch: id,
      fee: batch.fee.toString(),
      change: own.address,
    };
    const { parent } = batch;
    const answer = await this.request(
      parent === undefined
        ? { kind: 'batch', inputs, payments, previous: await this.previousOf(inputs), ...fields }
        : { kind: 'child', parent, txid: inputs[0]!.txid, ...fields },
    );
    if ('refused' in answer) {
      await this.dropPlan(id, answer);
      return;
    }
    if (answer.batch === null) throw new Error('the signer has no batch');
    await this.storeSigned(answer.batch);
  }

  /**
   * Deletes a planned batch that the signer refused, so that its payments and outputs can be used again, and stores the
   * signer's batches that caused the refusal.
   */
  private async dropPlan(
    id: string,
    { refused, origins, batches }: Extract<UtxoAnswer, { refused: string }>,
  ): Promise<void> {
    const { database, network, log } = this.parts;
    const { store } = database;
    const planned = (await batchPayments(store, id)).map(({ origin }) => origin);
    const { parent } = (await readBatch(store, id))!;
    await deletePlan(store, id);
    log.warn('chains.batch_refused', { network: network.code, batch: id, refused, origins });
    for (const batch of batches) await this.adoptNamed(batch);
    if (batches.length > 0) return;
    if (parent !== undefined) {
      this.childRefusals.set(parent, (await readBatch(store, parent))!.variants.at(-1)!.txid);
      throw new Error(`the signer refused the child: ${refused}`);
    }
    for (const origin of origins.length === 0 ? planned : origins)
      this.refusals.set(origin, { text: `the signer refused ${origin}: ${refused}`, isReported: false });
  }

  /** Stores a batch that the signer has signed and that this database does not contain, for example after a restore. */
  private async adopt(signed: SignedBatch): Promise<void> {
    const { database, network, clock, log } = this.parts;
    if ((await readBatch(database.store, signed.batch)) === undefined) {
      const { parent } = signed;
      if (parent !== undefined && (await readBatch(database.store, parent)) === undefined)
        await this.adoptNamed(parent);
    }
    // Adopting the parent also adopts its children, so the batch may be stored by now.
    if ((await readBatch(database.store, signed.batch)) === undefined) {
      await database.transaction((tx) =>
        insertBatch(tx, {
          id: signed.batch,
          network: network.code,
          parent: signed.parent,
          fee: BigInt(signed.variants[0]!.fee),
          now: clock.now(),
          inputs: signed.inputs,
          payments: signed.payments,
        }),
      );
      log.warn('chains.batch_adopted', { network: network.code, batch: signed.batch });
    }
    await this.storeSigned(signed);
  }

  /**
   * Reads a batch from the signer by its id, and stores it with its children; does nothing if the signer does not have
   * it.
   */
  private async adoptNamed(batch: string): Promise<void> {
    const answer = await this.request({ kind: 'read', network: this.parts.network.code, batch });
    if ('batch' in answer && answer.batch !== null) await this.adopt(answer.batch);
  }

  private async request(request: UtxoRequest): Promise<UtxoAnswer> {
    return utxoAnswer.parse(await this.parts.signer.answerTo(request, UTXO_LINE_MAX));
  }

  /**
   * Verifies all transactions of a batch that the signer returned, and stores the new ones. Adopts its children that
   * this database does not contain.
   */
  private async storeSigned(signed: SignedBatch): Promise<void> {
    const { database, clock, height } = this.parts;
    const verified = [];
    for (const variant of signed.variants)
      verified.push({ ...variant, ...(await this.requireVariant(signed.batch, variant)) });
    await storeVariants(database.store, signed.batch, verified, { height: height(), at: clock.now() });
    for (const { origin } of signed.payments) this.refusals.delete(origin);
    for (const child of signed.children ?? [])
      if ((await readBatch(database.store, child)) === undefined) await this.adoptNamed(child);
  }

  /** Throws if a transaction does not have exactly the inputs, payments, fee and change of its batch. */
  private async requireVariant(id: string, { raw, fee, without }: BatchVariant) {
    const { database, network } = this.parts;
    const [inputs, payments, own, codec] = [
      await batchInputs(database.store, id),
      await batchPayments(database.store, id),
      await this.parts.own(),
      await this.parts.codec(),
    ];
    const plan = planTransaction({
      network,
      inputs: inputs.map((input) => ({ ...input, units: BigInt(input.units) })),
      payments: payments
        .filter(({ origin }) => !without.includes(origin))
        .map(({ address, units }) => ({ script: codec.scriptOf(address) ?? '', units: BigInt(units) })),
      fee: BigInt(fee),
      change: own.script,
    });
    const { txid, ...contents } = await readTransaction(raw);
    const expected = {
      inputs: inputs.map((input) => ({ txid: input.txid, vout: input.vout })),
      outputs: plan?.outputs,
    };
    if (plan === undefined || textOf(contents) !== textOf(expected))
      throw new Error(`the signer gave another transaction for the batch ${id} than was asked for`);
    return { txid, vbytes: plan.vbytes };
  }

  private async tendBatch(id: string): Promise<void> {
    const { database, clock, log, network } = this.parts;
    const batch = await readBatch(database.store, id);
    const newest = batch?.variants.at(-1);
    if (batch === undefined || newest === undefined) return;
    const { spender } = batch;
    if (spender !== undefined) {
      if (!this.isFinal(spender.block)) return;
      const mined = await this.minedVariant(batch, spender.txid);
      if (mined === 'unread')
        throw new Error(`the node does not find ${spender.txid}, which spent the outputs of the batch ${id}`);
      if (mined === 'foreign')
        log.error('chains.batch_displaced', { network: network.code, batch: id, txid: spender.txid });
      else if (await isChangeSpentUnknown(database.store, network.code, spender.txid))
        await this.adoptNamed(id);
      await this.close(id, spender);
      return;
    }
    const line = await this.children.lineOf(batch);
    if (line.state === 'gone') {
      if (!this.isFinal(line.spender.block)) return;
      log.info('chains.child_closed', { network: network.code, batch: id, txid: line.spender.txid });
      await this.close(id, line.spender);
    }
    if (line.state !== 'usable') return;
    const isDue = clock.now() - (this.broadcastAt.get(id) ?? 0) >= BROADCAST_MS;
    if (isDue && (await this.settleUnseen(batch))) return;
    const child = await this.children.childOf(batch);
    if (child !== undefined) {
      // A batch with a child is not replaced: the child already raises the fee rate of both, and a replacement would
      // make the child invalid.
      this.replacedProblems.delete(id);
      if (child.variants.length > 0) this.childProblems.delete(id);
      if (isDue) await this.broadcastWithChild(batch, newest);
      return;
    }
    const replaced = await this.replaceStuck(batch, newest);
    if (replaced === undefined && isDue) await this.broadcast(id, batch.variants, newest);
    if (replaced !== undefined || isDue) await this.helpStuck(id);
  }

  private async close(id: string, spender: { readonly txid: string; readonly block: number }): Promise<void> {
    await closeBatch(this.parts.database.store, id, spender);
    const memories = [
      this.replacedProblems,
      this.childProblems,
      this.refusedByNode,
      this.childRefusals,
      this.broadcastAt,
    ];
    for (const memory of memories) memory.delete(id);
  }

  /**
   * Makes a child for a waiting batch whose fee cannot be raised by a replacement: the node refused the batch's newest
   * transaction and holds an earlier one, or the maximum number of automatic replacements is reached. If no child can
   * be made, records the reason and leaves the batch as it is.
   */
  private async helpStuck(id: string): Promise<void> {
    const batch = await readBatch(this.parts.database.store, id);
    if (batch === undefined || batch.spender !== undefined) return;
    const [newest, held] = [batch.variants.at(-1), heldVariant(batch)];
    if (newest === undefined || held === undefined) return;
    const isNeeded =
      newest === held
        ? batch.variants.length >= AUTOMATIC_MAX && this.isWaiting(newest)
        : this.refusedByNode.get(id) === newest.txid;
    if (!isNeeded) this.childProblems.delete(id);
    if (!isNeeded || this.childRefusals.get(id) === newest.txid) return;
    try {
      const ancestors = await this.children.ancestorsFor(batch, AUTOMATIC_CHILDREN);
      const rate = await this.rateWithChild(ancestors, held, newest);
      await this.makeChild(await this.children.plan(batch, ancestors, rate));
      this.childProblems.delete(id);
    } catch (cause) {
      this.noteNoChild(id, cause);
    }
  }

  private noteNoChild(batch: string, cause: unknown): void {
    const text = `the batch ${batch} waits and gets no child: ${errorMessage(cause)}`;
    if (this.childProblems.get(batch) !== text)
      this.parts.log.warn('chains.child_not_made', { network: this.parts.network.code, batch, cause });
    this.childProblems.set(batch, text);
  }

  /**
   * The fee rate that a child and its ancestors together are to pay: the rate of the batch's newest transaction if the
   * node refused it, otherwise the rate of the transaction that would replace the newest one now; at least the current
   * rate, and at most the highest rate of the settings.
   */
  private async rateWithChild(
    ancestors: FeePackage,
    held: UtxoVariant,
    newest: UtxoVariant,
  ): Promise<bigint> {
    const { relayRate } = this.parts.network;
    const current = await this.rate();
    const above = { fee: ancestors.fee - held.fee, vbytes: ancestors.vbytes - held.vbytes };
    const { vbytes } = newest;
    const fee =
      newest === held ? raisedFee(newest, current, leastRaise(newest, relayRate), above) : newest.fee;
    const refused = packageRate(packageWith(above, { fee, vbytes }));
    const wanted = refused > current ? refused : current;
    const { most } = this.parts.rates;
    return wanted > most ? most : wanted;
  }

  /**
   * Stores, signs and broadcasts a child. Throws if the signer refuses it or does not answer; a child without an answer
   * stays planned and is sent to the signer again later.
   */
  private async makeChild(plan: ChildPlan): Promise<UtxoVariant> {
    const { database, log, network } = this.parts;
    const id = await this.children.store(plan);
    await this.signPlan(id);
    const signed = (await readBatch(database.store, id))?.variants.at(-1);
    if (signed === undefined) throw new Error('the signer had signed another child, which is followed now');
    log.info('chains.child_signed', {
      network: network.code,
      batch: plan.parent.id,
      child: id,
      txid: signed.txid,
      fee: signed.fee.toString(),
    });
    await this.tendBatch(id);
    return signed;
  }

  /**
   * Broadcasts the held transaction of a batch, whose change a child spends. If the node refuses it, for example
   * because it has dropped the transaction and its fee is too low now, broadcasts the newest transaction of the batch
   * instead.
   */
  private async broadcastWithChild({ id, variants }: OpenBatch, newest: UtxoVariant): Promise<void> {
    const { node, clock } = this.parts;
    const held = heldVariant({ variants })!;
    if (held !== newest) {
      this.broadcastAt.set(id, clock.now());
      try {
        await node.broadcast(held.raw);
        return;
      } catch (cause) {
        if (!(cause instanceof UtxoNodeRefused)) throw cause;
      }
    }
    await this.broadcast(id, variants, newest);
  }

  /**
   * The transaction of a batch that a block contains under the id `txid`; `foreign` if it was not signed for the batch.
   * Without segregated witness anybody can change the id of a transaction before a block contains it, but not its
   * inputs, outputs and amounts. A transaction with an unknown id is therefore read from the node and compared with
   * those of the batch; if one matches, the id is stored. `unread` if the node does not have the transaction.
   */
  private async minedVariant(batch: OpenBatch, txid: string): Promise<UtxoVariant | 'foreign' | 'unread'> {
    const { node, network } = this.parts;
    const known = batch.variants.find((variant) => variant.txid === txid || variant.minedAs === txid);
    if (known !== undefined) return known;
    if (network.script === 'wpkh') return 'foreign';
    const mined = await node.mined(txid);
    if (mined === undefined) return 'unread';
    return (await this.renamedVariant(batch, mined.transaction)) ?? 'foreign';
  }

  /**
   * The transaction of a batch that has the same inputs and outputs as `transaction`, which a block contains under
   * another id; undefined if there is none. Stores that id.
   */
  private async renamedVariant(
    { id, variants }: OpenBatch,
    { txid, inputs, outputs }: UtxoTransaction,
  ): Promise<UtxoVariant | undefined> {
    const { database, log, network } = this.parts;
    const contents = textOf({ inputs, outputs: outputs.map(({ script, units }) => ({ script, units })) });
    for (const variant of variants) {
      const signed = await readTransaction(variant.raw);
      if (textOf({ inputs: signed.inputs, outputs: signed.outputs }) !== contents) continue;
      await markVariantMinedAs(database.store, id, { number: variant.number, minedAs: txid });
      log.info('chains.batch_renamed', { network: network.code, batch: id, signed: variant.txid, txid });
      return variant;
    }
    return undefined;
  }

  /**
   * Closes a batch whose inputs are missing among the stored outputs, for example because it was adopted from the
   * signer long after a restore, once one of its transactions is final. The transactions are read from the node, which
   * needs an index of all transactions. Without segregated witness, a transaction that was mined under another id is
   * found by its change output while that is unspent. Returns true if a block contains one of the batch's transactions.
   */
  private async settleUnseen(batch: OpenBatch): Promise<boolean> {
    const { database, node } = this.parts;
    const { id, variants } = batch;
    const { store } = database;
    if (!(await hasUnknownInputs(store, id))) return false;
    const ids = variants.flatMap(({ txid, minedAs }) => (minedAs === undefined ? [txid] : [txid, minedAs]));
    for (const txid of [...ids, ...(await this.changeOf(batch))]) {
      const mined = await node.mined(txid);
      if (mined === undefined) continue;
      const isOfBatch =
        ids.includes(txid) || (await this.renamedVariant(batch, mined.transaction)) !== undefined;
      if (!isOfBatch) continue;
      if (this.isFinal(mined.block)) await closeBatch(store, id, { txid, block: mined.block });
      return true;
    }
    return false;
  }

  /**
   * Ids of transactions in blocks whose unspent outputs at the own address could be the change of the batch; empty on
   * networks with segregated witness, where a transaction has only one id.
   */
  private async changeOf({ variants }: OpenBatch): Promise<readonly string[]> {
    const { database, network } = this.parts;
    if (network.script === 'wpkh') return [];
    const own = await this.parts.own();
    const amounts: bigint[] = [];
    for (const { raw } of variants) {
      const { outputs } = await readTransaction(raw);
      amounts.push(...outputs.filter(({ script }) => script === own.script).map(({ units }) => units));
    }
    return ownTransactions(database.store, network.code, { amounts, limit: CHANGE_LOOKUPS });
  }

  /**
   * Replaces a transaction that has waited for too long by one with a higher fee, up to the highest fee rate of the
   * settings. Returns the new transaction; undefined if there is none.
   */
  private async replaceStuck(batch: OpenBatch, newest: UtxoVariant): Promise<UtxoVariant | undefined> {
    const { rates, log } = this.parts;
    if (!this.isWaiting(newest)) return undefined;
    try {
      if (batch.variants.length >= AUTOMATIC_MAX)
        throw new Error(`${AUTOMATIC_MAX} transactions were signed for it: raise its fee by hand`);
      const variant = await this.replace(batch, { without: [], rateMax: rates.most });
      log.info('chains.fee_raised', { origin: `batch ${batch.id}`, txid: variant.txid });
      this.replacedProblems.delete(batch.id);
      return variant;
    } catch (cause) {
      // The fee was not raised. The earlier transaction is still valid and is broadcast again.
      const text = `the batch ${batch.id} waits and is not replaced: ${errorMessage(cause)}`;
      if (this.replacedProblems.get(batch.id) !== text)
        log.warn('chains.fee_not_raised', { origin: `batch ${batch.id}`, cause });
      this.replacedProblems.set(batch.id, text);
      return undefined;
    }
  }

  private isWaiting({ at, height }: UtxoVariant): boolean {
    const { clock, replaceAfterMs } = this.parts;
    return clock.now() - at >= replaceAfterMs && this.parts.height() > height;
  }

  /**
   * Requests a further transaction of a batch from the signer, with a higher fee and without the payments in `without`,
   * and broadcasts it. Throws if the signer refuses, or if the fee would exceed `rateMax` and no payment is left out.
   */
  private async replace(
    batch: OpenBatch,
    {
      without,
      rateMax,
      isExact = false,
    }: { readonly without: readonly string[]; readonly rateMax: bigint; readonly isExact?: boolean },
  ): Promise<UtxoVariant> {
    const { database, network } = this.parts;
    const newest = batch.variants.at(-1)!;
    const rate = isExact ? rateMax : await this.rate(rateMax);
    const line = await this.children.lineOf(batch);
    const above = line.state === 'usable' ? line.ancestors : NO_PACKAGE;
    const feeFrom = (least: bigint) => raisedFee(newest, rate, least, above);
    const isTooHigh = (each: bigint) =>
      packageRate(packageWith(above, { fee: each, vbytes: newest.vbytes })) > rateMax;
    const enough = feeFrom(await this.leastFee(batch, newest));
    // If payments are left out because they are returned, the replacement is signed even if it cannot pay more than the
    // children that nodes hold, because these children are no longer broadcast.
    const fee =
      without.length > 0 && isTooHigh(enough) ? feeFrom(leastRaise(newest, network.relayRate)) : enough;
    if (isTooHigh(fee) && without.length === 0)
      throw new Error(`its fee has reached the bound of ${rateMax} per 1,000 bytes`);
    const answer = await this.request({
      kind: 'replace',
      network: network.code,
      batch: batch.id,
      fee: fee.toString(),
      without: [...without],
    });
    if ('refused' in answer) {
      // If the answer to an earlier request was lost, the signer has signed transactions that are not stored. They are
      // stored first, and the replacement is then requested again.
      await this.adoptNamed(batch.id);
      const read = (await readBatch(database.store, batch.id))!;
      if (read.variants.length > batch.variants.length)
        return this.replace(read, { without, rateMax, isExact });
      throw new Error(`the signer refused to replace it: ${answer.refused}`);
    }
    if (answer.batch === null) throw new Error('the signer does not know it');
    await this.storeSigned(answer.batch);
    const { variants } = (await readBatch(database.store, batch.id))!;
    await this.broadcast(batch.id, variants, variants.at(-1)!);
    return variants.at(-1)!;
  }

  private async broadcast(
    id: string,
    variants: readonly UtxoVariant[],
    { txid, raw }: UtxoVariant,
  ): Promise<void> {
    const { node, database, clock, log } = this.parts;
    this.broadcastAt.set(id, clock.now());
    try {
      await node.broadcast(raw);
      await markVariantSent(database.store, txid, clock.now());
      this.refusedByNode.delete(id);
    } catch (cause) {
      if (cause instanceof UtxoNodeRefused) this.refusedByNode.set(id, txid);
      // A failed broadcast is only logged: the node may have an earlier transaction of the batch and refuse
      // replacements, or it may be unreachable. The transaction is broadcast again later.
      log.warn('chains.not_handed_over', { batch: id, txid, transactions: variants.length, cause });
      const accepted = lastAccepted(variants, txid);
      if (accepted !== undefined && cause instanceof UtxoNodeRefused) await this.broadcastAgain(id, accepted);
    }
  }

  /** Broadcasts a transaction again that the node accepted earlier; a failure is only logged. */
  private async broadcastAgain(id: string, { txid, raw }: UtxoVariant): Promise<void> {
    const { node, log } = this.parts;
    await node.broadcast(raw).catch((cause: unknown) => {
      log.warn('chains.not_handed_over', { batch: id, txid, cause });
    });
  }
}

/**
 * The newest transaction of a batch that a node accepted, without the one with the id `refused`. Undefined if there is
 * none, or if it makes a payment that the batch's newest transaction leaves out, because that payment is to be returned
 * to its owner.
 */
function lastAccepted(variants: readonly UtxoVariant[], refused: string): UtxoVariant | undefined {
  const without = variants.at(-1)?.without ?? [];
  return variants.findLast(
    (variant) =>
      variant.isSent &&
      variant.txid !== refused &&
      without.every((origin) => variant.without.includes(origin)),
  );
}

/**
 * The lowest fee, in the smallest unit, with which nodes accept a replacement of the transaction. `relayRate` is the
 * network's relay fee in the smallest unit per 1,000 virtual bytes.
 */
function leastRaise({ fee, vbytes }: UtxoVariant, relayRate: bigint): bigint {
  const [raised, relayed] = [(fee * RAISE_TIMES) / RAISE_PARTS, fee + feeAt(relayRate, vbytes)];
  return (raised > relayed ? raised : relayed) + 1n;
}

/**
 * The fee of a replacement, in the smallest unit, with which it and its unconfirmed ancestors together pay `rate`
 * (smallest unit per 1,000 virtual bytes), or `least` if that is higher.
 */
function raisedFee(
  { vbytes }: UtxoVariant,
  rate: bigint,
  least: bigint,
  ancestors: FeePackage = NO_PACKAGE,
): bigint {
  const wanted = feeInPackage(rate, vbytes, ancestors);
  return wanted > least ? wanted : least;
}

/** Refuses a fee rate below the lowest possible one, both in the smallest unit per 1,000 virtual bytes. */
function requireRate(rate: bigint, least: bigint): void {
  if (rate >= least) return;
  throw new Refused(
    refusal('belowMinimum', 'l.field_min', {
      field: 'gwei',
      limit: perByte(least).toString(),
      value: perByte(rate).toString(),
      unit: RATE_UNIT,
    }),
  );
}

/** Converts a fee rate per 1,000 virtual bytes to a fee rate per virtual byte. */
function perByte(rate: bigint): Decimal {
  return Decimal.ofScaled(rate, 3);
}

function variantView({ txid, without, fee, vbytes, at }: UtxoVariant, origin: string): SignedVariant {
  const maxFee = rateOf(fee, vbytes) * VARIANT_FEE_SCALE;
  return { txid, isVoid: without.includes(origin), nonce: 0, maxFee, tip: 0n, unit: RATE_UNIT, at };
}

function unitsOf(amount: Decimal): bigint {
  return amount.toScaled(UTXO_DIGITS);
}

function textOf(contents: unknown): string {
  return JSON.stringify(contents, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
