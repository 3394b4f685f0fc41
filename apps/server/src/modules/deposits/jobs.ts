import { findCoinNetwork } from '@exchange/core/network.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Participant, Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Chains, ChainTransfer, Channel } from '../chains/index.ts';
import type { Identity } from '../identity/index.ts';
import type { AddressedMessage, Messages } from '../messages/index.ts';
import type { DepositCommands } from './commands.ts';
import type { Deposit } from './domain.ts';
import { depositChanged } from './events.ts';
import type { Ledger } from '../ledger/index.ts';
import {
  confirmedDeposits,
  lastPosition,
  ownersOf,
  pendingCoins,
  takeNotices,
  unconfirmedDeposits,
  type CoinPlace,
} from './repository.ts';

const TICK_MS = 2_000;
/** Transfers read, and deposits credited, in one step. */
const CHUNK = 20;
/** Confirmed deposits of one coin that are read at a time. */
const CONFIRMED_PAGE = 200;
/** Deposits of one coin that lack confirmations, read at a time. */
const PROGRESS_PAGE = 500;
const NOTICES = 100;

interface Deps {
  readonly chains: Chains;
  readonly ledger: Pick<Ledger, 'isStopped'>;
  readonly log: Log;
  readonly events: Events;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: DepositCommands;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

/**
 * Watches the networks: proposes what was sent to persons' addresses, then what has its confirmations, and tells how
 * far the rest is. Nothing here decides: a transfer seen twice or proposed late changes nothing. How far it has read is
 * memory like any other and read anew with it: a database that was replaced may give old positions to new transfers.
 */
export class DepositJobs implements Participant {
  readonly name = 'deposits';
  private readonly deps: Deps;
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** How far each channel has been read. */
  private positions = new Map<Channel, number>();
  /** Why a channel is not heard, as it was logged last. */
  private readonly troubles = new Map<Channel, string>();
  /** Why a coin's deposits are not credited, as it was logged last, by network and coin. */
  private readonly failures = new Map<string, string>();
  /** Confirmations that were told last, by deposit. */
  private told = new Map<string, number>();

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /** Forgets how far the channels have been read: the next look begins behind what is stored. */
  async load(): Promise<void> {
    this.positions = new Map();
    this.told = new Map();
    await this.deps.chains.load();
  }

  define(jobs: Jobs): void {
    jobs.define('deposits.watch', () => this.watch(), { cron: '* * * * *' });
  }

