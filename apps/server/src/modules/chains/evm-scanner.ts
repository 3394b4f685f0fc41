import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { GAS_TAG } from '../../platform/signer/protocol.ts';
import type { ChainSighting } from './domain.ts';
import {
  candidatesIn,
  internalTransfers,
  outputOf,
  TRANSFER_TOPIC,
  type Candidate,
  type EvmBlock,
  type EvmReceipt,
  type EvmTerms,
  type InternalTransfer,
} from './evm-domain.ts';
import type { EvmNode } from './evm-node.ts';
import { seenBlocks, type SeenBlock } from './block-repository.ts';
import {
  depositAddressesAmong,
  rollBackEvmBlocks,
  storeBlockAndSightings,
  type BlockContents,
} from './evm-repository.ts';

/** Most blocks read in one round. */
const ROUND = 40;
/** Deepest re-org, in blocks, that is followed automatically. */
const BLOCKS_STORED = 256;
const NOTHING: BlockContents = { sightings: [], touched: [] };

interface Parts {
  readonly terms: EvmTerms;
  readonly chainId: number;
  /** First block to read on an empty database; the newest block if undefined. */
  readonly startBlock: number | undefined;
  readonly node: EvmNode;
  /** Whether the node traces calls, so that transfers of the native coin by contracts are found. */
  readonly isTraced: boolean;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
  /** The exchange's own addresses in lower case; payments to them are recorded like deposits. */
  readonly houses: ReadonlySet<string>;
}

/** Reads a chain block by block, each block once. Detects re-orgs and records the payments they removed. */
export class EvmScanner {
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
    this.head = await node.head();
    let last = await this.cursor();
    this.height = last.number;
    // A shorter chain means that this node lags behind, not that blocks were dropped.
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
    const { database, terms } = this.parts;
    this.height = (await seenBlocks(database.store, terms.network, 1))[0]?.number ?? 0;
  }

  private async requireChain(): Promise<void> {
    if (this.isRightChain) return;
    const { node, chainId } = this.parts;
    const nodeChainId = await node.chainId();
    if (nodeChainId !== chainId) throw new Error(`the node is on chain ${nodeChainId}, not ${chainId}`);
    this.isRightChain = true;
  }

  private async cursor(): Promise<SeenBlock> {
    const { database, terms, node, startBlock } = this.parts;
    const [last] = await seenBlocks(database.store, terms.network, 1);
    if (last !== undefined) return last;
    const number = Math.max(0, (startBlock ?? this.head + 1) - 1);
    const hash = await node.hashAt(number);
    if (hash === undefined) throw new Error(`the node has no block ${number}`);
    await database.transaction((tx) =>
      storeBlockAndSightings(tx, terms.network, { number, hash }, NOTHING, BLOCKS_STORED),
    );
    return { number, hash };
  }

  private async rewind(): Promise<SeenBlock> {
    const { database, terms, node, log } = this.parts;
    for (const block of await seenBlocks(database.store, terms.network, BLOCKS_STORED)) {
      if ((await node.hashAt(block.number)) !== block.hash) continue;
      const goneCount = await database.transaction((tx) =>
        rollBackEvmBlocks(tx, terms.network, block.number),
      );
      log.warn('chains.blocks_taken_back', { network: terms.network, above: block.number, gone: goneCount });
      this.height = block.number;
      return block;
    }
    throw new Error(
      `${terms.network} has taken back more than ${BLOCKS_STORED} blocks; nothing is read until people have looked`,
    );
  }

  private async storeBlock(block: EvmBlock): Promise<SeenBlock> {
    const { database, terms } = this.parts;
    const contents = await this.contentsOf(block);
    await database.transaction((tx) =>
      storeBlockAndSightings(tx, terms.network, block, contents, BLOCKS_STORED),
    );
    this.height = block.number;
    return block;
  }

  private async contentsOf(block: EvmBlock): Promise<BlockContents> {
    const { node, terms, database } = this.parts;
    const contracts = [...terms.tokens.values()].map(({ contract }) => contract);
    const logs =
      contracts.length === 0 || block.transactions.length === 0
        ? []
        : await node.logsIn(block.hash, contracts, TRANSFER_TOPIC);
    const candidates = candidatesIn(block, logs, terms, await this.internalIn(block));
    const ourAddresses = await depositAddressesAmong(database.store, [
      ...new Set(
        candidates.flatMap(({ address, sender }) => (this.parts.houses.has(address) ? [sender] : [address])),
      ),
    ]);
    const sightings: ChainSighting[] = [];
    const { houses } = this.parts;
    const isOurs = (address: string) => ourAddresses.has(address) || houses.has(address);
    // Gas for a sweep remains the exchange's own on the deposit address; it is not the user's deposit.
    const isOwnGas = ({ input, sender, address }: Candidate) =>
      input === GAS_TAG && houses.has(sender) && !houses.has(address);
    for (const candidate of candidates) {
      if (!isOurs(candidate.address) || isOwnGas(candidate)) continue;
      const receipt = await node.receipt(candidate.txid);
      if (receipt?.blockHash !== block.hash)
        throw new Error(`${candidate.txid} has left block ${block.number}`);
      const isInternal = houses.has(candidate.address) && isOurs(candidate.sender);
      const sighting = this.sightingOf(candidate, receipt, isInternal);
      if (sighting !== undefined) sightings.push(sighting);
    }
    return { sightings, touched: partiesOf(block, candidates) };
  }

  /** Transfers of the native coin by contracts; empty where the node is not asked to trace. */
  private async internalIn(block: EvmBlock): Promise<InternalTransfer[]> {
    const { node, terms, isTraced } = this.parts;
    if (!isTraced || terms.coin === undefined || block.transactions.length === 0) return [];
    const traces = await node.traces(block);
    return [...traces].flatMap(([txid, call]) => internalTransfers(txid, call));
  }

  private sightingOf(
    candidate: Candidate,
    receipt: EvmReceipt,
    isInternal: boolean,
  ): ChainSighting | undefined {
    const { txid, asset, address, sender, units, digits } = candidate;
    const output = outputOf(candidate, receipt);
    const coin = findCoinNetwork(asset, this.parts.terms.network);
    if (output === undefined || coin === undefined) return undefined;
    // Fractions finer than the ledger's digits stay with the exchange.
    const amount = Decimal.ofScaled(units, digits).rounded(coin.digits, 'down');
    return amount.isPositive() ? { txid, output, asset, address, sender, isInternal, amount } : undefined;
  }
}

/** The addresses whose balances a block can have changed: who pays for its transactions, and both ends of each transfer. */
function partiesOf({ transactions }: EvmBlock, candidates: readonly Candidate[]): string[] {
  const payers = transactions.map(({ from }) => from.toLowerCase());
  return [...new Set([...payers, ...candidates.flatMap(({ address, sender }) => [address, sender])])];
}
