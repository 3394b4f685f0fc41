import type { UserId } from '@exchange/core/ids.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { Events } from '../../platform/events.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import type { Participant, Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Chains, ChainTransfer, Channel } from '../chains/index.ts';
import type { Identity } from '../identity/index.ts';
import { deliverNotices, type AddressedMessage, type Messages } from '../messages/index.ts';
import type { DepositCommands } from './commands.ts';
import type { Deposit } from './domain.ts';
import { depositChanged } from './feed.ts';
import type { Ledger } from '../ledger/index.ts';
import { screenedSender, type Screened, type Screening } from '../screening/index.ts';
import { isUnlistedToken, type NetworkPauses, type Treasury } from '../treasury/index.ts';
import {
  claimedAndBack,
  confirmedDeposits,
  depositNotices,
  lastPosition,
  ownersOf,
  pendingCoins,
  releases,
  unconfirmedDeposits,
  type CoinPlace,
  type DepositPlace,
} from './repository.ts';

const TICK_MS = 2_000;
/** Number of transfers read per step, and of confirmed deposits named per step. */
const CHUNK = 20;
/** Deposits credited per step, together with those that waited for the minimum. */
const CREDITED_MOST = 256;
/** Number of entries (owner, network, coin) with waiting deposits to credit that one query reads. */
const RELEASES_PAGE = 100;
/** Number of confirmed deposits of one coin that one query reads. */
const CONFIRMED_PAGE = 200;
const PROGRESS_PAGE = 500;

interface Deps {
  readonly chains: Chains;
  readonly ledger: Pick<Ledger, 'isStopped'>;
  readonly log: Log;
  readonly bulkheads: Bulkheads;
  readonly events: Events;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: DepositCommands;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
  readonly screening: Pick<Screening, 'screen'>;
  readonly treasury: Pick<Treasury, 'creditedOwners' | 'see' | 'isWaiting' | 'pausedCoins'>;
  readonly networkPauses: Pick<NetworkPauses, 'find'>;
}

/**
 * Watches the networks: proposes new transfers to deposit addresses, then confirmed deposits, and publishes the
 * confirmations of the rest. Decides nothing itself, so proposing a transfer twice or late is harmless. Scan positions
 * are a cache and are reloaded with the rest of memory, because a replaced database may reuse old positions.
 */
export class DepositJobs implements Participant {
  readonly name = 'deposits';
  private readonly deps: Deps;
  private readonly runs = new SerialRuns(() => this.watchAll());
  /** Scan position of each channel. */
  private positions = new Map<Channel, number>();
  /** The failure of each channel that was logged last; absent while the channel works. */
  private readonly troubles = new Map<Channel, string>();
  /** Confirmations that were published last, by deposit. */
  private published = new Map<string, number>();

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /** Discards the scan positions; the next scan starts after the last stored deposit. */
  async load(): Promise<void> {
    this.positions = new Map();
    this.published = new Map();
    await this.deps.chains.load();
  }

  define(jobs: Jobs): void {
    jobs.define('deposits.watch', () => this.watch(), { cron: '* * * * *', everyMs: TICK_MS });
  }

  /** Resolves when the run in progress, if any, has ended. */
  stop(): Promise<void> {
    return this.runs.whenIdle();
  }

  /** Runs the job; resolves at the end of a run that began after the call. */
  watch(): Promise<void> {
    return this.runs.run();
  }

  private async watchAll(): Promise<void> {
    const { bulkheads, chains, database } = this.deps;
    if (chains.channels.length === 0) return;
    // Reads the number of each channel's newest block before the transfers, so that a transfer which the chain drops in
    // between does not count as confirmed.
    const heights = new Map<string, number>();
    // Channels are scanned at the same time, so that the timeouts of nodes that do not answer do not add up.
    const scanned = await Promise.all(chains.channels.map((channel) => this.scan(channel)));
    for (const [at, { networks }] of chains.channels.entries())
      for (const network of networks) heights.set(network, scanned[at]!);
    // A transfer that cannot be stored stops the reading of its own channel, because reading on would lose the
    // transfer. Other channels continue.
    await bulkheads.bulkheadOf('deposit channels').each(
      chains.channels,
      ({ kind, networks }) => `${kind} ${networks.join(' ')}`,
      (channel) => this.readTransfers(channel),
    );
    const published = new Map<string, number>();
    for (const coin of await pendingCoins(database.store)) {
      const height = heights.get(coin.network);
      if (height === undefined) continue;
      await this.publishProgress(coin, height, published);
      await this.creditConfirmed(coin, height);
    }
    this.published = published;
    await this.creditReleased();
    await this.cancelClaims();
    await this.notifyCredits();
  }

