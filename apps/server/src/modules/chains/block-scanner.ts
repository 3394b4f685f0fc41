import type { Database, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { seenBlocks, type SeenBlock } from './block-repository.ts';

/**
 * Number of newest blocks that are stored, and thus the depth of the deepest re-org that the scanner follows
 * automatically.
 */
const BLOCKS_STORED = 256;

/** A block with its number, its hash and the hash of its parent block, which link it into the chain. */
export interface LinkedBlock extends SeenBlock {
  readonly parentHash: string;
}

/** The functions of a blockchain node that a block scanner calls. */
export interface BlockNode<Block extends LinkedBlock> {
  /**
   * Returns the number of the newest block that the node has with the finality at which the chain is read.
   */
  head(): Promise<number>;
  /**
   * Returns the hash of the block with this number in the node's present chain; undefined if the chain has no
   * such block.
   */
  hashAt(number: number): Promise<string | undefined>;
  blockAt(number: number): Promise<Block | undefined>;
}

interface Options<Block extends LinkedBlock> {
  readonly network: string;
  /**
   * Number of the first block that is read with an empty database; if undefined, reading starts with the block after
   * the node's newest.
   */
  readonly startBlock: number | undefined;
  /** Greatest number of blocks that one scan reads. */
  readonly roundBlocks: number;
  readonly node: BlockNode<Block>;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
}

/**
 * Reads a blockchain block by block, each block once. Detects re-orgs, and records that the payments in the removed
 * blocks are gone.
 */
export abstract class BlockScanner<Block extends LinkedBlock, Contents> {
  /** Number of the newest block that the scanner has read; 0 before the first block. */
  height = 0;
  /**
   * Number of the newest block that the node had at the last scan, with the finality at which the chain is read; 0
   * before the first scan.
   */
  head = 0;
  readonly #options: Options<Block>;
  #isRightChain = false;

  constructor(options: Options<Block>) {
    this.#options = options;
  }

  /**
   * Reads new blocks, at most the number `roundBlocks`; reads fewer or none, without an error, while the node lags
   * behind or its chain changes during the scan. Throws if the node does not answer, if it is on another chain, or if a
   * re-org is deeper than the stored blocks.
   */
  async round(): Promise<void> {
    const { node, roundBlocks } = this.#options;
    if (!this.#isRightChain) await this.requireChain();
    this.#isRightChain = true;
    this.head = await node.head();
    let last = await this.#cursor();
    this.height = last.number;
    // A chain shorter than the stored one means that this node lags behind, or that it follows another branch that is
    // still shorter; the scan then reads nothing.
    if (this.head < last.number) return;
    const currentHash = await node.hashAt(last.number);
    if (currentHash === undefined) return;
    if (currentHash !== last.hash) last = await this.#rewind();
    for (let count = 0; count < roundBlocks && last.number < this.head; count += 1) {
      const block = await node.blockAt(last.number + 1);
      // A re-org has replaced blocks during this scan, so the scan ends. The next scan finds the last block that both
      // chains share.
      if (block === undefined || block.parentHash !== last.hash) return;
      last = await this.#store(block, await this.contentsOf(block));
    }
  }

  /**
   * Loads into memory (`height`) the number of the newest block that was scanned, from the database; 0 if
   * none was.
   */
  async load(): Promise<void> {
    const { database, network } = this.#options;
    this.height = (await seenBlocks(database.store, network, 1))[0]?.number ?? 0;
  }

  /** Throws if the node is on another chain than the one in the settings. */
  protected abstract requireChain(): Promise<void>;

  /** Extracts from a block the payments and other facts that are stored. */
  protected abstract contentsOf(block: Block): Promise<Contents>;

  /**
   * Stores a block with its contents, and deletes stored blocks whose number is more than `keepBlocks` below that of
   * the block. `contents` is undefined for the block after which the reading starts with an empty database.
   */
  protected abstract storeContents(
    tx: Tx,
    block: SeenBlock,
    contents: Contents | undefined,
    keepBlocks: number,
  ): Promise<void>;

  /**
   * Removes every stored block whose number is greater than `above`, and records its payments as dropped by the
   * network. Returns the number of these payments.
   */
  protected abstract rollBack(tx: Tx, above: number): Promise<number>;

  async #cursor(): Promise<SeenBlock> {
    const { database, network, node, startBlock } = this.#options;
    const [last] = await seenBlocks(database.store, network, 1);
    if (last !== undefined) return last;
    const number = Math.max(0, (startBlock ?? this.head + 1) - 1);
    const hash = await node.hashAt(number);
    if (hash === undefined) throw new Error(`the node has no block ${number}`);
    return this.#store({ number, hash }, undefined);
  }

  async #rewind(): Promise<SeenBlock> {
    const { database, network, node, log } = this.#options;
    for (const block of await seenBlocks(database.store, network, BLOCKS_STORED)) {
      if ((await node.hashAt(block.number)) !== block.hash) continue;
      const goneCount = await database.transaction((tx) => this.rollBack(tx, block.number));
      log.warn('chains.blocks_taken_back', { network, above: block.number, gone: goneCount });
      this.height = block.number;
      return block;
    }
    throw new Error(
      `${network} has taken back more than ${BLOCKS_STORED} blocks; nothing is read until people have looked`,
    );
  }

  async #store(block: SeenBlock, contents: Contents | undefined): Promise<SeenBlock> {
    const { database } = this.#options;
    await database.transaction((tx) => this.storeContents(tx, block, contents, BLOCKS_STORED));
    this.height = block.number;
    return block;
  }
}
