import { errorMessage } from '../../platform/error-message.ts';
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
import { findPayment, markKnown, readBatch, unknownPayments } from './utxo-batch-repository.ts';
import { UtxoBroadcast } from './utxo-broadcast.ts';
import { UtxoChildSending } from './utxo-child-sending.ts';
import { UtxoChildren } from './utxo-children.ts';
import { unitsOf } from './utxo-domain.ts';
import { raisedFee, variantView } from './utxo-fee-domain.ts';
import { UtxoFeeRates } from './utxo-fee-rates.ts';
import { UtxoMined } from './utxo-mined.ts';
import type { UtxoParts } from './utxo-parts.ts';
import { UtxoPlanner } from './utxo-planner.ts';
import { UtxoReplacement } from './utxo-replacement.ts';
import { UtxoSigning } from './utxo-signing.ts';
import { UtxoTending } from './utxo-tending.ts';

/**
 * Sends payments in batches: at most one transaction a minute, which can make several payments. A batch is
 * stored before the signer receives it. The signer signs each payment and each output in one batch only, and
 * never in another. All transactions of a batch spend the same outputs, so the chain executes at most one of
 * them, even after replacements, voids, lost answers and repeated requests. This class has the methods that a
 * channel calls, and runs those that change batches one after the other. The steps are in classes of their
 * own: `UtxoPlanner` plans batches, `UtxoSigning` has them signed, `UtxoBroadcast` broadcasts, `UtxoMined`
 * recognises them in blocks, `UtxoReplacement` and `UtxoChildSending` raise their fees, and `UtxoTending`
 * uses these steps on every open batch.
 */
export class UtxoSender {
  private readonly parts: UtxoParts;
  /** Payments that were requested since the last call of `dispatch`, by origin. */
  private readonly requested = new Map<string, Sending>();
  private readonly planner: UtxoPlanner;
  private readonly signing: UtxoSigning;
  private readonly mined: UtxoMined;
  private readonly replacement: UtxoReplacement;
  private readonly childSending: UtxoChildSending;
  private readonly tending: UtxoTending;
  private lastTrouble: string | undefined;
  private work: Promise<unknown> = Promise.resolve();

  constructor(parts: UtxoParts) {
    this.parts = parts;
    const fees = new UtxoFeeRates(parts);
    const children = new UtxoChildren(parts);
    const broadcast = new UtxoBroadcast(parts);
    const signing = new UtxoSigning(parts);
    const mined = new UtxoMined(parts);
    const replacement = new UtxoReplacement({ ...parts, fees, signing, broadcast, children });
    const childSending = new UtxoChildSending({ ...parts, fees, signing, broadcast, replacement, children });
    this.planner = new UtxoPlanner({ ...parts, fees });
    this.signing = signing;
    this.mined = mined;
    this.replacement = replacement;
    this.childSending = childSending;
    this.tending = new UtxoTending({
      ...parts,
      signing,
      broadcast,
      mined,
      replacement,
      children,
      childSending,
    });
  }

  /** Why payments are delayed, for operators; undefined if no payment is delayed. */
  get trouble(): string | undefined {
    return this.lastTrouble ?? this.signing.trouble ?? this.replacement.trouble ?? this.childSending.trouble;
  }

