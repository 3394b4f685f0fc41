import {
  UTXO_LINE_MAX,
  utxoAnswer,
  type BatchVariant,
  type PreviousRequest,
  type SignedBatch,
  type UtxoAnswer,
  type UtxoRequest,
} from '../../platform/signer/utxo-protocol.ts';
import { planTransaction } from '@exchange/core/utxo-transaction.ts';
import { readTransaction } from '../../platform/utxo/transactions.ts';
import {
  batchInputs,
  batchPayments,
  deletePlan,
  insertBatch,
  readBatch,
  storeVariants,
} from './utxo-batch-repository.ts';
import { comparableText } from './utxo-domain.ts';
import type { UtxoParts } from './utxo-parts.ts';

type Parts = Pick<
  UtxoParts,
  'clock' | 'codec' | 'database' | 'height' | 'log' | 'network' | 'node' | 'own' | 'signer'
>;

/**
 * Has planned batches signed, verifies what the signer signed, and stores it; also batches that the signer has and this
 * database does not.
 */
export class UtxoSigning {
  private readonly parts: Parts;
  /**
   * Why the signer refused payments, by origin. The next request of such a payment fails with this reason; the request
   * after that is sent to the signer again.
   */
  private readonly refusals = new Map<string, { readonly text: string; readonly isReported: boolean }>();
  /**
   * The signer's refusals of children, in memory only: by id of the batch, the id of the batch's newest
   * transaction at the time of the refusal. No further child is made automatically until the batch has a
   * newer transaction.
   */
  private readonly childRefusals = new Map<string, string>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Why the signer refused the payment that was refused first; undefined if none is refused now. */
  get trouble(): string | undefined {
    return [...this.refusals.values()].map(({ text }) => text)[0];
  }

  /**
   * Throws the reason with which the signer refused the payment, unless an earlier call has thrown it
   * already; does nothing if the signer did not refuse the payment.
   */
  requireNotRefused(origin: string): void {
    const refused = this.refusals.get(origin);
    if (refused?.isReported !== false) return;
    this.refusals.set(origin, { ...refused, isReported: true });
    throw new Error(refused.text);
  }

  /** Deletes from memory the reason with which the signer refused a payment. */
  forgetRefusal(origin: string): void {
    this.refusals.delete(origin);
  }

  /**
   * True if the signer refused a child of the batch while `txid` was the id of the batch's newest
   * transaction.
   */
  hasRefusedChild(batch: string, txid: string): boolean {
    return this.childRefusals.get(batch) === txid;
  }

  /** Deletes from memory that the signer refused a child of a batch, once the batch is closed. */
  forget(batch: string): void {
    this.childRefusals.delete(batch);
  }

  /** Sends a request to the signer, and returns its answer. */
  async request(request: UtxoRequest): Promise<UtxoAnswer> {
    return utxoAnswer.parse(await this.parts.signer.answerTo(request, UTXO_LINE_MAX));
  }

  /**
   * Sends a planned batch to the signer, and stores what it signed. Deletes the plan if the signer refuses
   * it, and then throws for a child unless the signer names own batches that caused the refusal.
   */
  async signPlan(id: string): Promise<void> {
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
   * Deletes a planned batch that the signer refused, so that its payments and outputs can be used again. If
   * batches of the signer caused the refusal, they are stored in the database. Otherwise the refusal is
   * recorded in memory: for a child by its parent (an error is then thrown), for other batches by payment.
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
  async adopt(signed: SignedBatch): Promise<void> {
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
  async adoptNamed(batch: string): Promise<void> {
    const answer = await this.request({ kind: 'read', network: this.parts.network.code, batch });
    if ('batch' in answer && answer.batch !== null) await this.adopt(answer.batch);
  }

  /**
   * Verifies all transactions of a batch that the signer returned, and stores the new ones. Throws if one of
   * them is not exactly what its batch defines. Adopts its children that this database does not contain.
   */
  async storeSigned(signed: SignedBatch): Promise<void> {
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
    if (plan === undefined || comparableText(contents) !== comparableText(expected))
      throw new Error(`the signer gave another transaction for the batch ${id} than was asked for`);
    return { txid, vbytes: plan.vbytes };
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
}
