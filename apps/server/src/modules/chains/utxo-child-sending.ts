import { refusal, Refused } from '@exchange/core/refusal.ts';
import { packageRate, packageWith, type FeePackage } from '@exchange/core/utxo-package.ts';
import { errorMessage } from '../../platform/error-message.ts';
import { CHILDREN_MAX } from '../../platform/signer/utxo-protocol.ts';
import { readBatch, type UtxoVariant } from './utxo-batch-repository.ts';
import { Troubles } from './troubles.ts';
import type { UtxoBroadcast } from './utxo-broadcast.ts';
import { ChildImpossible, type NoChild } from './utxo-child-domain.ts';
import { heldVariant, type ChildPlan, type UtxoChildren } from './utxo-children.ts';
import { leastRaise, raisedFee, requireRate, VARIANT_FEE_SCALE } from './utxo-fee-domain.ts';
import type { UtxoFeeRates } from './utxo-fee-rates.ts';
import type { UtxoParts } from './utxo-parts.ts';
import { AUTOMATIC_MAX, type UtxoReplacement } from './utxo-replacement.ts';
import type { UtxoSigning } from './utxo-signing.ts';

/**
 * Number of direct and indirect children of a batch of payments from which on no child is added automatically. The
 * signer signs more than this number, so that operators can still add children.
 */
const AUTOMATIC_CHILDREN = 3;
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

interface Parts extends Pick<UtxoParts, 'database' | 'log' | 'network' | 'rates'> {
  readonly fees: UtxoFeeRates;
  readonly signing: UtxoSigning;
  readonly broadcast: UtxoBroadcast;
  readonly replacement: UtxoReplacement;
  readonly children: UtxoChildren;
}

/**
 * Makes children of batches: a child spends the change of a batch's waiting transaction, and its fee is so
 * high that it and the unconfirmed transactions on which it depends together pay the requested fee rate.
 */
export class UtxoChildSending {
  private readonly parts: Parts;
  private readonly problems = new Troubles();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Why a batch gets no child although it waits; undefined if there is no such batch. */
  get trouble(): string | undefined {
    return this.problems.first;
  }

  /** Deletes from memory why a batch got no child, for a batch that is closed or that has a child now. */
  forget(batch: string): void {
    this.problems.delete(batch);
  }

  /**
   * Returns the child that `addChild` would make for a payment, and the lowest accepted fee rate in the
   * smallest unit per 1,000 virtual bytes; `maxFee` is in 10^-9 of the smallest unit per virtual byte.
   * Refuses a payment that can get no child.
   */
  async requireChild(origin: string, maxFee: bigint) {
    const { batch, newest } = await this.parts.replacement.requireWaiting(origin);
    const rate = maxFee / VARIANT_FEE_SCALE;
    try {
      const last = await this.parts.children.lastBelow(batch);
      const ancestors = await this.parts.children.ancestorsFor(last, CHILDREN_MAX);
      const least = packageRate(ancestors) + 1n;
      requireRate(rate, least);
      return { batch, newest, least, plan: await this.parts.children.plan(last, ancestors, rate) };
    } catch (cause) {
      if (!(cause instanceof ChildImpossible)) throw cause;
      const { code } = this.parts.network;
      const limit = cause.reason === 'network' ? code : String(CHILDREN_MAX);
      throw new Refused(refusal('closed', NO_CHILD_REFUSALS[cause.reason], { limit }));
    }
  }

  /**
   * Stores a child and has it signed; the caller broadcasts it. Throws if the signer refuses the child, has
   * signed another one for the same batch (which is then stored), or does not answer. A child without an
   * answer stays planned and is sent to the signer again later.
   */
  async makeChild(plan: ChildPlan): Promise<{ readonly id: string; readonly signed: UtxoVariant }> {
    const { database, log, network } = this.parts;
    const id = await this.parts.children.store(plan);
    await this.parts.signing.signPlan(id);
    const signed = (await readBatch(database.store, id))?.variants.at(-1);
    if (signed === undefined) throw new Error('the signer had signed another child, which is followed now');
    log.info('chains.child_signed', {
      network: network.code,
      batch: plan.parent.id,
      child: id,
      txid: signed.txid,
      fee: signed.fee.toString(),
    });
    return { id, signed };
  }

  /**
   * Makes a child for a waiting batch whose fee cannot be raised by a replacement: the node refused the
   * batch's newest transaction and holds an earlier one, or the maximum number of automatic replacements is
   * reached. If no child can be made, records the reason and leaves the batch as it is. Returns the id of the
   * child, which the caller broadcasts; undefined if no child is needed or none was made.
   */
  async makeNeeded(id: string): Promise<string | undefined> {
    const { broadcast, replacement, signing } = this.parts;
    const batch = await readBatch(this.parts.database.store, id);
    if (batch === undefined || batch.spender !== undefined) return undefined;
    const [newest, held] = [batch.variants.at(-1), heldVariant(batch)];
    if (newest === undefined || held === undefined) return undefined;
    const isNeeded =
      newest === held
        ? batch.variants.length >= AUTOMATIC_MAX && replacement.isWaiting(newest)
        : broadcast.isRefused(id, newest.txid);
    if (!isNeeded) this.problems.delete(id);
    if (!isNeeded || signing.hasRefusedChild(id, newest.txid)) return undefined;
    try {
      const ancestors = await this.parts.children.ancestorsFor(batch, AUTOMATIC_CHILDREN);
      const rate = await this.rateWithChild(ancestors, held, newest);
      const child = await this.makeChild(await this.parts.children.plan(batch, ancestors, rate));
      return child.id;
    } catch (cause) {
      this.noteNoChild(id, cause);
      return undefined;
    }
  }

  /** Stores in memory why a waiting batch gets no child transaction, and logs each new reason once. */
  noteNoChild(batch: string, cause: unknown): void {
    const text = `the batch ${batch} waits and gets no child: ${errorMessage(cause)}`;
    if (this.problems.store(batch, text))
      this.parts.log.warn('chains.child_not_made', { network: this.parts.network.code, batch, cause });
  }

  /**
   * Returns the fee rate (smallest unit per 1,000 virtual bytes) that a child and its ancestors together are
   * to pay: the rate of the batch's newest transaction if the node refused it, otherwise the rate of the
   * transaction that would replace the newest one now; at least the current rate, and at most the highest
   * rate of the settings.
   */
  private async rateWithChild(
    ancestors: FeePackage,
    held: UtxoVariant,
    newest: UtxoVariant,
  ): Promise<bigint> {
    const { relayRate } = this.parts.network;
    const current = await this.parts.fees.current();
    const above = { fee: ancestors.fee - held.fee, vbytes: ancestors.vbytes - held.vbytes };
    const { vbytes } = newest;
    const fee =
      newest === held ? raisedFee(newest, current, leastRaise(newest, relayRate), above) : newest.fee;
    const refused = packageRate(packageWith(above, { fee, vbytes }));
    const wanted = refused > current ? refused : current;
    const { most } = this.parts.rates;
    return wanted > most ? most : wanted;
  }
}
