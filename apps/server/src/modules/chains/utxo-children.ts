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
 * How a batch stands below its parents. `usable`: nodes can accept its transactions, which are mined with the
 * unconfirmed transactions `ancestors`. `idle`: nodes hold another transaction of a parent, or one of a parent's payments
 * is to be returned, so its input may never exist. `gone`: a block contains another transaction of a parent, `spender`,
 * so its input cannot exist while that block stands. A batch of payments is always usable.
 */
type Line =
  | { readonly state: 'usable'; readonly ancestors: FeePackage }
  | { readonly state: 'idle' }
  | { readonly state: 'gone'; readonly spender: { readonly txid: string; readonly block: number } };

/** A child that can be stored and signed. */
export interface ChildPlan {
  /** The last batch of the chain of children, whose change the child spends. */
  readonly parent: OpenBatch;
  readonly fee: bigint;
  /** All transactions above the child, from the batch of payments on. */
  readonly ancestors: FeePackage;
  readonly change: { readonly txid: string; readonly vout: number; readonly units: bigint };
}

/**
 * The transaction of a batch that nodes probably hold: the newest one that a node accepted. Undefined if there is none,
 * or if it makes a payment that the newest transaction of all leaves out, because that payment is to be returned.
 */
export function heldVariant({ variants }: Pick<OpenBatch, 'variants'>): UtxoVariant | undefined {
  const without = variants.at(-1)?.without ?? [];
  return variants.findLast(
    (variant) => variant.isSent && without.every((origin) => variant.without.includes(origin)),
  );
}

/** The children of batches: how they stand, and which further one is possible. */
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
   * The child that spends the change of the transaction that nodes hold, also if it is not signed yet; undefined if there
   * is none.
   */
  async childOf(batch: OpenBatch): Promise<OpenBatch | undefined> {
    const { store } = this.parts.database;
    const held = heldVariant(batch);
    if (held === undefined) return undefined;
    const child = (await childrenOf(store, batch.id)).find(({ spends }) => spends === held.txid);
    return child === undefined ? undefined : readBatch(store, child.id);
  }

  /** Sum of the fees of the children that nodes hold below a batch, in the smallest unit. */
  async feesBelow(batch: OpenBatch): Promise<bigint> {
    let fees = 0n;
    for (let child = await this.childOf(batch); child !== undefined; child = await this.childOf(child))
      fees += heldVariant(child)?.fee ?? 0n;
    return fees;
  }

  /** The last of the chain of children below a batch; the batch itself if it has none. */
  async lastBelow(batch: OpenBatch): Promise<OpenBatch> {
    let last = batch;
    for (let child = await this.childOf(batch); child !== undefined; child = await this.childOf(child))
      last = child;
    return last;
  }

  /**
   * The transactions that a child of the batch would pay for: the one that the node holds, with its unconfirmed
   * ancestors. Throws `ChildImpossible` if there are none, or if `most` children were signed for the batch of payments.
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
   * Plans the child of a batch that brings itself and `ancestors` to `rate` (smallest unit per 1,000 virtual bytes).
   * Throws `ChildImpossible` if the change cannot pay for it.
   */
  async plan(parent: OpenBatch, ancestors: FeePackage, rate: bigint): Promise<ChildPlan> {
    const { network, database } = this.parts;
    const { txid, raw, without } = heldVariant(parent)!;
    const [own, payments] = [await this.parts.own(), await batchPayments(database.store, parent.id)];
    // The outputs are the payments in their order, and then the change if there is any.
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

  /** Stores a planned child as a batch that is to be signed. Returns its id. */
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
