import type { UserId } from '@exchange/core/ids.ts';
import { later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import { ChannelAway, type Chains } from '../chains/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { AddressedMessage, Messages } from '../messages/index.ts';
import type { WithdrawalCommands } from './commands.ts';
import { SECOND_THOUGHTS_MS, type Withdrawal } from './domain.ts';
import { withdrawalChanged } from './events.ts';
import { leavingOf, leavingProblem } from './leaving.ts';
import { movingWithdrawals, takeNotices, type NoticeKind } from './repository.ts';
import type { SendingPause } from './sending-pause.ts';

const TICK_MS = 2_000;
/** Page size; oldest first. */
const MOVING_PAGE = 200;
const NOTICES = 100;
const KINDS = {
  held: 'withdrawalHeld',
  finished: 'withdrawalFinished',
  rejected: 'withdrawalRejected',
  failed: 'withdrawalFailed',
} as const;

interface Deps {
  readonly chains: Chains;
  readonly ledger: Pick<Ledger, 'isStopped' | 'haltedAssets'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Events;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly sequencer: Pick<Sequencer, 'execute' | 'settled'>;
  readonly commands: WithdrawalCommands;
  readonly identity: Pick<Identity, 'addressees' | 'prepare' | 'withdrawalHold'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
  readonly pause: Pick<SendingPause, 'pausedBy'>;
}

/**
 * Advances withdrawals: releases those that need no review, sends each to its network under its own id (so an
 * interruption cannot send it twice), and settles confirmed ones.
 */
export class WithdrawalJobs {
  private readonly deps: Deps;
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private published = new Map<string, number>();
  /** The reason each withdrawal is delayed, as logged last. */
  private troubles = new Map<string, string>();

  constructor(deps: Deps) {
    this.deps = deps;
  }

  define(jobs: Jobs): void {
    jobs.define('withdrawals.move', () => this.move(), { cron: '* * * * *' });
  }

  start(): void {
    this.timer = setInterval(() => {
      this.move().catch((cause: unknown) => this.deps.log.warn('withdrawals.not_moved', { cause }));
    }, TICK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running?.catch(() => undefined);
  }

  /** Processes everything that is due. Concurrent callers share one run. */
  move(): Promise<void> {
    this.running ??= this.moveAll().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async moveAll(): Promise<void> {
    const { chains, sequencer, commands, ledger, log } = this.deps;
    const published = new Map<string, number>();
    const unreachable = new Set<string>();
    const troubles = new Map<string, string>();
    for await (const withdrawal of this.moving()) {
      const { id, asset, network, status, txid } = withdrawal;
      if (chains.sending(asset, network) === 'none' || ledger.isStopped(asset)) continue;
      if (txid === undefined && this.deps.pause.pausedBy !== undefined) continue;
      try {
        if (txid === undefined && (await this.isBarred(withdrawal.owner))) continue;
        if (status === 'pending') await sequencer.execute(commands.release, { id });
        else if (unreachable.has(network)) continue;
        else if (txid === undefined) await this.send(withdrawal);
        else if (!(await this.settle(withdrawal, txid))) published.set(id, this.publishProgress(withdrawal));
      } catch (cause) {
        // A failure on one network does not block the others; it is logged when it starts or changes.
        if (cause instanceof ChannelAway) unreachable.add(network);
        const message = cause instanceof Error ? cause.message : String(cause);
        if (this.troubles.get(id) !== message) log.warn('withdrawals.waits', { withdrawal: id, cause });
        troubles.set(id, message);
      }
    }
    this.published = published;
    this.troubles = troubles;
    await this.sendNotices();
  }

  /** Reads withdrawals in pages, so blocked ones do not hold up the rest. Halted coins are skipped. */
  private async *moving(): AsyncGenerator<Withdrawal> {
    const { clock, database, ledger } = this.deps;
    const haltedAssets = ledger.haltedAssets;
    const before = later(clock.now(), -SECOND_THOUGHTS_MS);
    let last: Withdrawal | undefined;
    for (;;) {
      const page = await movingWithdrawals(database.store, {
        before,
        without: haltedAssets,
        after: last,
        limit: MOVING_PAGE,
      });
      yield* page;
      if (page.length < MOVING_PAGE) return;
      last = page.at(-1);
    }
  }

  /** Whether the account was frozen or put on hold since the request; nothing is sent in that case. */
  private async isBarred(owner: UserId): Promise<boolean> {
    const { clock, identity } = this.deps;
    return leavingProblem(await leavingOf(identity, owner), clock.now()) !== undefined;
  }

  /** Checks the status on the network. Returns true when the withdrawal has ended. */
  private async settle(withdrawal: Withdrawal, txid: string): Promise<boolean> {
    const { chains, sequencer, commands } = this.deps;
    const { id, owner, asset, network, confirmations } = withdrawal;
    const status = await chains.status(asset, network, originOf(withdrawal));
    if (status.state === 'failed') await sequencer.execute(commands.fail, { id, owner, txid });
    if (status.state !== 'mined') return status.state === 'failed';
    const { block } = status;
    if (block !== withdrawal.block) await sequencer.execute(commands.sent, { id, txid, block });
    if (chains.confirmations(network, block) < confirmations) return false;
    await sequencer.execute(commands.finish, { id, owner });
    return true;
  }

  private async send(withdrawal: Withdrawal): Promise<void> {
    const { id, network, asset, address, memo, amount, fee, remark, isAuto, decidedBy } = withdrawal;
    const { chains, sequencer, commands } = this.deps;
    const sending = {
      origin: originOf(withdrawal),
      approvedBy: decidedBy ?? (isAuto ? 'the limits' : ''),
      network,
      asset,
      address,
      memo,
      amount: amount.minus(fee),
      remark,
    };
    // Sent coins cannot be recalled, so wait until everything decided so far is durable.
    await sequencer.settled();
    const { txid, block } = await chains.send(sending);
    await sequencer.execute(commands.sent, { id, txid, ...(block === undefined ? {} : { block }) });
  }

  private publishProgress({ id, owner, network, block, confirmations }: Withdrawal): number {
    const confirm = Math.min(confirmations, this.deps.chains.confirmations(network, block));
    if (this.published.get(id) !== confirm) {
      const fact = { owner, id, status: 'processing', confirm };
      this.deps.events.publish([{ name: withdrawalChanged.name, fact }]);
    }
    return confirm;
  }

  private async sendNotices(): Promise<void> {
    const { database, identity, messages } = this.deps;
    for (;;) {
      const delivered = await database.transaction(async (tx) => {
        const notices = await takeNotices(tx, NOTICES);
        const owners = [...new Set(notices.map(({ withdrawal }) => withdrawal.owner))];
        const people = await identity.addressees(owners);
        const deliverable = notices.filter(
          ({ withdrawal }) => people.get(withdrawal.owner)?.isHouse === false,
        );
        await messages.send(tx, deliverable.map(messageOf));
        return {
          count: notices.length,
          owners: new Set(deliverable.map(({ withdrawal }) => withdrawal.owner)),
        };
      });
      for (const owner of delivered.owners) await messages.announce(owner);
      if (delivered.count < NOTICES) return;
    }
  }
}

/** The withdrawal's idempotency key on its network. */
function originOf({ id }: Withdrawal): string {
  return `withdrawal ${id}`;
}

function messageOf({ kind, withdrawal }: { kind: NoticeKind; withdrawal: Withdrawal }): AddressedMessage {
  const { id, owner, asset, network, address, amount, fee, txid, createdAt, finishedAt } = withdrawal;
  const parameters = {
    coin: asset,
    network,
    address,
    amount: amount.toString(),
    fee: fee.toString(),
    arrival: amount.minus(fee).toString(),
    txid: txid ?? '',
    time: timeText(finishedAt ?? createdAt),
  };
  return { userId: owner, about: id, message: { type: 'asset', kind: KINDS[kind], parameters } };
}
