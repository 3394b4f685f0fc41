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
/** Greatest number of transfers that one step stores, and of confirmed deposits that the job passes to one step. */
const CHUNK = 20;
/** Greatest number of deposits that one step credits, including those that waited for the minimum. */
const CREDITED_MOST = 256;
/**
 * Number of rows that one query reads; a row is an owner, network and coin with deposits below the minimum that
 * together reached it and are not all credited yet.
 */
const RELEASES_PAGE = 100;
/**
 * Greatest number of rows that one query reads: confirmed deposits in one coin, or deposits whose debit is to be
 * cancelled.
 */
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
 * The job that watches the networks: it passes new transfers to deposit addresses and then confirmed deposits to the
 * commands, and other transfers to the treasury. It publishes the confirmations of the deposits that are not confirmed
 * yet, cancels the debits of deposits whose transfers reappeared, and sends the messages about credits. The commands
 * store and credit each transfer once, so passing a transfer twice or late is harmless. The scan positions are only a
 * cache; they are reloaded together with the rest of the memory, because a replaced database may use old positions
 * again.
 */
export class DepositJobs implements Participant {
  readonly name = 'deposits';
  private readonly deps: Deps;
  private readonly runs = new SerialRuns(() => this.watchAll());
  /**
   * By channel: the position (running number of a transfer within the channel) up to which its transfers have been
   * read.
   */
  private positions = new Map<Channel, number>();
  /** The text of each channel's last logged failure; absent while the channel works. */
  private readonly troubles = new Map<Channel, string>();
  /**
   * By id of the deposit: the number of confirmations that the last run determined; a different number is published.
   */
  private published = new Map<string, number>();

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Discards the scan positions and the published numbers of confirmations, and reloads the chains. The next run then
   * reads the transfers after the newest stored deposit.
   */
  async load(): Promise<void> {
    this.positions = new Map();
    this.published = new Map();
    await this.deps.chains.load();
  }

  define(jobs: Jobs): void {
    jobs.define('deposits.watch', () => this.watch(), { cron: '* * * * *', everyMs: TICK_MS });
  }

  /** Resolves when the run in progress has ended; at once if none is in progress. */
  stop(): Promise<void> {
    return this.runs.whenIdle();
  }

  /** Runs the job. Resolves at the end of a run that started after the call. */
  watch(): Promise<void> {
    return this.runs.run();
  }

  private async watchAll(): Promise<void> {
    const { bulkheads, chains, database } = this.deps;
    if (chains.channels.length === 0) return;
    // Number of the newest block of each network. It is read before the transfers, so that a transfer that the chain
    // drops in between does not count as confirmed.
    const heights = new Map<string, number>();
    // The channels are scanned concurrently, so that the timeouts of several nodes that do not answer do not add up.
    const scanned = await Promise.all(chains.channels.map((channel) => this.scan(channel)));
    for (const [at, { networks }] of chains.channels.entries())
      for (const network of networks) heights.set(network, scanned[at]!);
    // If a transfer cannot be stored, its channel is not read further in this run, because the transfer would be lost
    // otherwise. Other channels are read.
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
   * Has all confirmed deposits of a coin on a network credited, page by page. Does nothing while the coin is halted, or
   * while deposits of the network are paused. While the coin is paused, leaves out deposits worth more than 1,000 USDT
   * or of unknown worth. A deposit that fails is reported, is retried after growing pauses, and does not block other
   * deposits.
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

  /**
   * Credits the released deposits: deposits below the minimum that together reached it, and that one step could not
   * credit completely. Takes as many steps as their number requires. Leaves out coins that are halted or paused, and
   * networks whose deposits are paused.
   */
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

  /**
   * Cancels the debits of deposits whose transfers are on their network again, one deposit at a time, at most 200 per
   * run; leaves out halted coins.
   */
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

  /** True if operators have paused the deposits of a network. */
  private isPaused(network: string): boolean {
    return this.deps.networkPauses.find(network, 'deposits') !== undefined;
  }

  /**
   * Scans the chain of a channel and returns the number of the newest block that was read, after a failure that of an
   * earlier scan. A failure is logged if its text differs from the channel's last one, and does not prevent that other
   * channels are scanned.
   */
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
      // The positions in memory were reloaded during the query, so the result may belong to another database and is
      // discarded.
      if (positions !== this.positions) return;
      // A payment that operators credited by hand is a deposit of its owner, and its later changes are recorded like
      // those of any other deposit.
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
        // The senders are compared with sanctions lists before the channel's scan position advances, so that
        // no sender is skipped if the comparison fails.
        await screening.screen(screenedSenders(known));
        const { alarming } = await sequencer.execute(commands.see, { transfers: known });
        for (const id of alarming) log.error('deposits.credited_and_gone', { deposit: id });
      }
      position = transfers.at(-1)!.position;
      positions.set(channel, position);
    }
  }

  /**
   * Publishes the number of confirmations of those deposits of a coin that do not have all of theirs yet and whose
   * number changed since the last run; records the numbers in `published`.
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
 * Extracts the senders of deposits in the form in which they are compared with sanctions lists. Deposits whose network
 * does not state the sender are left out.
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
