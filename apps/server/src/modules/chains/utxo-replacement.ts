import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { UTXO_DIGITS } from '@exchange/core/utxo-network.ts';
import { NO_PACKAGE, packageRate, packageWith, type FeePackage } from '@exchange/core/utxo-package.ts';
import { feeAt, rateOf } from '@exchange/core/utxo-transaction.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { FeeRaise } from './domain.ts';
import { Troubles } from './troubles.ts';
import {
  batchPayments,
  findPayment,
  readBatch,
  type OpenBatch,
  type UtxoVariant,
} from './utxo-batch-repository.ts';
import type { UtxoBroadcast } from './utxo-broadcast.ts';
import { heldVariant, type UtxoChildren } from './utxo-children.ts';
import {
  leastRaise,
  perByte,
  raisedFee,
  RATE_UNIT,
  requireRate,
  VARIANT_FEE_SCALE,
} from './utxo-fee-domain.ts';
import type { UtxoFeeRates } from './utxo-fee-rates.ts';
import type { UtxoParts } from './utxo-parts.ts';
import type { UtxoSigning } from './utxo-signing.ts';

/**
 * Number of signed transactions of a batch from which on its fee is not raised automatically. The signer signs more
 * than this number, so that operators can still raise the fee and return payments.
 */
export const AUTOMATIC_MAX = 20;

interface Parts extends Pick<
  UtxoParts,
  'clock' | 'database' | 'height' | 'log' | 'network' | 'rates' | 'replaceAfterMs'
> {
  readonly fees: UtxoFeeRates;
  readonly signing: UtxoSigning;
  readonly broadcast: UtxoBroadcast;
  readonly children: UtxoChildren;
}

/**
 * Replaces the transactions of batches by ones with higher fees, or without payments whose amounts are
 * returned to their owners.
 */
export class UtxoReplacement {
  private readonly parts: Parts;
  private readonly problems = new Troubles();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Why a batch is not replaced although it waits; undefined if there is no such batch. */
  get trouble(): string | undefined {
    return this.problems.first;
  }

  /**
   * Deletes from memory the problem (the reason why a batch has no replacement) of a batch that is closed, or
   * that has a child.
   */
  forget(batch: string): void {
    this.problems.delete(batch);
  }

  /**
   * Requests a further transaction of a batch from the signer, with a higher fee and without the payments in
   * `without`, and broadcasts it. Its fee rate is the current one, at most `rateMax` (smallest unit per 1,000
   * virtual bytes), or with `isExact` `rateMax` itself, but never so low that nodes would refuse the
   * replacement. Throws if the signer refuses, or if the fee would exceed `rateMax` and no payment is left
   * out.
   */
  async replace(
    batch: OpenBatch,
    {
      without,
      rateMax,
      isExact = false,
    }: { readonly without: readonly string[]; readonly rateMax: bigint; readonly isExact?: boolean },
  ): Promise<UtxoVariant> {
    const { database, network, signing } = this.parts;
    const newest = batch.variants.at(-1)!;
    const rate = isExact ? rateMax : await this.parts.fees.current(rateMax);
    const line = await this.parts.children.lineOf(batch);
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
    const answer = await signing.request({
      kind: 'replace',
      network: network.code,
      batch: batch.id,
      fee: fee.toString(),
      without: [...without],
    });
    if ('refused' in answer) {
      // If the answer to an earlier request was lost, the signer has signed transactions that are not stored. They are
      // stored first, and the replacement is then requested again.
      await signing.adoptNamed(batch.id);
      const read = (await readBatch(database.store, batch.id))!;
      if (read.variants.length > batch.variants.length)
        return this.replace(read, { without, rateMax, isExact });
      throw new Error(`the signer refused to replace it: ${answer.refused}`);
    }
    if (answer.batch === null) throw new Error('the signer does not know it');
    await signing.storeSigned(answer.batch);
    const { variants } = (await readBatch(database.store, batch.id))!;
    await this.parts.broadcast.broadcast(batch.id, variants, variants.at(-1)!);
    return variants.at(-1)!;
  }

