import {
  closeBatch,
  deletePlan,
  openBatches,
  plannedBatches,
  readBatch,
  type OpenBatch,
} from './utxo-batch-repository.ts';
import type { UtxoBroadcast } from './utxo-broadcast.ts';
import { isChangeSpentUnknown } from './utxo-child-repository.ts';
import type { UtxoChildSending } from './utxo-child-sending.ts';
import type { UtxoChildren } from './utxo-children.ts';
import type { UtxoMined } from './utxo-mined.ts';
import type { UtxoParts } from './utxo-parts.ts';
import type { UtxoReplacement } from './utxo-replacement.ts';
import type { UtxoSigning } from './utxo-signing.ts';

/** Number of open batches that one database query reads. */
const OPEN_PAGE = 100;

interface Parts extends Pick<UtxoParts, 'database' | 'log' | 'network'> {
  readonly signing: UtxoSigning;
  readonly broadcast: UtxoBroadcast;
  readonly mined: UtxoMined;
  readonly replacement: UtxoReplacement;
  readonly children: UtxoChildren;
  readonly childSending: UtxoChildSending;
}

/** Follows batches from the plan to the end: has them signed, broadcasts, replaces and closes them. */
export class UtxoTending {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Sends the planned batches, for which no transaction of the signer is stored, to the signer, and
   * broadcasts those that it signs. Deletes the plan of a child that is no longer useful.
   */
  async signPlans(): Promise<void> {
    const { store } = this.parts.database;
    for (const id of await plannedBatches(store, this.parts.network.code)) {
      const batch = (await readBatch(store, id))!;
      const { parent } = batch;
      if (parent !== undefined && !(await this.isChildNeeded(batch, parent))) continue;
      try {
        await this.parts.signing.signPlan(id);
        await this.tendBatch(id);
      } catch (cause) {
        // The failure of a child is only recorded, so that it does not stop the signing of payments; for example, a
        // signer of an earlier version cannot sign children.
        if (parent === undefined) throw cause;
        this.parts.childSending.noteNoChild(parent, cause);
      }
    }
  }

  /**
   * Processes one batch: broadcasts or replaces its transaction, makes a child that it needs, or closes the
   * batch if it is final. Does nothing for a batch without a signed transaction. Throws if the node does not
   * find the final transaction that spent the batch's inputs.
   */
  async tendBatch(id: string): Promise<void> {
    const { database, log, network, broadcast, childSending, mined, replacement, signing } = this.parts;
    const batch = await readBatch(database.store, id);
    const newest = batch?.variants.at(-1);
    if (batch === undefined || newest === undefined) return;
    const { spender } = batch;
    if (spender !== undefined) {
      if (!mined.isFinal(spender.block)) return;
      const found = await mined.minedVariant(batch, spender.txid);
      if (found === 'unread')
        throw new Error(`the node does not find ${spender.txid}, which spent the outputs of the batch ${id}`);
      if (found === 'foreign')
        log.error('chains.batch_displaced', { network: network.code, batch: id, txid: spender.txid });
      else if (await isChangeSpentUnknown(database.store, network.code, spender.txid))
        await signing.adoptNamed(id);
      await this.close(id, spender);
      return;
    }
    const line = await this.parts.children.lineOf(batch);
    if (line.state === 'gone') {
      if (!mined.isFinal(line.spender.block)) return;
      log.info('chains.child_closed', { network: network.code, batch: id, txid: line.spender.txid });
      await this.close(id, line.spender);
    }
    if (line.state !== 'usable') return;
    const isDue = broadcast.isDue(id);
    if (isDue && (await mined.settleUnseen(batch))) return;
    const child = await this.parts.children.childOf(batch);
    if (child !== undefined) {
      // A batch with a child is not replaced: the child already raises the fee rate of both, and a replacement would
      // make the child invalid.
      replacement.forget(id);
      if (child.variants.length > 0) childSending.forget(id);
      if (isDue) await broadcast.broadcastWithChild(batch, newest);
      return;
    }
    const replaced = await replacement.replaceStuck(batch, newest);
    if (replaced === undefined && isDue) await broadcast.broadcast(id, batch.variants, newest);
    if (replaced !== undefined || isDue) await this.helpStuck(id);
  }

  /**
   * Yields the ids of the batches without a final transaction, oldest first; they are read from the database in pages.
   */
  async *open(): AsyncGenerator<string> {
    const { database, network } = this.parts;
    for (let after: string | undefined; ;) {
      const page = await openBatches(database.store, network.code, { after, limit: OPEN_PAGE });
      yield* page;
      after = page.at(-1);
      if (page.length < OPEN_PAGE) return;
    }
  }

  /**
   * True if an unsigned child is still useful. False, after deleting its plan, if a block contains a transaction of its
   * parent, or if nodes hold other transactions than those that it depends on. If the signer has signed the child
   * nevertheless, the child is adopted when the signer refuses a batch that spends the same output.
   */
  private async isChildNeeded(child: OpenBatch, parent: string): Promise<boolean> {
    const { store } = this.parts.database;
    const line = await this.parts.children.lineOf(child);
    const isMined = (await readBatch(store, parent))?.spender !== undefined;
    if (!isMined && line.state === 'usable') return true;
    await deletePlan(store, child.id);
    this.parts.childSending.forget(parent);
    return false;
  }

  /** Makes and broadcasts a child of a waiting batch if the batch needs one, as specified at `makeNeeded`. */
  private async helpStuck(id: string): Promise<void> {
    const { childSending } = this.parts;
    const child = await childSending.makeNeeded(id);
    if (child === undefined) return;
    try {
      await this.tendBatch(child);
      childSending.forget(id);
    } catch (cause) {
      childSending.noteNoChild(id, cause);
    }
  }

  private async close(id: string, spender: { readonly txid: string; readonly block: number }): Promise<void> {
    const { broadcast, childSending, database, replacement, signing } = this.parts;
    await closeBatch(database.store, id, spender);
    for (const memory of [replacement, childSending, broadcast, signing]) memory.forget(id);
  }
}
