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
/** Withdrawals that one query of the job reads, oldest first. */
const MOVING_PAGE = 200;
const KINDS = {
  held: 'withdrawalHeld',
  finished: 'withdrawalFinished',
  rejected: 'withdrawalRejected',
  failed: 'withdrawalFailed',
  returned: 'withdrawalReturned',
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

/** What one run of the job has found. */
interface Run {
  /** Confirmations of signed withdrawals, by id. */
  readonly published: Map<string, number>;
  /** Networks that do not answer, with the error. */
  readonly unreachable: Map<string, string>;
  /** Unsigned withdrawals whose sending is paused. */
  readonly paused: Set<string>;
}

/**
 * Advances withdrawals: releases those that need no review, sends each to its network under its own id (so an
 * interruption cannot send it twice), and settles confirmed ones. A withdrawal that fails is reported, retried with
 * growing pauses, and holds up no other.
 */
export class WithdrawalJobs {
  private readonly deps: Deps;
  private readonly runs = new SerialRuns(() => this.moveAll());
  private published: ReadonlyMap<string, number> = new Map();
  /** The withdrawals of the last run whose sending was paused. */
  private paused: ReadonlySet<string> = new Set();
  /** The networks that did not answer in the last run, with the error that was logged. */
  private unreachable: ReadonlyMap<string, string> = new Map();
  /** Why lost signatures could not be read in the last run, as logged. */
  private lossProblem: string | undefined;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  define(jobs: Jobs): void {
    jobs.define('withdrawals.move', () => this.advance(), { cron: '* * * * *', everyMs: TICK_MS });
  }

  /** Waits for the run in progress. */
  stop(): Promise<void> {
    return this.runs.whenIdle();
  }

  /** Processes everything that is due at the time of the call. */
  advance(): Promise<void> {
    return this.runs.run();
  }

  private async moveAll(): Promise<void> {
    const run: Run = { published: new Map(), unreachable: new Map(), paused: new Set() };
    try {
      await this.recoverLost();
      for await (const page of this.moving())
        await this.deps.bulkheads.bulkheadOf('withdrawals').each(
          page,
          ({ id }) => id,
          (withdrawal) => this.moveOne(withdrawal, run),
        );
      await this.deps.chains.dispatch();
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
   * Executes the next part of a withdrawal. One that is signed or has an exit is followed even while its coin
   * is halted or paused, its network is paused or its account is frozen; any other waits until that ends. An
   * unreachable network is no failure of the withdrawal: it is added to `unreachable`, logged when the problem
   * starts or changes, and tried again by the next run.
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
      // The owner is notified when the refusals start, not of each attempt.
      if (cause instanceof PaymentRefused && this.deps.refusedPayments.add(id)) this.publishStage(withdrawal);
      if (!(cause instanceof ChannelAway)) throw cause;
      unreachable.set(network, cause.message);
      if (this.unreachable.get(network) !== cause.message)
        log.warn('withdrawals.waits', { withdrawal: id, network, cause });
    }
  }

  /** Whether a withdrawal that is not signed may be signed now. */
  private async maySend(withdrawal: Withdrawal): Promise<boolean> {
    const { chains, screening, stops, travelRule } = this.deps;
    const { asset, network, owner } = withdrawal;
    if (chains.sending(asset, network) === 'none' || stops.isPaused(withdrawal)) return false;
    if (await this.isBarred(owner)) return false;
    // The sanctions lists may have changed since the request.
    await screening.screen(await travelRule.screened(withdrawal));
    return screening.mayWithdraw(owner);
  }

  /**
   * Stores transactions that a signer signed but whose answers were lost. They are followed from now on, even those of
   * accounts and coins that were stopped meanwhile.
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
   * Reads withdrawals in pages, so blocked ones do not hold up the rest. Those of halted coins are skipped,
   * unless they are signed or an exit was chosen.
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

  /** Whether the account is frozen now, or its withdrawals are on hold; nothing is signed in that case. */
  private async isBarred(owner: UserId): Promise<boolean> {
    const { clock, identity } = this.deps;
    return (
      withdrawalAccountProblem(await withdrawalAccountStatus(identity, owner), clock.now()) !== undefined
    );
  }

  /**
   * Checks a withdrawal's transaction on the network and settles it when confirmed. Returns true
   * when the withdrawal has ended.
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
    // The amount of a halted coin is posted when the halt has been lifted.
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
    // Sent coins cannot be recalled, so wait until everything decided so far is durable.
    await sequencer.settled();
    const { txid, block } = await chains.send(sendingOf(withdrawal));
    await sequencer.execute(commands.sent, sentInput({ id, txid, block }));
  }

  /** Publishes to the owner that the stage of an unsigned withdrawal has changed. */
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

/** Input of the command `sent`, without undefined fields. */
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

function messageOf({ kind, withdrawal }: Notice): AddressedMessage {
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
  return { userId: owner, about: id, message: { type: 'asset', kind: messageKind, parameters } };
}