  /**
   * Requests a payment, as specified at `Channel.send`: enqueues it for the next `dispatch` and throws
   * `PaymentQueued`, as it does until the payment has a signed transaction; afterwards returns the newest
   * one. Also throws for a payment that is voided, that the signer refused, that the network does not accept,
   * or that is stored with another address or amount.
   */
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
    this.signing.requireNotRefused(origin);
    await this.planner.requestOf(sending);
    this.requested.set(origin, sending);
    throw new PaymentQueued();
  }

  /** Signs and sends the next batch of payments if it is due, as specified at `Channel.dispatch`. */
  async dispatch(): Promise<void> {
    await this.exclusively(async () => {
      const sendings = [...this.requested.values()];
      this.requested.clear();
      try {
        await this.tending.signPlans();
        if (sendings.length > 0 && (await this.planner.isTimeForBatch())) await this.sendBatch(sendings);
        else if (sendings.length === 0) this.lastTrouble = undefined;
      } catch (cause) {
        this.note(cause);
      }
    });
  }

  /**
   * Processes all open batches: has planned ones signed, broadcasts and replaces transactions, and closes
   * batches that are final.
   */
  async tend(): Promise<void> {
    await this.exclusively(async () => {
      try {
        await this.tending.signPlans();
      } catch (cause) {
        this.note(cause);
      }
      for await (const id of this.tending.open())
        await this.tending.tendBatch(id).catch((cause: unknown) => this.note(cause));
    });
  }

  /** Returns the status of a payment, as specified at `Channel.status`. */
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
    const mined = await this.mined.minedVariant(batch, spender.txid);
    // If a transaction that was not signed for the payment spent the coins of its batch, the payment waits until
    // operators decide.
    if (typeof mined === 'string') return waiting;
    if (!mined.without.includes(origin)) return { state: 'mined', ...spender };
    return this.mined.isFinal(spender.block) ? { state: 'voided', ...spender } : waiting;
  }

  /**
   * Takes the next step to void a payment, as specified at `Channel.void`: stores that it is voided, and has
   * the signer never sign it if it is in no batch. If it is in a signed batch that is in no block, the
   * transaction of the batch is replaced by one without it.
   */
  async void(sending: Sending): Promise<VoidStatus> {
    const { database, clock, network } = this.parts;
    const { store } = database;
    const { origin } = sending;
    await storeVoid(store, origin, clock.now());
    return this.exclusively(async () => {
      this.requested.delete(origin);
      this.signing.forgetRefusal(origin);
      // Only the signer's answer shows whether it has signed a planned batch, so the planned batches are sent to the
      // signer first.
      await this.tending.signPlans();
      if ((await findPayment(store, origin)) === undefined) {
        const answer = await this.signing.request({ kind: 'forbid', network: network.code, origin });
        if ('refused' in answer) throw new Error(`the signer refused ${origin}: ${answer.refused}`);
        if (answer.batch === null) return { state: 'unsigned' };
        await this.signing.adopt(answer.batch);
      }
      const status = await this.status(origin);
      if (status.state !== 'waiting') return status;
      const batch = (await readBatch(store, (await findPayment(store, origin))!.batch))!;
      const { spender, variants } = batch;
      if (spender !== undefined) {
        const isForeign = (await this.mined.minedVariant(batch, spender.txid)) === 'foreign';
        return isForeign && this.mined.isFinal(spender.block) ? { state: 'voided', ...spender } : status;
      }
      if (variants.at(-1)!.without.includes(origin)) return status;
      const { txid } = await this.replacement.replace(batch, {
        without: [origin],
        rateMax: this.parts.rates.most,
      });
      return { state: 'waiting', txid };
    });
  }

  /**
   * Returns the origins of at most `limit` signed payments whose status was not read from the chain since
   * they were signed (see `Channel.unanswered`).
   */
  unanswered(limit: number): Promise<readonly string[]> {
    return unknownPayments(this.parts.database.store, this.parts.network.code, limit);
  }

  /**
   * Returns the newest stored transaction of a payment without a request to the signer (`Channel.recover`);
   * undefined if none is stored.
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
      const { batch, rateMax } = await this.replacement.requireRaisable(origin, maxFee);
      return variantView(
        await this.replacement.replace(batch, { without: [], rateMax, isExact: true }),
        origin,
      );
    });
  }

  /**
   * Returns the fees and costs of the transaction that `raiseFee` would sign, as specified at
   * `Channel.plannedRaise`; they are those of the whole batch.
   */
  async plannedRaise(origin: string, maxFee: bigint): Promise<FeeRaise> {
    const { batch, newest, rateMax, least, leastFee } = await this.replacement.requireRaisable(
      origin,
      maxFee,
    );
    return this.replacement.feeRaiseOf(batch, newest, {
      present: newest,
      least,
      raisedFee: raisedFee(newest, rateMax, leastFee),
    });
  }

  /**
   * Signs and broadcasts a child that spends the change of a payment's batch or, if the batch has children, of the last
   * of them, as specified at `ChannelChildren.add`; `maxFee` is in 10^-9 of the smallest unit per virtual byte.
   */
  async addChild(origin: string, maxFee: bigint): Promise<SignedVariant> {
    return this.exclusively(async () => {
      const { plan } = await this.childSending.requireChild(origin, maxFee);
      const { id, signed } = await this.childSending.makeChild(plan);
      await this.tending.tendBatch(id);
      return variantView(signed, origin);
    });
  }

  /**
   * Returns the fees and costs of the child that `addChild` would sign, as specified at
   * `ChannelChildren.planned`.
   */
  async plannedChild(origin: string, maxFee: bigint): Promise<FeeRaise> {
    const { batch, newest, plan, least } = await this.childSending.requireChild(origin, maxFee);
    return this.replacement.feeRaiseOf(batch, newest, {
      present: plan.ancestors,
      least,
      raisedFee: plan.ancestors.fee + plan.fee,
    });
  }

  /** Returns all signed transactions of a payment's batch, oldest first; none if the payment is unknown. */
  async signedFor(origin: string): Promise<readonly SignedVariant[]> {
    const { store } = this.parts.database;
    const payment = await findPayment(store, origin);
    const batch = payment && (await readBatch(store, payment.batch));
    return (batch?.variants ?? []).map((variant) => variantView(variant, origin));
  }

  /**
   * The network fee of one payment at the current fee rate, in units of the coin, with decimals: a map with
   * the network's coin as its only key (see `UtxoPlanner.paymentCosts`).
   */
  paymentCosts(): Promise<ReadonlyMap<string, PaymentCost>> {
    return this.planner.paymentCosts();
  }

  /** Plans one batch of payments, has it signed and broadcasts it. A batch that the signer refuses is deleted. */
  private async sendBatch(sendings: readonly Sending[]): Promise<void> {
    const { id, waiting } = await this.planner.planBatch(sendings);
    await this.signing.signPlan(id);
    this.lastTrouble =
      waiting > 0
        ? `${waiting} payments on ${this.parts.network.code} wait for coins that can be spent`
        : undefined;
    await this.tending.tendBatch(id);
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
}
