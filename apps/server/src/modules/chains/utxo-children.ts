import type { UtxoNetwork } from '@exchange/core/utxo-network.ts';
import { NO_PACKAGE, packageWith, type FeePackage } from '@exchange/core/utxo-package.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import { CHANGE_INDEX, BRANCH, type Place } from '../../platform/utxo/scripts.ts';
import { readTransaction } from '../../platform/utxo/transactions.ts';
import {
  batchInputs,
  batchPayments,
  insertBatch,
  readBatch,
  type OpenBatch,
  type UtxoVariant,
} from './utxo-batch-repository.ts';
import { childFee, ChildImpossible } from './utxo-child-domain.ts';
import { childrenOf, countFamily, isInBatch } from './utxo-child-repository.ts';
import type { UtxoNode } from './utxo-node.ts';

interface Parts {
  readonly network: UtxoNetwork;
  readonly own: () => Promise<Place>;
  readonly node: Pick<UtxoNode, 'holds'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
}

/**
 * Whether the transactions of a batch can get into a block, which depends on its parents: the batches whose change it
 * spends, directly or through further children. `usable`: they can, together with the unconfirmed transactions
 * `ancestors`. `idle`: they may never, because nodes hold no or another transaction of a parent than the one whose
 * change is spent, or a payment of that transaction is to be returned to its owner. `gone`: they cannot while a block
 * contains another transaction of a parent, `spender`. A batch of payments has no parents and is always usable.
 */
type Line =
  | { readonly state: 'usable'; readonly ancestors: FeePackage }
  | { readonly state: 'idle' }
  | { readonly state: 'gone'; readonly spender: { readonly txid: string; readonly block: number } };

/** The plan of a child transaction (see `ChainChild`), which can be stored and signed. */
export interface ChildPlan {
  /** The batch whose change the child spends: the batch of payments or the last of its children. */
  readonly parent: OpenBatch;
  readonly fee: bigint;
  /**
   * Total fee (smallest unit) and size (virtual bytes) of the unconfirmed transactions that the child depends
   * on.
   */
  readonly ancestors: FeePackage;
  readonly change: { readonly txid: string; readonly vout: number; readonly units: bigint };
}

/**
 * Returns the transaction of a batch that is probably in the memory pools of nodes: the newest one that a
 * node accepted. Undefined if no node accepted one, or if it makes a payment that the batch's newest
 * transaction leaves out, because that payment is to be returned to its owner.
 */
export function heldVariant({ variants }: Pick<OpenBatch, 'variants'>): UtxoVariant | undefined {
  const without = variants.at(-1)?.without ?? [];
  return variants.findLast(
    (variant) => variant.isSent && without.every((origin) => variant.without.includes(origin)),
  );
}

/**
 * Finds the child transactions of batches (see `ChainChild`), determines whether they can get into a block, and plans
 * further ones.
 */
export class UtxoChildren {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async lineOf(batch: OpenBatch): Promise<Line> {
    const { store } = this.parts.database;
    let ancestors = NO_PACKAGE;
    let child = batch;
    while (child.parent !== undefined) {
      const parent = (await readBatch(store, child.parent))!;
      const [input] = await batchInputs(store, child.id);
      const spends = input!.txid;
      if (parent.spender !== undefined)
        return parent.spender.txid === spends
          ? { state: 'usable', ancestors }
          : { state: 'gone', spender: parent.spender };
      const held = heldVariant(parent);
      if (held?.txid !== spends) return { state: 'idle' };
      ancestors = packageWith(ancestors, held);
      child = parent;
    }
    return { state: 'usable', ancestors };
  }

  /**
   * Returns the child transaction of a batch that spends the change of the batch's held transaction (see
   * `heldVariant`), whether or not the child is signed; undefined if there is none.
   */
  async childOf(batch: OpenBatch): Promise<OpenBatch | undefined> {
    const { store } = this.parts.database;
    const held = heldVariant(batch);
    if (held === undefined) return undefined;
    const child = (await childrenOf(store, batch.id)).find(({ spends }) => spends === held.txid);
    return child === undefined ? undefined : readBatch(store, child.id);
  }