  /**
   * Replaces a transaction that has waited for too long by one with a higher fee, up to the highest fee rate of the
   * settings. Returns the new transaction; undefined if there is none.
   */
  async replaceStuck(batch: OpenBatch, newest: UtxoVariant): Promise<UtxoVariant | undefined> {
    const { rates, log } = this.parts;
    if (!this.isWaiting(newest)) return undefined;
    try {
      if (batch.variants.length >= AUTOMATIC_MAX)
        throw new Error(`${AUTOMATIC_MAX} transactions were signed for it: raise its fee by hand`);
      const variant = await this.replace(batch, { without: [], rateMax: rates.most });
      log.info('chains.fee_raised', { origin: `batch ${batch.id}`, txid: variant.txid });
      this.problems.delete(batch.id);
      return variant;
    } catch (cause) {
      // The fee was not raised. The earlier transaction is still valid and is broadcast again.
      const text = `the batch ${batch.id} waits and is not replaced: ${errorMessage(cause)}`;
      if (this.problems.store(batch.id, text))
        log.warn('chains.fee_not_raised', { origin: `batch ${batch.id}`, cause });
      return undefined;
    }
  }

  /**
   * True if a transaction is to be replaced automatically: it was signed at least `replaceAfterMs` ago, and a
   * newer block has been read since.
   */
  isWaiting({ at, height }: UtxoVariant): boolean {
    const { clock, replaceAfterMs } = this.parts;
    return clock.now() - at >= replaceAfterMs && this.parts.height() > height;
  }

  /**
   * Returns the open batch of a payment and the fees of a replacement: rates in the smallest unit per 1,000
   * virtual bytes, `leastFee` in the smallest unit. Refuses a payment that is in no batch, unsigned or in a
   * block, and a `maxFee` (10^-9 of the smallest unit per virtual byte) below the lowest rate that nodes
   * accept.
   */
  async requireRaisable(origin: string, maxFee: bigint) {
    const { batch, newest } = await this.requireWaiting(origin);
    const rateMax = maxFee / VARIANT_FEE_SCALE;
    const leastFee = await this.leastFee(batch, newest);
    const least = rateOf(leastFee, newest.vbytes) + 1n;
    requireRate(rateMax, least);
    return { batch, newest, rateMax, least, leastFee };
  }

  /**
   * Computes the fees and costs of a replacement or a child for a batch, from these values. `present`: fee
   * and size of the transactions that wait now. `least`: lowest accepted fee rate, in the smallest unit per
   * 1,000 virtual bytes. `raisedFee`: total fee with the replacement or child, in the smallest unit.
   */
  async feeRaiseOf(
    batch: OpenBatch,
    newest: UtxoVariant,
    terms: { readonly present: FeePackage; readonly least: bigint; readonly raisedFee: bigint },
  ): Promise<FeeRaise> {
    const { database, network, fees, rates } = this.parts;
    const payments = await batchPayments(database.store, batch.id);
    return {
      unit: RATE_UNIT,
      present: perByte(packageRate(terms.present)),
      least: perByte(terms.least),
      automatic: perByte(rates.most),
      suggested: perByte(await fees.suggested()),
      coin: network.code,
      presentCost: Decimal.ofScaled(terms.present.fee, UTXO_DIGITS),
      raisedCost: Decimal.ofScaled(terms.raisedFee, UTXO_DIGITS),
      payments: payments.length - newest.without.length,
    };
  }

  /**
   * Returns the open batch of a payment and its newest transaction. Refuses a payment that is in no batch,
   * unsigned or in a block.
   */
  async requireWaiting(origin: string) {
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
   * Returns the lowest fee, in the smallest unit, with which nodes accept a replacement of the newest
   * transaction of a batch. A replacement also removes the batch's children from a node's memory pool, so its
   * fee must exceed the fees of the held transaction and all its children together.
   */
  private async leastFee(batch: OpenBatch, newest: UtxoVariant): Promise<bigint> {
    const below = await this.parts.children.feesBelow(batch);
    const { relayRate } = this.parts.network;
    const least = leastRaise(newest, relayRate);
    if (below === 0n) return least;
    const all = heldVariant(batch)!.fee + below + feeAt(relayRate, newest.vbytes) + 1n;
    return all > least ? all : least;
  }
}
