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
/** Read at a time; the oldest come first. */
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
 * Brings withdrawals on their way: lets go what goes by itself, hands what is to be sent to its network under the
 * withdrawal's own id, so that it is sent once however often this is interrupted, and settles what is confirmed.
 */
export class WithdrawalJobs {
  private readonly deps: Deps;
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private told = new Map<string, number>();
  /** Why withdrawals wait, as it was logged last. */
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

  /** Does all that can be done now; whoever asks meanwhile waits for the same. */
  move(): Promise<void> {
    this.running ??= this.moveAll().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async moveAll(): Promise<void> {
    const { chains, sequencer, commands, ledger, log } = this.deps;
    const told = new Map<string, number>();
    const away = new Set<string>();
    const troubles = new Map<string, string>();
    for await (const one of this.moving()) {
      const { id, asset, network, status, txid } = one;
      if (chains.sending(asset, network) === 'none' || ledger.isStopped(asset)) continue;
      if (txid === undefined && this.deps.pause.pausedBy !== undefined) continue;
      try {
        if (txid === undefined && (await this.isBarred(one.owner))) continue;
        if (status === 'pending') await sequencer.execute(commands.release, { id });
        else if (away.has(network)) continue;
        else if (txid === undefined) await this.send(one);
        else if (!(await this.settle(one, txid))) told.set(id, this.tellProgress(one));
      } catch (cause) {
        // What one network cannot do now holds up nobody on another, and is told when it begins or changes.
        if (cause instanceof ChannelAway) away.add(network);
        const why = cause instanceof Error ? cause.message : String(cause);
        if (this.troubles.get(id) !== why) log.warn('withdrawals.waits', { withdrawal: id, cause });
        troubles.set(id, why);
      }
    }
    this.told = told;
    this.troubles = troubles;
    await this.tell();
  }

  /** Page behind page: what cannot go on yet, however much it is, stands before nobody. Nothing of a halted coin is read. */
  private async *moving(): AsyncGenerator<Withdrawal> {
    const { clock, database, ledger } = this.deps;
    const without = ledger.haltedAssets;
    const before = later(clock.now(), -SECOND_THOUGHTS_MS);
    let last: Withdrawal | undefined;
    for (;;) {
      const page = await movingWithdrawals(database.store, {
        before,
        without,
        after: last,
        limit: MOVING_PAGE,
      });
      yield* page;
      if (page.length < MOVING_PAGE) return;
      last = page.at(-1);
    }
  }

  /** Whether an account was frozen or held since it asked: nothing leaves it then. */
  private async isBarred(owner: UserId): Promise<boolean> {
    const { clock, identity } = this.deps;
    return leavingProblem(await leavingOf(identity, owner), clock.now()) !== undefined;
  }

  /** Follows what was sent; gives whether it has come to its end. */
  private async settle(one: Withdrawal, txid: string): Promise<boolean> {
    const { chains, sequencer, commands } = this.deps;
    const { id, owner, asset, network, confirmations } = one;
    const status = await chains.status(asset, network, originOf(one));
    if (status.state === 'failed') await sequencer.execute(commands.fail, { id, owner, txid });
    if (status.state !== 'mined') return status.state === 'failed';
    const { block } = status;
    if (block !== one.block) await sequencer.execute(commands.sent, { id, txid, block });
    if (chains.confirmations(network, block) < confirmations) return false;
    await sequencer.execute(commands.finish, { id, owner });
    return true;
  }

  private async send(one: Withdrawal): Promise<void> {
    const { id, network, asset, address, memo, amount, fee, remark, isAuto, decidedBy } = one;
    const { chains, sequencer, commands } = this.deps;
    const sending = {
      origin: originOf(one),
      approvedBy: decidedBy ?? (isAuto ? 'the limits' : ''),
      network,
      asset,
      address,
      memo,
      amount: amount.minus(fee),
      remark,
    };
    // Coins that left cannot be called back: they leave only while all that is stored is known to be stored for good.
    await sequencer.settled();
    const { txid, block } = await chains.send(sending);
    await sequencer.execute(commands.sent, { id, txid, ...(block === undefined ? {} : { block }) });
  }

  private tellProgress({ id, owner, network, block, confirmations }: Withdrawal): number {
    const confirm = Math.min(confirmations, this.deps.chains.confirmations(network, block));
    if (this.told.get(id) !== confirm) {
      const fact = { owner, id, status: 'processing', confirm };
      this.deps.events.publish([{ name: withdrawalChanged.name, fact }]);
    }
    return confirm;
  }

  private async tell(): Promise<void> {
    const { database, identity, messages } = this.deps;
    for (;;) {
      const told = await database.transaction(async (tx) => {
        const notices = await takeNotices(tx, NOTICES);
        const owners = [...new Set(notices.map(({ withdrawal }) => withdrawal.owner))];
        const people = await identity.addressees(owners);
        const wanted = notices.filter(({ withdrawal }) => people.get(withdrawal.owner)?.isHouse === false);
        await messages.send(tx, wanted.map(messageOf));
        return { count: notices.length, owners: new Set(wanted.map(({ withdrawal }) => withdrawal.owner)) };
      });
      for (const owner of told.owners) await messages.announce(owner);
      if (told.count < NOTICES) return;
    }
  }
}

/** A withdrawal's own name on its network. */
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
