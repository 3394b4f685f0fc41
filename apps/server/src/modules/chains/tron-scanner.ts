import { findCoinNetwork } from '@exchange/core/network.ts';
import { TRON, TRON_GENESIS } from '@exchange/core/tron-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { SeenBlock } from './block-repository.ts';
import { BlockScanner } from './block-scanner.ts';
import { ChannelUnavailable } from './channel.ts';
import { ledgerAmount, type ChainSighting } from './domain.ts';
import type { EvmToken } from './evm-domain.ts';
import {
  coinTransfersIn,
  flowsOf,
  outcomesOf,
  transfersIn,
  tronAddress,
  TRX,
  unlistedTokens,
  type TronBlock,
  type TronTransfer,
} from './tron-domain.ts';
import type { TronNode } from './tron-node.ts';
import { signedAmong } from './tron-payment-repository.ts';
import { storeTronBlock, tronAddressesAmong, type TronContents } from './tron-repository.ts';
import { BlockOfWatched, type WatchedToken } from './watched-tokens-domain.ts';
import { everWatchedTokens, watchedTokens } from './watched-tokens-repository.ts';

/** Greatest number of blocks that one scan reads. */
const ROUND = 40;

interface Parts {
  /** Name of the TRON network, a key of `TRON_GENESIS`. */
  readonly chain: string;
  readonly tokens: ReadonlyMap<string, EvmToken>;
  /**
   * Number of the first block that is read with an empty database; if undefined, reading starts with the block after
   * the node's newest.
   */
  readonly startBlock: number | undefined;
  readonly node: TronNode;
  /**
   * A second node. A block that contains payments or transactions of the exchange is stored only if this node has the
   * same block. Undefined without a second node.
   */
  readonly second: TronNode | undefined;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
  /** The exchange's own addresses, such as its wallets; payments to them are recorded like deposits. */
  readonly houses: ReadonlySet<string>;
}

/** Scans the solidified blocks of TRON for payments to the exchange. */
export class TronScanner extends BlockScanner<TronBlock, TronContents> {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    super({
      network: TRON,
      startBlock: parts.startBlock,
      roundBlocks: ROUND,
      node: parts.node,
      database: parts.database,
      log: parts.log,
    });
    this.parts = parts;
  }

  protected override async requireChain(): Promise<void> {
    const { node, second, chain } = this.parts;
    for (const each of second === undefined ? [node] : [node, second]) {
      const genesis = await each.hashAt(0);
      if (genesis !== TRON_GENESIS.get(chain))
        throw new Error(`the node is not on the network ${chain} of TRON: its first block is ${genesis}`);
    }
  }

  protected override storeContents(
    tx: Tx,
    block: SeenBlock,
    contents: TronContents | undefined,
    keepBlocks: number,
  ): Promise<void> {
    return storeTronBlock(tx, TRON, block, contents, { keepBlocks, now: this.parts.clock.now() });
  }

  /**
   * Always rejects and removes no block: a solidified block is never replaced, so the node either is faulty
   * or was replaced by a node with another history.
   */
  protected override rollBack(_tx: Tx, above: number): Promise<number> {
    return Promise.reject(
      new Error(`the node has other solidified blocks than were read, from ${above + 1} on`),
    );
  }

  protected override async contentsOf(block: TronBlock): Promise<TronContents> {
    const { tokens, houses, database } = this.parts;
    const { transactions, time } = block;
    const transfers = transfersIn(transactions, tokens);
    const watched = await watchedTokens(database.store, TRON);
    const unlisted = transfersIn(transactions, unlistedTokens(watched, tokens));
    // Transfers of tokens that are or were watched are counted by contract, so that holdings include them once the token
    // is listed.
    const everWatched = await everWatchedTokens(database.store, TRON);
    const counted = transfersIn(transactions, unlistedTokens(everWatched, tokens));
    if (watched.some(({ contract }) => contract === TRX)) unlisted.push(...coinTransfersIn(transactions));
    const payers = transactions.flatMap(({ owner }) => (owner === undefined ? [] : [tronAddress(owner)]));
    const parties = new Set([
      ...payers,
      ...[...transfers, ...unlisted, ...counted].flatMap(({ sender, receiver }) => [sender, receiver]),
    ]);
    const users = await tronAddressesAmong(database.store, [...parties]);
    const isOwn = (address: string) => users.has(address) || houses.has(address);
    // A transaction that was signed for a payment is recorded also if the settings no longer contain the wallet that
    // paid it.
    const signed = await signedAmong(
      database.store,
      transactions.map(({ txid }) => txid),
    );
    const outcomes = outcomesOf(transactions, transfers, { isOwn, signed });
    const sightings = transfers.flatMap((transfer): ChainSighting[] => {
      const { txid, output, asset, sender, receiver } = transfer;
      if (!isOwn(receiver) || findCoinNetwork(asset, TRON) === undefined) return [];
      const amount = ledgerAmount(TRON, transfer);
      if (!amount.isPositive()) return [];
      const isInternal = houses.has(receiver) && isOwn(sender);
      return [{ txid, output, asset, address: receiver, sender, isInternal, amount }];
    });
    const seen = seenUnlisted(unlisted, watched, { isOwn, houses });
    const flows = flowsOf([...transfers, ...counted], isOwn);
    if (sightings.length + seen.unlisted.length + outcomes.length + flows.size > 0)
      await this.requireAgreement(block);
    return {
      time,
      outcomes,
      sightings,
      unlisted: seen.unlisted,
      unfit: seen.unfit,
      flows,
    };
  }

  /** Throws if the second node does not have the same block; does nothing without a second node. */
  private async requireAgreement({ number, hash }: TronBlock): Promise<void> {
    const { second } = this.parts;
    if (second === undefined) return;
    const other = await second.hashAt(number);
    if (other === undefined)
      throw new ChannelUnavailable(`the second node does not have the solidified block ${number} yet`);
    if (other !== hash) throw new Error(`the nodes have different solidified blocks ${number}`);
  }
}

/**
 * Selects the payments in watched tokens and TRX that operators may see, and counts the others by contract.
 * TRX count only if an address that does not belong to the exchange sent them to a deposit address: the
 * exchange's own wallets burn TRX, and send them to deposit addresses for sweeps. The sender of a token
 * transfer is ignored, because a contract can state any sender.
 */
function seenUnlisted(
  transfers: readonly TronTransfer[],
  watched: readonly WatchedToken[],
  { isOwn, houses }: { readonly isOwn: (address: string) => boolean; readonly houses: ReadonlySet<string> },
): Pick<TronContents, 'unlisted' | 'unfit'> {
  const tokens = new Map(watched.map((token) => [token.contract, token]));
  const unlisted: ChainSighting[] = [];
  const block = new BlockOfWatched();
  for (const { txid, output, asset, sender, receiver, units } of transfers) {
    const isCounted = asset === TRX ? !houses.has(receiver) && !isOwn(sender) : true;
    if (!isOwn(receiver) || !isCounted) continue;
    const amount = block.admit(tokens.get(asset)!, units);
    if (amount !== undefined)
      unlisted.push({ txid, output, asset, address: receiver, sender, isInternal: false, amount });
  }
  return { unlisted, unfit: block.unfit };
}