  /**
   * Proposes all confirmed deposits of a coin on a network, in pages. Does nothing while the coin is halted or deposits
   * of the network are paused; leaves out large deposits while the coin is paused. A deposit that fails is reported, is
   * retried with growing pauses, and does not block others.
   */
  private async creditConfirmed(coin: CoinPlace, height: number): Promise<void> {
    const { bulkheads, database, ledger, sequencer, commands, treasury } = this.deps;
    let after: Deposit | undefined;
    for (;;) {
      if (ledger.isStopped(coin.asset) || this.isPaused(coin.network)) return;
      const page = await confirmedDeposits(database.store, coin, {
        height,
        after,
        limit: CONFIRMED_PAGE,
      });
      const payable = page.filter((deposit) => !treasury.isWaiting(deposit));
      for (let at = 0; at < payable.length && !ledger.isStopped(coin.asset); at += CHUNK)
        await bulkheads.bulkheadOf('deposits').together(
          payable.slice(at, at + CHUNK),
          ({ id }) => id,
          (due, actor) => {
            const deposits = due.map(({ id, owner }) => ({ id, owner }));
            return sequencer.execute(commands.credit, { deposits, mostCredited: CREDITED_MOST }, { actor });
          },
        );
      after = page.at(-1);
      if (page.length < CONFIRMED_PAGE) return;
    }
  }

  /** Credits waiting deposits that reached the minimum together, in as many steps as their number needs. */
  private async creditReleased(): Promise<void> {
    const { bulkheads, database, ledger, sequencer, commands, treasury } = this.deps;
    let after: DepositPlace | undefined;
    for (;;) {
      const page = await releases(database.store, after, RELEASES_PAGE);
      await bulkheads.bulkheadOf('released deposits').each(
        page.filter(
          ({ asset, network }) =>
            !ledger.isStopped(asset) && !treasury.pausedCoins.has(asset) && !this.isPaused(network),
        ),
        ({ owner, network, asset }) => `${owner} ${network} ${asset}`,
        async (place) => {
          let isLeft = true;
          while (isLeft)
            ({ isLeft } = await sequencer.execute(commands.creditWaiting, {
              owner: place.owner,
              network: place.network,
              asset: place.asset,
              mostCredited: CREDITED_MOST,
            }));
        },
      );
      after = page.at(-1);
      if (page.length < RELEASES_PAGE) return;
    }
  }

  /** Cancels the debits of deposits that are on their network again, each deposit on its own; at most 200 per run. */
  private async cancelClaims(): Promise<void> {
    const { bulkheads, database, ledger, sequencer, commands } = this.deps;
    const deposits = await claimedAndBack(database.store, CONFIRMED_PAGE);
    await bulkheads.bulkheadOf('deposit claims').each(
      deposits.filter(({ asset }) => !ledger.isStopped(asset)),
      ({ id }) => id,
      async ({ id, owner }) => {
        await sequencer.execute(commands.unclaim, { deposit: id, owner });
      },
    );
  }

  /** Whether operators have paused the deposits of a network. */
  private isPaused(network: string): boolean {
    return this.deps.networkPauses.find(network, 'deposits') !== undefined;
  }

  /** Scans a channel's chain and returns its height. Failures are logged, so other channels continue. */
  private async scan(channel: Channel): Promise<number> {
    try {
      await channel.scan();
      this.troubles.delete(channel);
    } catch (cause) {
      const message = errorMessage(cause);
      if (this.troubles.get(channel) !== message)
        this.deps.log.warn('deposits.channel_not_heard', {
          channel: channel.kind,
          networks: channel.networks.join(', '),
          cause,
        });
      this.troubles.set(channel, message);
    }
    return channel.height();
  }

