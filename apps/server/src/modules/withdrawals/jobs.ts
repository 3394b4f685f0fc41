import type { UserId } from '@exchange/core/ids.ts';
import { later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import { ChannelAway, type Chains } from '../chains/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { deliverNotices, type AddressedMessage, type Messages } from '../messages/index.ts';
import type { WithdrawalCommands } from './commands.ts';
import { CANCELLATION_MS, type Withdrawal } from './domain.ts';
import { withdrawalChanged } from './feed.ts';
import { withdrawalAccountStatus, withdrawalAccountProblem } from './account-status.ts';
import { movingWithdrawals, withdrawalNotices, type Notice } from './repository.ts';
import type { Treasury } from '../treasury/index.ts';
import type { SendingPause } from './sending-pause.ts';

const TICK_MS = 2_000;
/** Page size; oldest first. */
const MOVING_PAGE = 200;
const KINDS = {
  held: 'withdrawalHeld',
  finished: 'withdrawalFinished',
  rejected: 'withdrawalRejected',
  failed: 'withdrawalFailed',
} as const;

interface Deps {
  readonly bulkheads: Bulkheads;
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
  readonly treasury: Pick<Treasury, 'pausedCoins'>;
}

/**
 * Advances withdrawals: releases those that need no review, sends each to its network under its own id (so an
 * interruption cannot send it twice), and settles confirmed ones. A withdrawal that fails is reported, retried with
 * growing pauses, and holds up no other.
 */
export class WithdrawalJobs {
  private readonly deps: Deps;
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private published = new Map<string, number>();
  /** The networks that did not answer in the last run, with the error that was logged. */
  private unreachable: ReadonlyMap<string, string> = new Map();

  constructor(deps: Deps) {
    this.deps = deps;
  }

  define(jobs: Jobs): void {
    jobs.define('withdrawals.move', () => this.advance(), { cron: '* * * * *' });
  }

  start(): void {
    this.timer = setInterval(() => {
      this.advance().catch((cause: unknown) => this.deps.log.warn('withdrawals.not_moved', { cause }));
    }, TICK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running?.catch(() => undefined);
  }

  /** Processes everything that is due. Concurrent callers share one run. */
  advance(): Promise<void> {
    this.running ??= this.moveAll().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async moveAll(): Promise<void> {
    const published = new Map<string, number>();
    const unreachable = new Map<string, string>();
    try {
      for await (const page of this.moving())
        await this.deps.bulkheads.bulkheadOf('withdrawals').each(
          page,
          ({ id }) => id,
          (withdrawal) => this.moveOne(withdrawal, unreachable, published),
        );
      this.published = published;
      this.unreachable = unreachable;
    } finally {
      await deliverNotices(this.deps, 'withdrawal notices', withdrawalNotices, (notices) =>
        notices.map(messageOf),
      );
    }
  }

  /**
   * Executes the next part of a withdrawal, unless its coin, network or account is stopped. A network that is not
   * reachable is no failure of the withdrawal: it is added to `unreachable`, logged when that starts or changes, and
   * tried again by the next run.
   */
  private async moveOne(
    withdrawal: Withdrawal,
    unreachable: Map<string, string>,
    published: Map<string, number>,
  ): Promise<void> {
    const { chains, sequencer, commands, ledger, log } = this.deps;
    const { id, asset, network, status, txid } = withdrawal;
    if (chains.sending(asset, network) === 'none' || ledger.isStopped(asset)) return;
    if (txid === undefined && this.deps.pause.pausedBy !== undefined) return;
    if (txid === undefined && this.deps.treasury.pausedCoins.has(asset)) return;
    if (txid === undefined && (await this.isBarred(withdrawal.owner))) return;
    if (status === 'pending') {
      await sequencer.execute(commands.release, { id });
      return;
    }
    if (unreachable.has(network)) return;
    try {
      if (txid === undefined) await this.send(withdrawal);
      else if (!(await this.settle(withdrawal, txid))) published.set(id, this.publishProgress(withdrawal));
    } catch (cause) {
      if (!(cause instanceof ChannelAway)) throw cause;
      unreachable.set(network, cause.message);
      if (this.unreachable.get(network) !== cause.message)
        log.warn('withdrawals.waits', { withdrawal: id, network, cause });
    }
  }

  /** Reads withdrawals in pages, so blocked ones do not hold up the rest. Halted coins are skipped. */
  private async *moving(): AsyncGenerator<readonly Withdrawal[]> {
    const { clock, database, ledger } = this.deps;
    const haltedAssets = ledger.haltedAssets;
    const before = later(clock.now(), -CANCELLATION_MS);
    let last: Withdrawal | undefined;
    for (;;) {
      const page = await movingWithdrawals(database.store, {
        before,
        without: haltedAssets,
        after: last,
        limit: MOVING_PAGE,
      });
      yield page;
      if (page.length < MOVING_PAGE) return;
      last = page.at(-1);
    }
  }

  /** Whether the account was frozen or put on hold since the request; nothing is sent in that case. */
  private async isBarred(owner: UserId): Promise<boolean> {
    const { clock, identity } = this.deps;
    return (
      withdrawalAccountProblem(await withdrawalAccountStatus(identity, owner), clock.now()) !== undefined
    );
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
}

/** The withdrawal's idempotency key on its network. */
function originOf({ id }: Withdrawal): string {
  return `withdrawal ${id}`;
}

function messageOf({ kind, withdrawal }: Notice): AddressedMessage {
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
