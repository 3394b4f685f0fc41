import { markVariantSent, type OpenBatch, type UtxoVariant } from './utxo-batch-repository.ts';
import { heldVariant } from './utxo-children.ts';
import { UtxoNodeRefused } from './utxo-node.ts';
import type { UtxoParts } from './utxo-parts.ts';

const BROADCAST_MS = 60_000;

type Parts = Pick<UtxoParts, 'clock' | 'database' | 'log' | 'node'>;

/** Broadcasts the transactions of batches, each again every minute until a block contains it. */
export class UtxoBroadcast {
  private readonly parts: Parts;
  private readonly broadcastAt = new Map<string, number>();
  /**
   * By batch: the id of the transaction that the node refused at the last broadcast; no entry once the node has
   * accepted one.
   */
  private readonly refusedByNode = new Map<string, string>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** True if the last broadcast of the batch was a minute ago or longer, or if there was none since the start. */
  isDue(id: string): boolean {
    return this.parts.clock.now() - (this.broadcastAt.get(id) ?? 0) >= BROADCAST_MS;
  }

  /** True if the node refused this transaction of the batch at the last broadcast. */
  isRefused(id: string, txid: string): boolean {
    return this.refusedByNode.get(id) === txid;
  }

  /**
   * Deletes from memory the last broadcast of a batch and the transaction that the node refused, once the
   * batch is closed.
   */
  forget(id: string): void {
    this.refusedByNode.delete(id);
    this.broadcastAt.delete(id);
  }

  /**
   * Broadcasts a transaction of a batch; a failure is only logged. If the node refuses the transaction, the
   * newest one of the batch that the node accepted earlier is broadcast again, if there is one.
   */
  async broadcast(id: string, variants: readonly UtxoVariant[], { txid, raw }: UtxoVariant): Promise<void> {
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

  /**
   * Broadcasts the held transaction of a batch, whose change a child spends. If the node refuses it, for example
   * because it has dropped the transaction and its fee is too low now, broadcasts the newest transaction of the batch
   * instead.
   */
  async broadcastWithChild({ id, variants }: OpenBatch, newest: UtxoVariant): Promise<void> {
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

  /** Broadcasts a transaction again that the node accepted earlier; a failure is only logged. */
  private async broadcastAgain(id: string, { txid, raw }: UtxoVariant): Promise<void> {
    const { node, log } = this.parts;
    await node.broadcast(raw).catch((cause: unknown) => {
      log.warn('chains.not_handed_over', { batch: id, txid, cause });
    });
  }
}

/**
 * Returns the newest transaction of a batch that a node accepted, without the one with the id `refused`.
 * Undefined if there is none, or if it makes a payment that the batch's newest transaction leaves out,
 * because that payment is to be returned to its owner.
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
