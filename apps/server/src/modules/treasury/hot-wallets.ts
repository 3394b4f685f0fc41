import type { Exposure } from '@exchange/core/figures.ts';
import { Decimal, least } from '@exchange/core/decimal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { findNetwork } from '@exchange/core/network-table.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { coldOrigin, coldTransferDigest, DIGEST_PURPOSE } from '../../platform/signer/protocol.ts';
import { ChannelAway, type Chains, type HotWallet, type Sending } from '../chains/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { HotCommands } from './hot-commands.ts';
import {
  hotStateOf,
  isSurplusUnneeded,
  leavesShort,
  refillOf,
  refillOutcome,
  surplusOf,
  type ApprovedNeed,
  type HotCoin,
  type WalletTransfer,
} from './hot-domain.ts';
import { closedTransfers, findTransfer, internalArrivals, openTransfers } from './hot-repository.ts';
import type { Treasury } from './service.ts';

export interface HotWalletParts {
  readonly chains: Pick<
    Chains,
    'channels' | 'send' | 'status' | 'void' | 'confirmations' | 'confirmationsNeeded'
  >;
  readonly commands: HotCommands;
  readonly database: Pick<Database, 'store' | 'reader'>;
  readonly ledger: Pick<Ledger, 'isStopped'>;
  readonly log: Log;
  readonly secret: Pick<ServerSecret, 'key'>;
  readonly sequencer: Pick<Sequencer, 'execute' | 'settled'>;
  readonly treasury: Pick<Treasury, 'pausedCoins'>;
  /**
   * Returns, by coin and network, the amounts without fees that the hot wallets still have to pay, in units of the
   * coin: those of approved withdrawals and returns whose transactions are in no block yet.
   */
  readonly approvedNeeds: () => Promise<readonly ApprovedNeed[]>;
  /** Whether no payment may be sent: true after the restore of a backup until an operator resumes sending. */
  readonly isSendingPaused: () => boolean;
}

/** A coin of a hot wallet; `balance` is undefined if the last attempt to read it failed. */
export interface HotCoinView extends Omit<HotCoin, 'balance'> {
  readonly hot: HotWallet;
  readonly balance: Decimal | undefined;
}

const LIST_SIZE = 200;

/**
 * Compares the balance of every hot wallet with its bounds and with the needs of approved withdrawals and
 * returns. Requests refills from the cold wallet and moves of surplus to it, and sends approved moves. All work
 * can be repeated safely: at most one request of a kind is open per network and coin, and a move is signed only
 * once, under its id.
 */
export class HotWallets {
  private readonly parts: HotWalletParts;
  private readonly key: Buffer;
  private readonly runs = new SerialRuns(() => this.checkAll());
  private coins: readonly HotCoinView[] = [];
  /** By network, why the last run could not read the balances of its hot wallet. */
  private unread: ReadonlyMap<string, string> = new Map();
  /** By transfer id, why an approved move to the cold wallet could not be sent or completed in the last run. */
  private waiting: ReadonlyMap<string, string> = new Map();

  constructor(parts: HotWalletParts) {
    this.parts = parts;
    this.key = parts.secret.key(DIGEST_PURPOSE);
  }

  /**
   * Compares all balances of hot wallets with their bounds, updates the requests for refills and moves, and advances
   * all approved moves.
   */
  check(): Promise<void> {
    return this.runs.run();
  }

  /** The coins for which a hot wallet has bounds, with the wallet's balance of each at the last `check`. */
  get overview(): readonly HotCoinView[] {
    return this.coins;
  }

  /**
   * Returns, for the list of the exchange's risks, the amounts that approved withdrawals and returns need,
   * and each hot wallet balance less these amounts, which is negative for a shortage; by coin and network.
   */
  async exposures(): Promise<readonly Exposure[]> {
    const needs = await this.parts.approvedNeeds();
    return [
      ...needs.map(({ asset, network, amount }) => ({
        measure: 'withdrawalNeed' as const,
        subject: `${asset} on ${network}`,
        value: amount,
        unit: asset,
      })),
      ...this.coins.map(({ asset, network, balance, needed }) => ({
        measure: 'hotWallet' as const,
        subject: `${asset} on ${network}`,
        value: balance?.minus(needed),
        unit: asset,
      })),
    ];
  }

