import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import {
  candidatesIn,
  outputOf,
  TRANSFER_TOPIC,
  type Candidate,
  type EvmBlock,
  type EvmReceipt,
  type EvmTerms,
  type Sighting,
} from './evm-domain.ts';
import type { EvmNode } from './evm-node.ts';
import { keepBlock, oursAmong, seenBlocks, takeBack, type Seen } from './evm-repository.ts';

/** Blocks read in one round. */
const ROUND = 40;
/** So many blocks the chain may take back and be followed. */
const KEPT = 256;

interface Parts {
  readonly terms: EvmTerms;
  readonly chainId: number;
  /** Where to begin on a database that has seen no block yet; at the newest without it. */
  readonly startBlock: number | undefined;
  readonly node: EvmNode;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
}

/** Reads a chain block by block, each once; notices when it has taken blocks back, and says what went with them. */
export class EvmScanner {
  private readonly parts: Parts;
  private isRightChain = false;
  /** The newest block that was read. */
  height = 0;
  /** The newest that the node told of. */
  head = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Reads what is new, a bounded number of blocks. Throws where the node does not answer, or is another chain's. */
  async round(): Promise<void> {
    const { node } = this.parts;
    await this.requireChain();
    this.head = await node.head();
    let last = await this.cursor();
    this.height = last.number;
    // A node that lags behind another knows less, and nothing has been taken back.
    if (this.head < last.number) return;
    const there = await node.hashAt(last.number);
    if (there === undefined) return;
    if (there !== last.hash) last = await this.rewind();
    for (let read = 0; read < ROUND && last.number < this.head; read += 1) {
      const block = await node.blockAt(last.number + 1);
      // Taken back while it was being read; the next round finds where.
      if (block === undefined || block.parentHash !== last.hash) return;
      last = await this.keep(block);
    }
  }

  /** Where the last reading ended, also after a start. */
  async load(): Promise<void> {
    const { database, terms } = this.parts;
    this.height = (await seenBlocks(database.store, terms.network, 1))[0]?.number ?? 0;
  }

  private async requireChain(): Promise<void> {
    if (this.isRightChain) return;
    const { node, chainId } = this.parts;
    const told = await node.chainId();
    if (told !== chainId) throw new Error(`the node is on chain ${told}, not ${chainId}`);
    this.isRightChain = true;
  }

  private async cursor(): Promise<Seen> {
    const { database, terms, node, startBlock } = this.parts;
    const [last] = await seenBlocks(database.store, terms.network, 1);
    if (last !== undefined) return last;
    const number = Math.max(0, (startBlock ?? this.head + 1) - 1);
    const hash = await node.hashAt(number);
    if (hash === undefined) throw new Error(`the node has no block ${number}`);
    await database.transaction((tx) => keepBlock(tx, terms.network, { number, hash }, [], KEPT));
    return { number, hash };
  }

  private async rewind(): Promise<Seen> {
    const { database, terms, node, log } = this.parts;
    for (const seen of await seenBlocks(database.store, terms.network, KEPT)) {
      if ((await node.hashAt(seen.number)) !== seen.hash) continue;
      const gone = await database.transaction((tx) => takeBack(tx, terms.network, seen.number));
      log.warn('chains.blocks_taken_back', { network: terms.network, above: seen.number, gone });
      this.height = seen.number;
      return seen;
    }
    throw new Error(
      `${terms.network} has taken back more than ${KEPT} blocks; nothing is read until people have looked`,
    );
  }

  private async keep(block: EvmBlock): Promise<Seen> {
    const { database, terms } = this.parts;
    const sightings = await this.paymentsIn(block);
    await database.transaction((tx) => keepBlock(tx, terms.network, block, sightings, KEPT));
    this.height = block.number;
    return block;
  }

  private async paymentsIn(block: EvmBlock): Promise<Sighting[]> {
    const { node, terms, database } = this.parts;
    const contracts = [...terms.tokens.values()].map(({ contract }) => contract);
    const logs =
      contracts.length === 0 || block.transactions.length === 0
        ? []
        : await node.logsIn(block.hash, contracts, TRANSFER_TOPIC);
    const candidates = candidatesIn(block, logs, terms);
    const ours = await oursAmong(database.store, [...new Set(candidates.map(({ address }) => address))]);
    const found: Sighting[] = [];
    for (const one of candidates.filter(({ address }) => ours.has(address))) {
      const receipt = await node.receipt(one.txid);
      if (receipt?.blockHash !== block.hash) throw new Error(`${one.txid} has left block ${block.number}`);
      const sighting = this.sightingOf(one, receipt);
      if (sighting !== undefined) found.push(sighting);
    }
    return found;
  }

  private sightingOf(one: Candidate, receipt: EvmReceipt): Sighting | undefined {
    const { txid, asset, address, units, digits } = one;
    const output = outputOf(one, receipt);
    const coin = findCoinNetwork(asset, this.parts.terms.network);
    if (output === undefined || coin === undefined) return undefined;
    // What is finer than an account counts stays with the house.
    const amount = Decimal.ofScaled(units, digits).rounded(coin.digits, 'down');
    return amount.isPositive() ? { txid, output, asset, address, amount } : undefined;
  }
}
