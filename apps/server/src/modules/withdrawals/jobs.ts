import type { UserId } from '@exchange/core/ids.ts';
import { later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { Events } from '../../platform/events.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import { ChannelAway, PaymentQueued, PaymentRefused, type Chains } from '../chains/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { deliverNotices, type AddressedMessage, type Messages } from '../messages/index.ts';
import type { WithdrawalCommands } from './commands.ts';
import { CANCELLATION_MS, originOf, withdrawalIdOf, type Withdrawal } from './domain.ts';
import type { ConfirmedDigests } from './confirmed-digests.ts';
import { withdrawalChanged } from './feed.ts';
import { withdrawalAccountStatus, withdrawalAccountProblem, type SendingStops } from './sending-stops.ts';
import type { WithdrawalExits } from './exits.ts';
import { sendingOf } from './payment.ts';
import type { RefusedPayments } from './refused-payments.ts';
import { movingWithdrawals, withdrawalNotices, type Notice } from './repository.ts';
import type { Screening } from '../screening/index.ts';
import type { TravelRule } from './travel-rule.ts';

const TICK_MS = 2_000;
/** Maximum number of withdrawals that the job reads with one query, oldest first. */
const MOVING_PAGE = 200;
const KINDS = {
  held: 'withdrawalHeld',
  finished: 'withdrawalFinished',
  rejected: 'withdrawalRejected',
  failed: 'withdrawalFailed',
  returned: 'withdrawalReturned',
  paused: 'withdrawalPaused',
  resumed: 'withdrawalResumed',
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
  readonly digests: ConfirmedDigests;
  readonly refusedPayments: RefusedPayments;
  readonly exits: Pick<WithdrawalExits, 'execute'>;
  readonly stops: Pick<SendingStops, 'isPaused'>;
  readonly screening: Pick<Screening, 'screen' | 'mayWithdraw'>;
  readonly travelRule: Pick<TravelRule, 'screened'>;
}

/** Results that one run of the withdrawal job collects. */
interface Run {
  /**
   * The number of confirmations of each signed withdrawal as it was last published to its owner, by the id of the
   * withdrawal.
   */
  readonly published: Map<string, number>;
  /** Networks that do not answer in this run, each with the error message. */
  readonly unreachable: Map<string, string>;
  /** Ids of the withdrawals that this run leaves unsigned because sending is paused for their coin and network. */
  readonly paused: Set<string>;
}

/**
 * Advances withdrawals: approves those that need no review, sends each to its network under its own id (so an
 * interruption cannot send it twice), and settles confirmed ones. A withdrawal whose processing fails is logged and
 * retried at growing intervals; others are processed meanwhile.
 */
export class WithdrawalJobs {
  private readonly deps: Deps;
  private readonly runs = new SerialRuns(() => this.moveAll());
  private published: ReadonlyMap<string, number> = new Map();
  /** Ids of the withdrawals that the last run left unsigned because sending was paused. */
  private paused: ReadonlySet<string> = new Set();
  /** The networks that did not answer in the last run, each with the error message that was logged. */
  private unreachable: ReadonlyMap<string, string> = new Map();
  /** For each network, the number of the block that `followedBlock` returns. */
  private readonly followed = new Map<string, number>();
  /**
   * The logged error because of which the last run could not recover signed transactions of which the
   * signer's answer was lost; undefined if it could.
   */
  private lossProblem: string | undefined;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  define(jobs: Jobs): void {
    jobs.define('withdrawals.move', () => this.advance(), { cron: '* * * * *', everyMs: TICK_MS });
  }

  /** Waits until no run of the job is in progress or waiting to begin. */
  stop(): Promise<void> {
    return this.runs.whenIdle();
  }

  /**
   * Returns the number of the newest block of a network for which all withdrawals were processed after the
   * wallet's balance included it: a withdrawal whose transaction is in that block or an earlier one has the
   * number of its block. Undefined before the first run, and for a network whose wallets are not read.
   */
  followedBlock(network: string): number | undefined {
    return this.followed.get(network);
  }

  /**
   * Runs the job for all withdrawals that are due. A call during a run is served by the next run, which
   * begins when the current one has ended.
   */
  advance(): Promise<void> {
    return this.runs.run();
  }

  private async moveAll(): Promise<void> {
    const run: Run = { published: new Map(), unreachable: new Map(), paused: new Set() };
    const blocks = this.deps.chains.channels.flatMap(({ networks, wallets }) => {
      const block = wallets?.block();
      return block === undefined ? [] : networks.map((network) => [network, block] as const);
    });
    try {
      await this.recoverLost();
      for await (const page of this.moving())
        await this.deps.bulkheads.bulkheadOf('withdrawals').each(
          page,
          ({ id }) => id,
          (withdrawal) => this.moveOne(withdrawal, run),
        );
      await this.deps.chains.dispatch();
      for (const [network, block] of blocks)
        if (!run.unreachable.has(network)) this.followed.set(network, block);
      this.published = run.published;
      this.unreachable = run.unreachable;
      this.paused = run.paused;
    } finally {
      await deliverNotices(this.deps, 'withdrawal notices', withdrawalNotices, (notices) =>
        notices.map(messageOf),
      );
    }
  }

  /**
   * Executes the next step of a withdrawal. A signed withdrawal, and one for which operators chose an exit (its return,
   * or a payment by hand), is processed even while its coin is halted or paused, its network is paused or its account
   * is frozen; any other withdrawal waits until that ends. If the network does not answer, the network is added to
   * `unreachable`, the problem is logged when it starts or changes, and the next run tries again.
   */
  private async moveOne(withdrawal: Withdrawal, { published, unreachable, paused }: Run): Promise<void> {
    const { sequencer, commands, log } = this.deps;
    const { id, network, status, txid, exit } = withdrawal;
    const isUnsigned = txid === undefined && exit === undefined;
    if (isUnsigned && this.deps.stops.isPaused(withdrawal)) {
      if (!this.paused.has(id)) this.publishStage(withdrawal);
      paused.add(id);
      return;
    }
    if (isUnsigned && !(await this.maySend(withdrawal))) return;
    if (status === 'pending') {
      await sequencer.execute(commands.release, { id });
      return;
    }
    if (unreachable.has(network)) return;
    try {
      if (exit !== undefined) {
        if (await this.deps.exits.execute(withdrawal, exit)) await this.settle(withdrawal);
      } else if (txid === undefined) await this.send(withdrawal);
      else if (!(await this.settle(withdrawal))) published.set(id, this.publishProgress(withdrawal));
      this.deps.refusedPayments.delete(id);
    } catch (cause) {
      if (cause instanceof PaymentQueued) return;
      // The owner's open pages are notified when the receiver or the coin's contract refuses the payment for
      // the first time, not at each further attempt.
      if (cause instanceof PaymentRefused && this.deps.refusedPayments.add(id)) this.publishStage(withdrawal);
      if (!(cause instanceof ChannelAway)) throw cause;
      unreachable.set(network, cause.message);
      if (this.unreachable.get(network) !== cause.message)
        log.warn('withdrawals.waits', { withdrawal: id, network, cause });
    }
  }

  /**
   * Returns whether the transaction of an unsigned withdrawal may be signed now: the coin can be sent on the
   * network, sending is not paused, and the account may withdraw and has no uncleared sanctions match. The
   * destination is compared with the sanctions lists again for this.
   */
  private async maySend(withdrawal: Withdrawal): Promise<boolean> {
    const { chains, screening, stops, travelRule } = this.deps;
    const { asset, network, owner } = withdrawal;
    if (chains.sending(asset, network) === 'none' || stops.isPaused(withdrawal)) return false;
    if (await this.isBarred(owner)) return false;
    // The sanctions lists may have changed since the request, so the destination is screened again.
    await screening.screen(await travelRule.screened(withdrawal));
    return screening.mayWithdraw(owner);
  }

  /**
   * Stores the ids of transactions that a signer has signed but whose answers were lost. From then on the job tracks
   * them, even if the account was frozen or the coin halted meanwhile.
   */
  private async recoverLost(): Promise<void> {
    const { chains, sequencer, commands, log } = this.deps;
    try {
      for (const { origin, txid } of await chains.recoverLost(MOVING_PAGE)) {
        const id = withdrawalIdOf(origin);
        if (id !== undefined) await sequencer.execute(commands.sent, { id, txid });
      }
      this.lossProblem = undefined;
    } catch (cause) {
      const problem = errorMessage(cause);
      if (this.lossProblem !== problem) log.warn('withdrawals.not_recovered', { cause });
      this.lossProblem = problem;
    }
  }

  /**
   * Yields the withdrawals to process in pages, so that blocked ones do not delay the rest. Withdrawals of halted coins
   * are left out unless they are signed or operators chose an exit (return, or payment by hand).
   */
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

  /**
   * Returns whether the account is frozen now or has a security hold on withdrawals; then nothing is signed.
   */
  private async isBarred(owner: UserId): Promise<boolean> {
    const { clock, identity } = this.deps;
    return (
      withdrawalAccountProblem(await withdrawalAccountStatus(identity, owner), clock.now()) !== undefined
    );
  }

  /**
   * Queries the network for a withdrawal's transaction, stores a new transaction id or block, and ends the withdrawal
   * when the transaction is confirmed or has finally failed. Returns whether the withdrawal has ended.
   */
  private async settle(withdrawal: Withdrawal): Promise<boolean> {
    const { chains, sequencer, commands, ledger } = this.deps;
    const { id, owner, asset, network, txid, confirmations } = withdrawal;
    const status = await chains.status(network, originOf(withdrawal));
    if (status.state === 'unknown' || status.state === 'voided') return false;
    const block = status.state === 'mined' ? status.block : undefined;
    const isReplacement = txid !== undefined && status.txid !== txid;
    if (isReplacement || txid === undefined || (block !== undefined && block !== withdrawal.block))
      await sequencer.execute(commands.sent, sentInput({ id, txid: status.txid, block, isReplacement }));
    // While the coin is halted nothing can be posted, so the withdrawal is settled after the halt.
    if (ledger.isStopped(asset)) return false;
    if (status.state === 'failed') await sequencer.execute(commands.fail, { id, owner, txid: status.txid });
    if (block === undefined) return status.state === 'failed';
    if (chains.confirmations(network, block) < confirmations) return false;
    await sequencer.execute(commands.finish, { id, owner });
    return true;
  }

  private async send(withdrawal: Withdrawal): Promise<void> {
    const { chains, sequencer, commands, digests } = this.deps;
    const { id } = withdrawal;
    if (digests.isChanged(withdrawal)) throw new Error('the withdrawal is not what its owner confirmed');
    // A broadcast transaction cannot be recalled, so all earlier commands must be committed before it is sent.
    await sequencer.settled();
    const { txid, block } = await chains.send(sendingOf(withdrawal));
    await sequencer.execute(commands.sent, sentInput({ id, txid, block }));
  }

  /**
   * Publishes to the owner's open pages that the stage of an unsigned withdrawal has changed: its sending is
   * paused, or its payment was refused.
   */
  private publishStage({ id, owner, status }: Withdrawal): void {
    const fact = { owner, id, status, confirm: 0 };
    this.deps.events.publish([{ name: withdrawalChanged.name, fact }]);
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

/** Returns the input of the command `sent`, without the fields that are undefined. */
function sentInput({
  id,
  txid,
  block,
  isReplacement = false,
}: {
  readonly id: string;
  readonly txid: string;
  readonly block: number | undefined;
  readonly isReplacement?: boolean;
}) {
  return {
    id,
    txid,
    ...(block === undefined ? {} : { block }),
    ...(isReplacement ? { isReplacement } : {}),
  };
}

function messageOf({ id: notice, kind, withdrawal }: Notice): AddressedMessage {
  const { id, owner, key, asset, network, address, amount, fee, txid, createdAt, finishedAt } = withdrawal;
  const parameters = {
    coin: asset,
    network,
    address,
    amount: amount.toString(),
    fee: fee.toString(),
    arrival: amount.minus(fee).toString(),
    txid: txid ?? '',
    time: timeText(finishedAt ?? createdAt),
    key: key?.name ?? '',
  };
  const messageKind = kind === 'held' && key !== undefined ? 'withdrawalByKey' : KINDS[kind];
  // A withdrawal can have several pauses, so a message about a pause is identified by the id of its queued
  // notice, and every other message by the id of the withdrawal, which has at most one message of each other
  // kind.
  const about = kind === 'paused' || kind === 'resumed' ? notice : id;
  return { userId: owner, about, message: { type: 'asset', kind: messageKind, parameters } };
}
