import { Decimal } from '@exchange/core/decimal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { UTXO_DIGITS, type UtxoChain, type UtxoNetwork } from '@exchange/core/utxo-network.ts';
import { seenBlocks, type SeenBlock } from './block-repository.ts';
import type { ChainSighting } from './domain.ts';
import {
  arrivalsIn,
  type ConfirmationSteps,
  type UtxoArrival,
  type UtxoBlock,
  type WatchedPlace,
} from './utxo-domain.ts';
import type { UtxoNode } from './utxo-node.ts';
import {
  ownOutputsAmong,
  rollBackUtxoBlocks,
  storeUtxoBlock,
  usersPlacesAmong,
  type BlockChanges,
} from './utxo-repository.ts';

/** Most blocks read in one round. */
const ROUND = 20;
/** Deepest re-org, in blocks, that is followed automatically. */
const KEPT = 256;

interface Parts {
  readonly network: UtxoNetwork;
  readonly chain: UtxoChain;
  /** First block to read on an empty database; the newest block if undefined. */
  readonly startBlock: number | undefined;
  readonly node: UtxoNode;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
  readonly steps: ConfirmationSteps;
  /** The exchange's own addresses by script; payments to them are recorded like deposits. */
  readonly houses: () => Promise<ReadonlyMap<string, WatchedPlace>>;
}

/** Reads a chain block by block, each block once. Detects re-orgs and records the payments they removed. */
export class UtxoScanner {
  private readonly parts: Parts;
  private isRightChain = false;
  /** Number of the newest block that was read. */
  height = 0;
  /** Number of the node's newest block. */
  head = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Reads up to a bounded number of new blocks. Throws if the node does not answer or is on another chain. */
  async round(): Promise<void> {
    const { node } = this.parts;
    await this.requireChain();
    this.head = (await node.chain()).head;
    let last = await this.cursor();
    this.height = last.number;
    // A shorter chain means that this node lags behind, or that it follows another branch that is not as long yet.
    if (this.head < last.number) return;
    const currentHash = await node.hashAt(last.number);
    if (currentHash === undefined) return;
    if (currentHash !== last.hash) last = await this.rewind();
    for (let count = 0; count < ROUND && last.number < this.head; count += 1) {
      const block = await node.blockAt(last.number + 1);
      // A re-org happened during the read; the next round finds the fork.
      if (block === undefined || block.parentHash !== last.hash) return;
      last = await this.storeBlock(block);
    }
  }

  /** Restores the scan position from the database. */
  async load(): Promise<void> {
    const { database, network } = this.parts;
    this.height = (await seenBlocks(database.store, network.code, 1))[0]?.number ?? 0;
  }

  private async requireChain(): Promise<void> {
    if (this.isRightChain) return;
    const { node, network, chain } = this.parts;
    const genesis = await node.hashAt(0);
    if (genesis !== network.genesis[chain])
      throw new Error(
        `the node is not on the chain ${chain} of ${network.code}: its first block is ${genesis}`,
      );
    this.isRightChain = true;
  }

  private async cursor(): Promise<SeenBlock> {
    const { database, network, node, startBlock } = this.parts;
    const [last] = await seenBlocks(database.store, network.code, 1);
    if (last !== undefined) return last;
    const number = Math.max(0, (startBlock ?? this.head + 1) - 1);
    const hash = await node.hashAt(number);
    if (hash === undefined) throw new Error(`the node has no block ${number}`);
    const nothing = { sightings: [], arrivals: [], spent: [] };
    await database.transaction((tx) => storeUtxoBlock(tx, network.code, { number, hash }, nothing, KEPT));
    return { number, hash };
  }

  private async rewind(): Promise<SeenBlock> {
    const { database, network, node, log } = this.parts;
    const { code } = network;
    for (const block of await seenBlocks(database.store, code, KEPT)) {
      if ((await node.hashAt(block.number)) !== block.hash) continue;
      const goneCount = await database.transaction((tx) => rollBackUtxoBlocks(tx, code, block.number));
      log.warn('chains.blocks_taken_back', { network: code, above: block.number, gone: goneCount });
      this.height = block.number;
      return block;
    }
    throw new Error(
      `${code} has taken back more than ${KEPT} blocks; nothing is read until people have looked`,
    );
  }

  private async storeBlock(block: UtxoBlock): Promise<SeenBlock> {
    const { database, network } = this.parts;
    const changes = await this.changesIn(block);
    await database.transaction((tx) => storeUtxoBlock(tx, network.code, block, changes, KEPT));
    this.height = block.number;
    return block;
  }

  private async changesIn(block: UtxoBlock): Promise<BlockChanges> {
    const { database, network, steps, log } = this.parts;
    const { transactions, number } = block;
    const scripts = transactions.flatMap(({ outputs }) => outputs.map(({ script }) => script));
    const watched = new Map([
      ...(await usersPlacesAmong(database.store, network.code, [...new Set(scripts)])),
      ...(await this.parts.houses()),
    ]);
    const inputs = transactions.flatMap((transaction) => transaction.inputs);
    const spent = await ownOutputsAmong(database.store, network.code, inputs);
    const spentAddresses = new Map(spent.map(({ txid, vout, address }) => [`${txid}:${vout}`, address]));
    const arrivals = arrivalsIn(block, {
      network,
      watched,
      steps,
      senderOf: (transaction) =>
        transaction.inputs
          .map(({ txid, vout }) => spentAddresses.get(`${txid}:${vout}`))
          .find((address) => address !== undefined),
    });
    const dust = arrivals.filter(({ isDust }) => isDust);
    if (dust.length > 0)
      log.info('chains.dust_ignored', {
        network: network.code,
        block: number,
        outputs: dust.length,
        first: dust[0]!.txid,
      });
    // Outputs of this block can be spent in it already; they become known with it.
    const allSpent = transactions.flatMap((transaction) =>
      transaction.inputs.map((input) => ({ ...input, by: transaction.txid })),
    );
    return { sightings: sightingsOf(arrivals, network.code), arrivals, spent: allSpent };
  }
}

/** The payments among arrivals. Dust is none. */
function sightingsOf(arrivals: readonly UtxoArrival[], asset: string): ChainSighting[] {
  return arrivals
    .filter(({ isDust }) => !isDust)
    .map(({ txid, vout, address, sender, holder, units, confirmations }) => ({
      txid,
      output: vout,
      asset,
      address,
      sender,
      isInternal: holder !== 'user' && sender !== undefined,
      amount: Decimal.ofScaled(units, UTXO_DIGITS),
      confirmations,
    }));
}
