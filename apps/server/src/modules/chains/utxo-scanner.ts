import { Decimal } from '@exchange/core/decimal.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { UTXO_DIGITS, type UtxoChain, type UtxoNetwork } from '@exchange/core/utxo-network.ts';
import type { SeenBlock } from './block-repository.ts';
import { BlockScanner } from './block-scanner.ts';
import type { ChainSighting, ConfirmationSteps } from './domain.ts';
import { arrivalsIn, type UtxoArrival, type UtxoBlock, type WatchedPlace } from './utxo-domain.ts';
import type { UtxoNode } from './utxo-node.ts';
import {
  ownOutputsAmong,
  rollBackUtxoBlocks,
  storeUtxoBlock,
  usersPlacesAmong,
  type BlockChanges,
} from './utxo-repository.ts';

/** Greatest number of blocks that one scan reads. */
const ROUND = 20;
const NOTHING: BlockChanges = { sightings: [], arrivals: [], spent: [] };

interface Parts {
  readonly network: UtxoNetwork;
  readonly chain: UtxoChain;
  /**
   * Number of the first block that is read with an empty database; if undefined, reading starts with the block after
   * the node's newest.
   */
  readonly startBlock: number | undefined;
  readonly node: UtxoNode;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
  readonly steps: ConfirmationSteps;
  /**
   * Returns all addresses of the exchange itself, including cold storage, by script; payments to them are
   * recorded like deposits.
   */
  readonly houses: () => Promise<ReadonlyMap<string, WatchedPlace>>;
}

/** Scans the blocks of a chain of the Bitcoin family for payments to the exchange. */
export class UtxoScanner extends BlockScanner<UtxoBlock, BlockChanges> {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    super({
      network: parts.network.code,
      startBlock: parts.startBlock,
      roundBlocks: ROUND,
      node: parts.node,
      database: parts.database,
      log: parts.log,
    });
    this.parts = parts;
  }

  protected override async requireChain(): Promise<void> {
    const { node, network, chain } = this.parts;
    const genesis = await node.hashAt(0);
    if (genesis !== network.genesis[chain])
      throw new Error(
        `the node is not on the chain ${chain} of ${network.code}: its first block is ${genesis}`,
      );
  }

  protected override storeContents(
    tx: Tx,
    block: SeenBlock,
    contents: BlockChanges | undefined,
    keepBlocks: number,
  ): Promise<void> {
    return storeUtxoBlock(tx, this.parts.network.code, block, contents ?? NOTHING, keepBlocks);
  }

  protected override rollBack(tx: Tx, above: number): Promise<number> {
    return rollBackUtxoBlocks(tx, this.parts.network.code, above);
  }

  protected override async contentsOf(block: UtxoBlock): Promise<BlockChanges> {
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
    // A transaction can also spend an output of the same block, which the database does not contain yet: a child is
    // mined with its parent.
    for (const { txid, outputs } of transactions)
      for (const { vout, script } of outputs) {
        const place = watched.get(script);
        if (place !== undefined) spentAddresses.set(`${txid}:${vout}`, place.address);
      }
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
    // The inputs of all transactions are passed, because a transaction can also spend an output of the same block,
    // which the database does not contain yet.
    const allSpent = transactions.flatMap((transaction) =>
      transaction.inputs.map((input) => ({ ...input, by: transaction.txid })),
    );
    return { sightings: sightingsOf(arrivals, network.code), arrivals, spent: allSpent };
  }
}

/** Converts arrivals to the form in which payments are stored; dust is left out. */
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
