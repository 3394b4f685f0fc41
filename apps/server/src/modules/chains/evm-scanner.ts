import { findCoinNetwork } from '@exchange/core/network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { GAS_TAG } from '../../platform/signer/protocol.ts';
import { ledgerAmount, type ChainSighting } from './domain.ts';
import {
  candidatesIn,
  internalTransfers,
  outputOf,
  TRANSFER_TOPIC,
  withWatched,
  type Candidate,
  type EvmBlock,
  type EvmLog,
  type EvmReceipt,
  type EvmTerms,
  type InternalTransfer,
} from './evm-domain.ts';
import { NodeRefused, type EvmNode } from './evm-node.ts';
import { BlockOfWatched, shownAmount, type WatchedToken } from './watched-tokens-domain.ts';
import { watchedTokens } from './watched-tokens-repository.ts';
import type { SeenBlock } from './block-repository.ts';
import { BlockScanner } from './block-scanner.ts';
import {
  depositAddressesAmong,
  rollBackEvmBlocks,
  storeBlockAndSightings,
  type BlockContents,
} from './evm-repository.ts';

const NOTHING: BlockContents = { sightings: [], touched: [], unfit: new Map() };

interface Parts {
  readonly terms: EvmTerms;
  readonly clock: Clock;
  readonly chainId: number;
  /**
   * Number of the first block that is read with an empty database; if undefined, reading starts with the block after
   * the node's newest.
   */
  readonly startBlock: number | undefined;
  /** Greatest number of blocks that one scan reads. */
  readonly roundBlocks: number;
  readonly node: EvmNode;
  /** True if the node traces calls, so that the scanner finds transfers of the chain's own coin by contracts. */
  readonly isTraced: boolean;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
  /** The exchange's own addresses, such as its wallets, in lower case; payments to them are recorded like deposits. */
  readonly houses: ReadonlySet<string>;
}