  /** Problems of the hot wallets that operators should know; empty if there are none. */
  get problems(): readonly string[] {
    const problems = [...this.unread].map(([network, text]) => `the hot wallet on ${network}: ${text}`);
    for (const coin of this.coins) {
      const state = stateOfView(coin);
      const { asset, network, needed, bounds } = coin;
      const balance = coin.balance?.toString();
      if (state === 'short')
        problems.push(
          `${balance} ${asset} in the hot wallet on ${network}, at least ${bounds.least.toString()} and ${needed.toString()} for withdrawals are needed: refill it`,
        );
      if (state === 'full')
        problems.push(
          `${balance} ${asset} in the hot wallet on ${network}, ${bounds.most.toString()} at most: move the surplus`,
        );
    }
    return [...problems, ...this.waiting.values()];
  }

  /**
   * Returns open transfers between hot and cold wallets, oldest first; at most one per kind, network and
   * coin.
   */
  open() {
    return openTransfers(this.parts.database.store, LIST_SIZE);
  }

  closed() {
    return closedTransfers(this.parts.database.store, LIST_SIZE);
  }

  /**
   * Returns the coin that a transfer moves, with the hot wallet's balance of it, its bounds, and the amount
   * that approved payments need, all at the last run. Undefined before the first run, and if the settings no
   * longer contain the coin.
   */
  coinOf({ network, asset }: Pick<WalletTransfer, 'network' | 'asset'>): HotCoinView | undefined {
    return this.coins.find((coin) => coin.network === network && coin.asset === asset);
  }

  /**
   * Returns the requested move of a surplus that can be approved now. Refuses an unknown move, one that is not open any
   * more, and one whose addresses are no longer those of the hot and the cold wallet. Also refuses if the balance of
   * the hot wallet is unknown, or if the move would leave the wallet short.
   */
  async requireMovable(id: string): Promise<WalletTransfer> {
    const transfer = await findTransfer(this.parts.database.store, id);
    if (transfer?.kind !== 'surplus') throw new Refused(refusal('generic', 'l.not_found'));
    if (transfer.state !== 'open') throw new Refused(refusal('closed', 'l.transfer_decided'));
    const coin = this.coinOf(transfer);
    const balance = coin?.balance;
    const isSame = coin?.hot.address === transfer.source && coin.hot.cold === transfer.destination;
    if (balance === undefined || !isSame || leavesShort({ ...coin, balance }, transfer.amount))
      throw new Refused(
        refusal('closed', 'l.transfer_short', {
          limit: balance?.toString() ?? '0',
          value: transfer.amount.toString(),
          unit: transfer.asset,
        }),
      );
    return transfer;
  }

  /** Approves the move of a surplus, which is signed and sent afterwards. Refuses what `requireMovable` refuses. */
  async approve(id: string, decision: { readonly by: string; readonly reason: string }): Promise<void> {
    const { network, asset, amount, destination } = await this.requireMovable(id);
    const digest = coldTransferDigest(this.key, { id, network, asset, address: destination, amount });
    await this.parts.sequencer.execute(this.parts.commands.approveTransfer, { id, digest, ...decision });
  }