  /**
   * Returns the sum of the fees, in the smallest unit, of the held transactions (see `heldVariant`) of a
   * batch's direct and indirect child transactions.
   */
  async feesBelow(batch: OpenBatch): Promise<bigint> {
    let fees = 0n;
    for (let child = await this.childOf(batch); child !== undefined; child = await this.childOf(child))
      fees += heldVariant(child)?.fee ?? 0n;
    return fees;
  }

  /**
   * Returns the last child transaction in the chain of children that begins at a batch; the batch itself if
   * it has no child.
   */
  async lastBelow(batch: OpenBatch): Promise<OpenBatch> {
    let last = batch;
    for (let child = await this.childOf(batch); child !== undefined; child = await this.childOf(child))
      last = child;
    return last;
  }

  /**
   * Returns the total fee (smallest unit) and size (virtual bytes) of the unconfirmed transactions for which
   * a child of the batch would pay: the batch's held transaction and its unconfirmed ancestors. Throws
   * `ChildImpossible` if the network has no segregated witness, if the node does not hold the transaction, or
   * if the batch of payments has `most` children already.
   */
  async ancestorsFor(batch: OpenBatch, most: number): Promise<FeePackage> {
    const { network, database, node } = this.parts;
    if (network.script !== 'wpkh') throw new ChildImpossible('network');
    const [held, line] = [heldVariant(batch), await this.lineOf(batch)];
    if (held === undefined || line.state !== 'usable' || !(await node.holds(held.txid)))
      throw new ChildImpossible('notHeld');
    if ((await countFamily(database.store, batch.id)) >= most) throw new ChildImpossible('manyChildren');
    return packageWith(line.ancestors, held);
  }

  /**
   * Plans a child transaction of the batch `parent` so that the child and `ancestors` together pay the fee rate `rate`
   * (smallest unit per 1,000 virtual bytes). Throws `ChildImpossible` if there is no change, if another batch spends
   * it, if it is too small for the fee, or if the rate is reached already.
   */
  async plan(parent: OpenBatch, ancestors: FeePackage, rate: bigint): Promise<ChildPlan> {
    const { network, database } = this.parts;
    const { txid, raw, without } = heldVariant(parent)!;
    const [own, payments] = [await this.parts.own(), await batchPayments(database.store, parent.id)];
    // The outputs of a transaction are the payments that it makes (all of the batch except those in
    // `without`), in their order, then the change, if there is any.
    const vout = payments.length - without.length;
    const change = (await readTransaction(raw)).outputs[vout];
    if (change === undefined) throw new ChildImpossible('noChange');
    if (await isInBatch(database.store, network.code, { txid, vout }))
      throw new ChildImpossible('changeSpent');
    const { units } = change;
    const fee = childFee({ network, change: units, rate, ancestors, script: own.script });
    if (typeof fee === 'string') throw new ChildImpossible(fee);
    return { parent, fee, ancestors, change: { txid, vout, units } };
  }

  /** Stores a planned child as a batch without payments, which the signer has yet to sign. Returns its id. */
  async store({ parent, fee, change }: ChildPlan): Promise<string> {
    const { clock, database, network } = this.parts;
    const [id, own] = [newId(systemRandom, clock.now()), await this.parts.own()];
    const { txid, vout, units } = change;
    const input = {
      txid,
      vout,
      units: units.toString(),
      branch: BRANCH.own,
      index: CHANGE_INDEX,
      address: own.address,
    };
    await database.transaction((tx) =>
      insertBatch(tx, {
        id,
        network: network.code,
        parent: parent.id,
        fee,
        now: clock.now(),
        inputs: [input],
        payments: [],
      }),
    );
    return id;
  }
}