  private async readTransfers(channel: Channel): Promise<void> {
    const { chains, database, sequencer, commands, log, screening, treasury } = this.deps;
    const { positions } = this;
    let position = positions.get(channel) ?? (await lastPosition(database.store, channel.networks));
    for (;;) {
      const transfers = await channel.transfersSince(position, CHUNK);
      if (transfers.length === 0) break;
      const owners = await ownersOf(
        database.store,
        transfers.map(({ address, memo, network }) => ({ address, memo, network })),
      );
      // The positions in memory were reloaded during the query, so those that were used may belong to another database.
      if (positions !== this.positions) return;
      // A payment that was credited by hand is a deposit of its owner and is followed like any other.
      const ownersByHand = await treasury.creditedOwners(transfers);
      await treasury.see(
        transfers.filter(
          (transfer, at) =>
            isUnlistedToken(transfer) || (owners[at] === undefined && ownersByHand[at] === undefined),
        ),
      );
      const known = transfers.flatMap(
        (transfer, at) => seenOf(transfer, owners[at] ?? ownersByHand[at], chains) ?? [],
      );
      if (known.length > 0) {
        // Screening comes before the position advances, so that no sender is skipped.
        await screening.screen(screenedSenders(known));
        const { alarming } = await sequencer.execute(commands.see, { transfers: known });
        for (const id of alarming) log.error('deposits.credited_and_gone', { deposit: id });
      }
      position = transfers.at(-1)!.position;
      positions.set(channel, position);
    }
  }

  /**
   * Publishes the confirmations of unconfirmed deposits that changed since the last run, and records them in
   * `published`.
   */
  private async publishProgress(
    coin: CoinPlace,
    height: number,
    published: Map<string, number>,
  ): Promise<void> {
    const { chains, database, events } = this.deps;
    let after: Deposit | undefined;
    for (;;) {
      const page = await unconfirmedDeposits(database.store, coin, { height, after, limit: PROGRESS_PAGE });
      for (const { id, owner, network, block, confirmations } of page) {
        const confirm = Math.min(confirmations, chains.confirmations(network, block));
        published.set(id, confirm);
        if (confirm < confirmations && this.published.get(id) !== confirm)
          events.publish([{ name: depositChanged.name, fact: { owner, id, status: 0, confirm } }]);
      }
      after = page.at(-1);
      if (page.length < PROGRESS_PAGE) return;
    }
  }

  private async notifyCredits(): Promise<void> {
    await deliverNotices(this.deps, 'deposit notices', depositNotices, (deposits) => deposits.map(messageOf));
  }
}

/**
 * The senders of deposits in the form in which they are compared with sanctions lists. Deposits whose network does not
 * name the sender are left out.
 */
function screenedSenders(
  deposits: readonly (Pick<ChainTransfer, 'network' | 'txid' | 'output' | 'asset' | 'sender'> & {
    readonly owner: UserId;
  })[],
): Screened[] {
  return deposits.flatMap(({ sender, owner, ...payment }) =>
    sender === undefined ? [] : [screenedSender(payment, { owner, address: sender })],
  );
}

function seenOf({ isGone, ...transfer }: ChainTransfer, owner: Deposit['owner'] | undefined, chains: Chains) {
  const coin = findCoinNetwork(transfer.asset, transfer.network);
  if (owner === undefined || coin === undefined) return undefined;
  const confirmations = transfer.confirmations ?? chains.confirmationsNeeded(coin.network);
  const seen = { ...transfer, owner, confirmations };
  return [isGone ? { ...seen, isGone } : seen];
}

function messageOf({
  id,
  owner,
  asset,
  network,
  amount,
  txid,
  finishedAt,
  createdAt,
}: Deposit): AddressedMessage {
  const parameters = {
    coin: asset,
    network,
    amount: amount.toString(),
    txid,
    time: timeText(finishedAt ?? createdAt),
  };
  return { userId: owner, about: id, message: { type: 'asset', kind: 'depositCredited', parameters } };
}
