import { readTransaction } from '../../platform/utxo/transactions.ts';
import {
  closeBatch,
  hasUnknownInputs,
  markVariantMinedAs,
  ownTransactions,
  type OpenBatch,
  type UtxoVariant,
} from './utxo-batch-repository.ts';
import { comparableText, type UtxoTransaction } from './utxo-domain.ts';
import type { UtxoParts } from './utxo-parts.ts';

/**
 * Maximum number of transactions in blocks that are compared with a batch in order to find out whether one of them is
 * the batch's transaction under another id.
 */
const CHANGE_LOOKUPS = 20;

type Parts = Pick<UtxoParts, 'database' | 'height' | 'log' | 'needed' | 'network' | 'node' | 'own'>;

/** Finds out which transaction of a batch a block contains. */
export class UtxoMined {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * True if a payment of the exchange that the block with this number contains is final: the block has at
   * least `needed.payment` confirmations, whatever the amount of the payment.
   */
  isFinal(block: number): boolean {
    return this.parts.height() - block + 1 >= this.parts.needed.payment;
  }

  /**
   * Returns the transaction of a batch that a block contains under the id `txid`; `foreign` if it was not
   * signed for the batch. Without segregated witness anybody can change the id of a transaction before a
   * block contains it, but not its inputs, outputs and amounts. A transaction with an unknown id is therefore
   * read from the node and compared with those of the batch; if one matches, the id is stored. `unread` if
   * the node does not have the transaction.
   */
  async minedVariant(batch: OpenBatch, txid: string): Promise<UtxoVariant | 'foreign' | 'unread'> {
    const { node, network } = this.parts;
    const known = batch.variants.find((variant) => variant.txid === txid || variant.minedAs === txid);
    if (known !== undefined) return known;
    if (network.script === 'wpkh') return 'foreign';
    const mined = await node.mined(txid);
    if (mined === undefined) return 'unread';
    return (await this.renamedVariant(batch, mined.transaction)) ?? 'foreign';
  }

  /**
   * Closes a batch whose inputs are missing among the stored outputs, for example because it was adopted from
   * the signer long after a restore, once one of its transactions is final. The transactions are read from
   * the node, which needs an index of all transactions. Without segregated witness, a transaction that was
   * mined under another id is found by its change output while that is unspent. Returns true if a block
   * contains one of the batch's transactions; false otherwise, and for a batch without missing inputs.
   */
  async settleUnseen(batch: OpenBatch): Promise<boolean> {
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
   * Returns the transaction of a batch that has the same inputs and outputs as `transaction`, which a block
   * contains under another id; undefined if there is none. Stores that id.
   */
  private async renamedVariant(
    { id, variants }: OpenBatch,
    { txid, inputs, outputs }: UtxoTransaction,
  ): Promise<UtxoVariant | undefined> {
    const { database, log, network } = this.parts;
    const contents = comparableText({
      inputs,
      outputs: outputs.map(({ script, units }) => ({ script, units })),
    });
    for (const variant of variants) {
      const signed = await readTransaction(variant.raw);
      if (comparableText({ inputs: signed.inputs, outputs: signed.outputs }) !== contents) continue;
      await markVariantMinedAs(database.store, id, { number: variant.number, minedAs: txid });
      log.info('chains.batch_renamed', { network: network.code, batch: id, signed: variant.txid, txid });
      return variant;
    }
    return undefined;
  }

  /**
   * Returns the ids of transactions in blocks whose unspent outputs at the own address could be the change of
   * the batch; empty on networks with segregated witness, where a transaction has only one id.
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
}