  /** Returns the approved move of a surplus if it can be cancelled. Refuses any other transfer. */
  async requireCancellable(id: string): Promise<WalletTransfer> {
    const transfer = await findTransfer(this.parts.database.store, id);
    if (transfer === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    if (transfer.state !== 'approved') throw new Refused(refusal('closed', 'l.transfer_decided'));
    return transfer;
  }

  /**
   * Cancels the approved move of a surplus. The move ends when it is certain that its transaction cannot be
   * mined. Refuses what `requireCancellable` refuses.
   */
  async cancel(id: string, decision: { readonly by: string; readonly reason: string }): Promise<void> {
    await this.requireCancellable(id);
    await this.parts.sequencer.execute(this.parts.commands.cancelTransfer, { id, ...decision });
  }

  private async checkAll(): Promise<void> {
    await this.readBalances();
    const { list } = await this.open();
    for (const coin of this.coins) {
      const { cold } = coin.hot;
      if (coin.balance === undefined || cold === undefined) continue;
      const known = { ...coin, balance: coin.balance, cold };
      const ofCoin = list.filter(({ network, asset }) => network === coin.network && asset === coin.asset);
      await this.followRefill(
        known,
        ofCoin.find(({ kind }) => kind === 'refill'),
      );
      await this.followSurplus(
        known,
        ofCoin.find(({ kind }) => kind === 'surplus'),
      );
    }
    const waiting = new Map<string, string>();
    for (const transfer of list) {
      if (transfer.state === 'open') continue;
      const problem = await this.moveOne(transfer);
      if (problem !== undefined) waiting.set(transfer.id, problem);
    }
    this.waiting = waiting;
  }

  private async readBalances(): Promise<void> {
    const { chains, log, approvedNeeds } = this.parts;
    const needs = await approvedNeeds();
    const unread = new Map<string, string>();
    const coins: HotCoinView[] = [];
    for (const { hot } of chains.channels) {
      if (hot === undefined || hot.bounds.size === 0) continue;
      const balances = await balancesOf(hot, 'newest').catch((cause: unknown) => {
        const text = errorMessage(cause);
        if (this.unread.get(hot.network) !== text)
          log.warn('treasury.hot_wallet_not_read', { network: hot.network, cause });
        unread.set(hot.network, text);
        return undefined;
      });
      for (const [asset, bounds] of hot.bounds) {
        const need = needs.find((each) => each.asset === asset && each.network === hot.network);
        coins.push({
          network: hot.network,
          asset,
          hot,
          bounds,
          needed: need?.amount ?? Decimal.zero,
          balance: balances === undefined ? undefined : (balances.get(asset) ?? Decimal.zero),
        });
      }
    }
    this.coins = coins;
    this.unread = unread;
  }

  /**
   * Requests a refill if the hot wallet is short of the coin and no request for a refill is open. Closes the
   * open request for a refill if the refill has arrived or is no longer needed.
   */
  private async followRefill(
    coin: HotCoinView & HotCoin & { readonly cold: string },
    open: WalletTransfer | undefined,
  ): Promise<void> {
    const { commands, database, log, sequencer } = this.parts;
    const { network, asset, hot, cold, balance } = coin;
    if (open === undefined) {
      const amount = refillOf(coin);
      if (amount === undefined) return;
      const requested = {
        kind: 'refill' as const,
        network,
        asset,
        amount,
        source: cold,
        destination: hot.address,
      };
      const { id } = await sequencer.execute(commands.requestTransfer, requested);
      if (id !== undefined)
        log.error('treasury.hot_wallet_short', {
          transfer: id,
          network,
          asset,
          balance: balance.toString(),
          needed: coin.needed.toString(),
          refill: amount.toString(),
        });
      return;
    }
    const { id, amount, createdAt: since } = open;
    const arrived = await internalArrivals(
      database.store,
      { network, asset, address: hot.address, sender: open.source },
      { since, block: this.finalBlock(network) },
    );
    // The newest balance includes unconfirmed transfers, which the network may drop. So the refill is judged by the
    // lower one of the newest and the confirmed balance.
    const confirmed = (await balancesOf(coin.hot, 'confirmed')).get(asset) ?? Decimal.zero;
    const { received } = arrived;
    const lasting = { ...coin, balance: least(balance, confirmed) };
    const outcome = refillOutcome(lasting, { amount, received });
    if (outcome === 'unneeded') await sequencer.execute(commands.dropTransfer, { id });
    if (outcome === 'done') await sequencer.execute(commands.refill, { id, txid: arrived.txid!, received });
  }

  /**
   * Requests the move of a coin's surplus to the cold wallet if there is one and no such move is open. Closes an
   * unapproved request that is no longer needed.
   */
  private async followSurplus(
    coin: HotCoinView & HotCoin & { readonly cold: string },
    open: WalletTransfer | undefined,
  ): Promise<void> {
    const { commands, log, sequencer } = this.parts;
    const { network, asset, hot, cold, balance } = coin;
    if (open !== undefined) {
      if (open.state === 'open' && isSurplusUnneeded(coin, open.amount))
        await sequencer.execute(commands.dropTransfer, { id: open.id });
      return;
    }
    const digits = findCoinNetwork(asset, network)?.digits;
    const amount = surplusOf(coin)?.rounded(digits ?? 0, 'down');
    if (amount?.isPositive() !== true) return;
    const requested = {
      kind: 'surplus' as const,
      network,
      asset,
      amount,
      source: hot.address,
      destination: cold,
    };
    const { id } = await sequencer.execute(commands.requestTransfer, requested);
    if (id !== undefined)
      log.warn('treasury.hot_wallet_full', {
        transfer: id,
        network,
        asset,
        balance: balance.toString(),
        surplus: amount.toString(),
      });
  }

  /**
   * Sends, tracks or cancels a decided move to the cold wallet. Returns the reason if the move must wait, otherwise
   * undefined.
   */
  private async moveOne(transfer: WalletTransfer): Promise<string | undefined> {
    const { log } = this.parts;
    try {
      if (transfer.state === 'cancelling') await this.voidTransfer(transfer);
      else if (transfer.txid === undefined) await this.send(transfer);
      else await this.settle(transfer);
      return undefined;
    } catch (cause) {
      const { id, network, asset } = transfer;
      const text = `the surplus of ${asset} on ${network} is not moved: ${errorMessage(cause)}`;
      if (!(cause instanceof ChannelAway) && this.waiting.get(id) !== text)
        log.warn('treasury.transfer_waits', { transfer: id, cause });
      return text;
    }
  }

  private async send(transfer: WalletTransfer): Promise<void> {
    const { chains, commands, ledger, sequencer, treasury, isSendingPaused } = this.parts;
    const { id, asset } = transfer;
    if (isSendingPaused()) throw new Error('nothing is sent until the restored database was compared');
    if (ledger.isStopped(asset) || treasury.pausedCoins.has(asset)) throw new Error(`${asset} is stopped`);
    // A broadcast transaction cannot be recalled, so the approval must be committed before the transaction is sent.
    await sequencer.settled();
    const { txid, block } = await chains.send(sendingOf(transfer));
    await sequencer.execute(commands.transferSent, { id, txid, ...(block === undefined ? {} : { block }) });
  }

  /**
   * Updates a move from the status of its broadcast transaction, and ends the move when the transaction is final, has
   * failed or can no longer be mined.
   */
  private async settle(transfer: WalletTransfer): Promise<void> {
    const { chains, commands, sequencer } = this.parts;
    const { id, network } = transfer;
    const status = await chains.status(network, coldOrigin(id));
    if (status.state === 'unknown') return;
    if (status.state === 'voided' || status.state === 'failed') {
      const state = status.state === 'voided' ? ('cancelled' as const) : ('failed' as const);
      await sequencer.execute(commands.endTransfer, { id, state });
      return;
    }
    const block = status.state === 'mined' ? status.block : undefined;
    if (status.txid !== transfer.txid || (block !== undefined && block !== transfer.block))
      await sequencer.execute(commands.transferSent, {
        id,
        txid: status.txid,
        ...(block === undefined ? {} : { block }),
      });
    if (block !== undefined && block <= this.finalBlock(network))
      await sequencer.execute(commands.endTransfer, { id, state: 'done' as const });
  }

  private async voidTransfer(transfer: WalletTransfer): Promise<void> {
    const { chains, commands, sequencer } = this.parts;
    const status = await chains.void(sendingOf(transfer));
    if (status.state === 'mined' || status.state === 'failed') await this.settle(transfer);
    if (status.state === 'unsigned' || status.state === 'voided')
      await sequencer.execute(commands.endTransfer, { id: transfer.id, state: 'cancelled' as const });
  }

  /**
   * Returns the number of a network's newest block that has enough confirmations for its transfers to count
   * as final; 0 for an unknown network.
   */
  private finalBlock(network: string): number {
    const { chains } = this.parts;
    const terms = findNetwork(network);
    if (terms === undefined) return 0;
    return chains.confirmations(network, 0) - chains.confirmationsNeeded(terms);
  }
}

/** Returns the state of a coin in its hot wallet; `unknown` if the balance could not be read. */
export function stateOfView(coin: HotCoinView): 'short' | 'full' | 'enough' | 'unknown' {
  const { balance } = coin;
  return balance === undefined ? 'unknown' : hotStateOf({ ...coin, balance });
}

/** Returns the payment that moves a surplus, in the form that the network's channel expects. */
function sendingOf({ id, network, asset, destination, amount, approvedBy, digest }: WalletTransfer): Sending {
  const payment = {
    origin: coldOrigin(id),
    network,
    asset,
    address: destination,
    memo: undefined,
    amount,
    approvedBy: approvedBy ?? '',
  };
  return digest === undefined ? payment : { ...payment, coldDigest: digest };
}

async function balancesOf(
  hot: HotWallet,
  at: Parameters<HotWallet['balances']>[0],
): Promise<ReadonlyMap<string, Decimal>> {
  const balances = await hot.balances(at);
  if (balances === undefined) throw new Error('no block was read yet');
  return balances;
}