/** Scans the blocks of an EVM chain for payments to the exchange. */
export class EvmScanner extends BlockScanner<EvmBlock, BlockContents> {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    super({
      network: parts.terms.network,
      startBlock: parts.startBlock,
      roundBlocks: parts.roundBlocks,
      node: parts.node,
      database: parts.database,
      log: parts.log,
    });
    this.parts = parts;
  }

  protected override async requireChain(): Promise<void> {
    const { node, chainId } = this.parts;
    const nodeChainId = await node.chainId();
    if (nodeChainId !== chainId) throw new Error(`the node is on chain ${nodeChainId}, not ${chainId}`);
  }

  protected override storeContents(
    tx: Tx,
    block: SeenBlock,
    contents: BlockContents | undefined,
    keepBlocks: number,
  ): Promise<void> {
    const { clock, terms } = this.parts;
    return storeBlockAndSightings(tx, terms.network, block, contents ?? NOTHING, {
      keepBlocks,
      now: clock.now(),
    });
  }

  protected override rollBack(tx: Tx, above: number): Promise<number> {
    return rollBackEvmBlocks(tx, this.parts.terms.network, above);
  }

  protected override async contentsOf(block: EvmBlock): Promise<BlockContents> {
    const { node, database } = this.parts;
    if (block.transactions.length === 0) return NOTHING;
    const watched = await watchedTokens(database.store, this.parts.terms.network);
    const candidates = await this.candidatesOf(block, watched);
    const ourAddresses = await depositAddressesAmong(database.store, [
      ...new Set(
        candidates.flatMap(({ address, sender }) => (this.parts.houses.has(address) ? [sender] : [address])),
      ),
    ]);
    const sightings: ChainSighting[] = [];
    const watchedTransfers = new BlockOfWatched();
    const { houses } = this.parts;
    const isOurs = (address: string) => ourAddresses.has(address) || houses.has(address);
    // True for coins that the exchange sent to a deposit address to pay the gas of a sweep; they are no deposit of the
    // user.
    const isOwnGas = ({ input, sender, address }: Candidate) =>
      input === GAS_TAG && houses.has(sender) && !houses.has(address);
    for (const candidate of candidates) {
      if (!isOurs(candidate.address) || isOwnGas(candidate)) continue;
      const token = watched.find(({ contract }) => contract === candidate.asset);
      // The number of transfers that operators see and the amount are checked before the receipt is read, because a
      // contract can report thousands of transfers in a block.
      if (token !== undefined && watchedTransfers.admit(token, candidate.units) === undefined) continue;
      const receipt = await node.receipt(candidate.txid);
      if (receipt?.blockHash !== block.hash)
        throw new Error(`${candidate.txid} has left block ${block.number}`);
      // A transfer of a watched token never counts as internal, because the token's contract can state any sender.
      const isInternal = token === undefined && houses.has(candidate.address) && isOurs(candidate.sender);
      const sighting = this.sightingOf(candidate, receipt, { isInternal, token });
      if (sighting !== undefined) sightings.push(sighting);
    }
    return { sightings, touched: partiesOf(block, candidates), unfit: watchedTransfers.unfit };
  }

  /**
   * Lists the transfers in a block, to any receiver, that may be deposits: of the chain's own coin, of listed
   * tokens, and of watched tokens.
   */
  private async candidatesOf(block: EvmBlock, watched: readonly WatchedToken[]): Promise<Candidate[]> {
    const { node, terms } = this.parts;
    const contracts = [...terms.tokens.values()].map(({ contract }) => contract);
    const logs = contracts.length === 0 ? [] : await node.logsIn(block.hash, contracts, TRANSFER_TOPIC);
    logs.push(...(await this.watchedLogs(block, watched)));
    return candidatesIn(block, logs, withWatched(terms, watched), await this.internalIn(block));
  }

  /**
   * Lists transfers of the chain's own coin by contracts in a block; empty if the settings do not enable the
   * tracing of calls, or if the exchange does not list that coin.
   */
  private async internalIn(block: EvmBlock): Promise<InternalTransfer[]> {
    const { node, terms, isTraced } = this.parts;
    if (!isTraced || terms.coin === undefined || block.transactions.length === 0) return [];
    const traces = await node.traces(block);
    return [...traces].flatMap(([txid, call]) => internalTransfers(txid, call));
  }

  /**
   * Lists the transfer events of watched tokens in a block; empty if the node refuses to list them. A hostile
   * contract can cause this with too many events; payments in listed coins are read nevertheless.
   */
  private async watchedLogs(
    { hash, number }: EvmBlock,
    watched: readonly WatchedToken[],
  ): Promise<readonly EvmLog[]> {
    const { node, terms, log } = this.parts;
    const contracts = watched.map(({ contract }) => contract);
    if (contracts.length === 0) return [];
    try {
      return await node.logsIn(hash, contracts, TRANSFER_TOPIC);
    } catch (cause) {
      if (!(cause instanceof NodeRefused)) throw cause;
      log.warn('chains.watched_tokens_not_read', { network: terms.network, block: number, cause });
      return [];
    }
  }

  /**
   * A payment in the form in which it is stored; `token` is the watched token, undefined for other coins. The result is
   * undefined if the transaction failed, the exchange does not list the coin on the network, or the amount is too small
   * or too large to be shown.
   */
  private sightingOf(
    candidate: Candidate,
    receipt: EvmReceipt,
    { isInternal, token }: { readonly isInternal: boolean; readonly token: WatchedToken | undefined },
  ): ChainSighting | undefined {
    const { txid, asset, address, sender, units } = candidate;
    const output = outputOf(candidate, receipt);
    if (output === undefined) return undefined;
    if (token !== undefined) {
      const amount = shownAmount(token, units);
      return amount && { txid, output, asset, address, sender, isInternal, amount };
    }
    const { network } = this.parts.terms;
    if (findCoinNetwork(asset, network) === undefined) return undefined;
    const amount = ledgerAmount(network, candidate);
    return amount.isPositive() ? { txid, output, asset, address, sender, isInternal, amount } : undefined;
  }
}

/**
 * Returns the addresses whose balances a block may have changed: the payers of its transactions, and sender
 * and receiver of each transfer.
 */
function partiesOf({ transactions }: EvmBlock, candidates: readonly Candidate[]): string[] {
  const payers = transactions.map(({ from }) => from.toLowerCase());
  return [...new Set([...payers, ...candidates.flatMap(({ address, sender }) => [address, sender])])];
}