  start(): void {
    if (this.deps.chains.channels.length === 0) return;
    this.timer = setInterval(() => {
      this.watch().catch((cause: unknown) => this.deps.log.warn('deposits.not_watched', { cause }));
    }, TICK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running?.catch(() => undefined);
  }

  /** Does all that is due now; whoever asks meanwhile waits for the same. */
  watch(): Promise<void> {
    this.running ??= this.watchAll().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async watchAll(): Promise<void> {
    const { chains, database } = this.deps;
    if (chains.channels.length === 0) return;
    // What is due is judged by heights from before the entries were read: none that were dropped until then are missed.
    const heights = new Map<string, number>();
    for (const channel of chains.channels) {
      const height = await this.look(channel);
      for (const network of channel.networks) heights.set(network, height);
      await this.readOn(channel);
    }
    const told = new Map<string, number>();
    for (const coin of await pendingCoins(database.store)) {
      const height = heights.get(coin.network);
      if (height === undefined) continue;
      await this.publishProgress(coin, height, told);
      await this.creditConfirmed(coin, height);
    }
    this.told = told;
    await this.tellCredits();
  }

  /**
   * Proposes every confirmed deposit of one coin on one network, page behind page; none while the coin is halted. What
   * fails is logged when it begins or changes, and holds up neither other coins nor the deposits behind it.
   */
  private async creditConfirmed(coin: CoinPlace, height: number): Promise<void> {
    const { database, ledger, log, sequencer, commands } = this.deps;
    if (ledger.isStopped(coin.asset)) return;
    const name = `${coin.network} ${coin.asset}`;
    let failure: unknown;
    let after: Deposit | undefined;
    for (;;) {
      const page = await confirmedDeposits(database.store, coin, { height, after, limit: CONFIRMED_PAGE });
      for (let at = 0; at < page.length && !ledger.isStopped(coin.asset); at += CHUNK)
        try {
          await sequencer.execute(commands.credit, {
            deposits: page.slice(at, at + CHUNK).map(({ id, owner }) => ({ id, owner })),
          });
        } catch (cause) {
          failure ??= cause;
        }
      after = page.at(-1);
      if (page.length < CONFIRMED_PAGE || ledger.isStopped(coin.asset)) break;
    }
    const why = failure instanceof Error ? failure.message : String(failure);
    if (failure === undefined) this.failures.delete(name);
    else if (this.failures.get(name) !== why) {
      this.failures.set(name, why);
      log.warn('deposits.not_credited', { ...coin, cause: failure });
    }
  }

  /** Has a channel look at its chain; gives the height that it has then. One that cannot leaves the others alone. */
  private async look(channel: Channel): Promise<number> {
    try {
      await channel.look();
      this.troubles.delete(channel);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      if (this.troubles.get(channel) !== why)
        this.deps.log.warn('deposits.channel_not_heard', { channel: channel.kind, cause });
      this.troubles.set(channel, why);
    }
    return channel.height();
  }

  private async readOn(channel: Channel): Promise<void> {
    const { chains, database, sequencer, commands, log } = this.deps;
    const { positions } = this;
    let position = positions.get(channel) ?? (await lastPosition(database.store, channel.networks));
    for (;;) {
      const transfers = await channel.transfersSince(position, CHUNK);
      if (transfers.length === 0) break;
      const owners = await ownersOf(
        database.store,
        transfers.map(({ address, memo, network }) => ({ address, memo, network })),
      );
      // Memory was read anew meanwhile: these positions may be those of another database.
      if (positions !== this.positions) return;
      const own = transfers.flatMap((transfer, at) => seenOf(transfer, owners[at], chains) ?? []);
      if (own.length > 0) {
        const { alarming } = await sequencer.execute(commands.see, { transfers: own });
        for (const id of alarming) log.error('deposits.credited_and_gone', { deposit: id });
      }
      position = transfers.at(-1)!.position;
      positions.set(channel, position);
    }
  }

  /**
   * Publishes the confirmations of every deposit of a coin that lacks some, page behind page, where they differ from those
   * published last. Adds to `told`, by deposit, what is known now; a network bounds how many can lack confirmations.
   */
  private async publishProgress(coin: CoinPlace, height: number, told: Map<string, number>): Promise<void> {
    const { chains, database, events } = this.deps;
    let after: Deposit | undefined;
    for (;;) {
      const page = await unconfirmedDeposits(database.store, coin, { height, after, limit: PROGRESS_PAGE });
      for (const { id, owner, network, block, confirmations } of page) {
        const confirm = Math.min(confirmations, chains.confirmations(network, block));
        told.set(id, confirm);
        if (confirm < confirmations && this.told.get(id) !== confirm)
          events.publish([{ name: depositChanged.name, fact: { owner, id, status: 0, confirm } }]);
      }
      after = page.at(-1);
      if (page.length < PROGRESS_PAGE) return;
    }
  }

  private async tellCredits(): Promise<void> {
    const { database, identity, messages } = this.deps;
    for (;;) {
      const told = await database.transaction(async (tx) => {
        const deposits = await takeNotices(tx, NOTICES);
        const people = await identity.addressees([...new Set(deposits.map(({ owner }) => owner))]);
        const wanted = deposits.filter(({ owner }) => people.get(owner)?.isHouse === false);
        await messages.send(tx, wanted.map(messageOf));
        return { count: deposits.length, owners: new Set(wanted.map(({ owner }) => owner)) };
      });
      for (const owner of told.owners) await messages.announce(owner);
      if (told.count < NOTICES) return;
    }
  }
}

function seenOf({ isGone, ...transfer }: ChainTransfer, owner: Deposit['owner'] | undefined, chains: Chains) {
  const coin = findCoinNetwork(transfer.asset, transfer.network);
  if (owner === undefined || coin === undefined) return undefined;
  const confirmations = chains.confirmationsNeeded(coin.network);
  return [{ owner, confirmations, ...transfer, ...(isGone ? { isGone } : {}) }];
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
