import { DAY_MS, instant, MINUTE_MS, HOUR_MS } from '@exchange/core/time.ts';
import { findNetwork } from '@exchange/core/network-table.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { gasOrigin, sweepOrigin } from '../../platform/signer/protocol.ts';
import {
  ChannelAway,
  type Chains,
  type DepositSweeps,
  type Sending,
  type SendingStage,
  type SweepableHolding,
} from '../chains/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { Treasury } from './service.ts';
import type { SweepCommands } from './sweep-commands.ts';
import {
  isOutdated,
  isStuck,
  isWorthLeast,
  isWorthSweeping,
  type Sweep,
  type SweepPause,
} from './sweep-domain.ts';
import { closedSweeps, hasFailed, openSweeps, sweepPauses, sweptSince } from './sweep-repository.ts';

export interface SweepParts {
  readonly chains: Pick<
    Chains,
    'channels' | 'send' | 'status' | 'stagesOf' | 'confirmations' | 'confirmationsNeeded'
  >;
  readonly clock: Clock;
  readonly commands: SweepCommands;
  readonly database: Pick<Database, 'store'>;
  readonly ledger: Pick<Ledger, 'isStopped'>;
  readonly log: Log;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly sequencer: Pick<Sequencer, 'execute' | 'settled'>;
  readonly treasury: Pick<Treasury, 'pausedCoins'>;
  /** Whether no payment may be sent: true after the restore of a backup until an operator resumes sending. */
  readonly isSendingPaused: () => boolean;
}

/**
 * How many sweeps of a network had not ended after the last run: those without a signed transaction
 * (`planned`), those with one (`inFlight`), and those among both that are stuck.
 */
export interface SweepCounts {
  readonly network: string;
  readonly planned: number;
  readonly inFlight: number;
  readonly stuck: number;
}

/** Maximum number of sweeps of a network that have not ended. */
const OPEN_MOST = 50;
/** Maximum number of deposit addresses' coin balances that one run checks per network. */
const LOOKS = 50;
const LIST_SIZE = 200;
/**
 * Milliseconds until the balance of a coin on a deposit address is read again: `SOON_MS` while the address has a sweep
 * that has not ended, otherwise `LATER_MS`.
 */
const SOON_MS = 10 * MINUTE_MS;
const LATER_MS = 6 * HOUR_MS;

/**
 * Moves coins from deposit addresses to the hot wallet of their network. All work can be repeated safely: an address
 * has at most one sweep that has not ended, whose coin and amount never change; and each of the sweep's two
 * transactions (for gas, and of the coins) is signed only once, under its own id. Both addresses belong to the
 * exchange, so no ledger entries are posted.
 */
export class Sweeps {
  private readonly parts: SweepParts;
  private readonly runs = new SerialRuns(() => this.checkAll());
  private counts: readonly SweepCounts[] = [];
  /** For each network, the error that prevented the planning of sweeps in the last run. */
  private unread: ReadonlyMap<string, string> = new Map();
  /** Why open sweeps could not be continued in the last run, by the id of the sweep. */
  private waiting: ReadonlyMap<string, string> = new Map();
  /** Ids of the sweeps that were already logged as stuck, by network. */
  private readonly reported = new Map<string, ReadonlySet<string>>();

  constructor(parts: SweepParts) {
    this.parts = parts;
  }

  /**
   * Plans new sweeps, and executes the next step of all sweeps that have not ended. Resolves when the run has ended.
   */
  check(): Promise<void> {
    return this.runs.run();
  }

  /**
   * For each network, how many sweeps had not ended after the last run. Networks whose deposit addresses are
   * not swept are absent.
   */
  get overview(): readonly SweepCounts[] {
    return this.counts;
  }

  /**
   * Sentences for operators about networks whose deposit addresses could not be read and about stuck sweeps; empty if
   * there are none.
   */
  get problems(): readonly string[] {
    const stuck = this.counts.filter((counts) => counts.stuck > 0);
    return [
      ...[...this.unread].map(([network, text]) => `deposit addresses on ${network} are not swept: ${text}`),
      ...stuck.map((counts) => `${counts.stuck} sweeps on ${counts.network} are stuck`),
    ];
  }

  /** Returns why a sweep could not be continued in the last run; undefined if nothing prevents it. */
  reasonOf(id: string): string | undefined {
    return this.waiting.get(id);
  }

  /** Returns sweeps of all networks that have not ended, oldest first, at most `LIST_SIZE`. */
  open() {
    return openSweeps(this.parts.database.store, undefined, LIST_SIZE);
  }

  closed() {
    return closedSweeps(this.parts.database.store, LIST_SIZE);
  }

  /**
   * Returns the coin in which a network takes fees; undefined if the settings no longer have deposit
   * addresses swept there.
   */
  feeCoinOf(network: string): string | undefined {
    return this.sources().find((source) => source.network === network)?.coin;
  }

  /**
   * Returns every network whose deposit addresses are swept, with its pause, how many of its sweeps had not
   * ended after the last run, and how many have ended with which result in the last 24 hours.
   */
  async networks() {
    const { database, clock } = this.parts;
    const pauses = await this.pauses();
    const since = instant(clock.now() - DAY_MS);
    return Promise.all(
      this.sources().map(async (source) => ({
        network: source.network,
        coin: source.coin,
        wallet: source.wallet,
        pause: pauses.get(source.network),
        trouble: this.unread.get(source.network),
        counts: this.counts.find(({ network }) => network === source.network),
        day: await sweptSince(database.store, source.network, since),
      })),
    );
  }

  /** Refuses a network whose deposit addresses are not swept. */
  requireNetwork(network: string): void {
    if (!this.sources().some((source) => source.network === network))
      throw new Refused(refusal('generic', 'l.not_found'));
  }

  /**
   * Pauses the sweeps of a network until operators resume them. Sweeps that are already signed are still
   * completed. Refuses a network whose deposit addresses are not swept or whose sweeps are paused already.
   */
  async pause(network: string, decision: { readonly by: string; readonly reason: string }): Promise<void> {
    this.requireNetwork(network);
    await this.parts.sequencer.execute(this.parts.commands.pauseSweeps, { network, ...decision });
  }

  async resume(network: string, decision: { readonly by: string; readonly reason: string }): Promise<void> {
    await this.parts.sequencer.execute(this.parts.commands.resumeSweeps, { network, ...decision });
  }

  private sources(): readonly DepositSweeps[] {
    return this.parts.chains.channels.flatMap(({ sweeps }) => sweeps ?? []);
  }

  private async pauses(): Promise<ReadonlyMap<string, SweepPause>> {
    const pauses = await sweepPauses(this.parts.database.store);
    return new Map(pauses.map((pause) => [pause.network, pause]));
  }

  private async checkAll(): Promise<void> {
    const { database, log } = this.parts;
    const pauses = await this.pauses();
    const unread = new Map<string, string>();
    const waiting = new Map<string, string>();
    const counts: SweepCounts[] = [];
    for (const source of this.sources()) {
      const { network } = source;
      const isPaused = pauses.has(network);
      for (const sweep of (await openSweeps(database.store, network, OPEN_MOST)).list) {
        const problem = await this.carryOn(sweep, isPaused);
        if (problem !== undefined) waiting.set(sweep.id, problem);
      }
      try {
        if (!isPaused && !this.parts.isSendingPaused()) await this.plan(source);
      } catch (cause) {
        const text = errorMessage(cause);
        if (this.unread.get(network) !== text) log.warn('treasury.sweeps_not_planned', { network, cause });
        unread.set(network, text);
      }
      counts.push(
        this.countsOf(network, (await openSweeps(database.store, network, OPEN_MOST)).list, waiting),
      );
    }
    this.unread = unread;
    this.waiting = waiting;
    this.counts = counts;
  }

  /** Counts the sweeps of a network that have not ended, and logs each stuck sweep once. */
  private countsOf(
    network: string,
    open: readonly Sweep[],
    waiting: ReadonlyMap<string, string>,
  ): SweepCounts {
    const { clock, log } = this.parts;
    const stuck = open.filter((sweep) => isStuck(sweep, clock.now()));
    const reported = this.reported.get(network);
    for (const { id, asset, state, address } of stuck)
      if (reported?.has(id) !== true)
        log.error('treasury.sweep_stuck', {
          sweep: id,
          network,
          asset,
          address,
          state,
          because: waiting.get(id) ?? 'it is not confirmed',
        });
    this.reported.set(network, new Set(stuck.map(({ id }) => id)));
    const inFlight = open.filter(({ state }) => state === 'signed' || state === 'sent').length;
    return { network, planned: open.length - inFlight, inFlight, stuck: stuck.length };
  }

  /**
   * Checks coins on the deposit addresses whose check is due, at most `LOOKS` per call, and plans the sweeps of those
   * that are worth the gas. Does nothing while `OPEN_MOST` sweeps of the network have not ended.
   */
  private async plan(source: DepositSweeps): Promise<void> {
    const { clock, database } = this.parts;
    const { network } = source;
    const { list, total } = await openSweeps(database.store, network, OPEN_MOST);
    if (total >= OPEN_MOST) return;
    const busy = new Set(list.map(({ index }) => index));
    for (const holding of await source.due(Math.min(LOOKS, OPEN_MOST - total))) {
      const isPlanned = !busy.has(holding.index) && (await this.planOne(source, holding));
      if (isPlanned) busy.add(holding.index);
      const isSoon = busy.has(holding.index);
      await source.looked(holding, instant(clock.now() + (isSoon ? SOON_MS : LATER_MS)));
    }
  }

  /**
   * Plans the sweep of a coin on a deposit address. Returns false if the balance is not worth it (by the least value of
   * the settings, or else by the cost of the gas), the coin is halted or paused, the coin's last sweep on the address
   * failed within the last 24 hours, or the address has a sweep that has not ended.
   */
  private async planOne(source: DepositSweeps, holding: SweepableHolding): Promise<boolean> {
    const { clock, commands, database, market, sequencer } = this.parts;
    const { network, coin, factor, least, wallet } = source;
    const { index, asset, address, amount, gas, gasLimit, mostFee, cost } = holding;
    const value = { amount, price: market.usdtPrice(asset) };
    const isWorth =
      least === undefined
        ? isWorthSweeping(value, { cost, price: market.usdtPrice(coin), factor })
        : isWorthLeast(value, least);
    if (!isWorth || this.isStopped(asset)) return false;
    const dayAgo = instant(clock.now() - DAY_MS);
    // A failed sweep costs gas. A token that refuses the transfer would let every sweep fail, so after a
    // failure no sweep of this coin from this address is planned for a day.
    if (await hasFailed(database.store, { network, index, asset }, dayAgo)) return false;
    const { id } = await sequencer.execute(commands.planSweep, {
      network,
      asset,
      index,
      address,
      destination: wallet,
      amount,
      gasLimit: gasLimit.toString(),
      mostFee: mostFee.toString(),
      gas,
    });
    return id !== undefined;
  }

  private isStopped(asset: string): boolean {
    const { ledger, treasury } = this.parts;
    return ledger.isStopped(asset) || treasury.pausedCoins.has(asset);
  }

  /** Executes the next step of a sweep. Returns the reason if the sweep must wait, otherwise undefined. */
  private async carryOn(sweep: Sweep, isPaused: boolean): Promise<string | undefined> {
    const { log } = this.parts;
    try {
      if (sweep.state === 'signed' || sweep.state === 'sent') await this.settle(sweep);
      else await this.advance(sweep, isPaused);
      return undefined;
    } catch (cause) {
      const text = errorMessage(cause);
      if (!(cause instanceof ChannelAway) && this.waiting.get(sweep.id) !== text)
        log.warn('treasury.sweep_waits', { sweep: sweep.id, cause });
      return text;
    }
  }

  /**
   * Advances a sweep whose transaction is not signed yet: drops it if it is outdated and no signature was requested;
   * otherwise sends gas to its deposit address or, if the address has the gas already, the sweep's transaction. Throws
   * with the reason if the sweep must wait.
   */
  private async advance(sweep: Sweep, isPaused: boolean): Promise<void> {
    const { chains, clock, commands, sequencer } = this.parts;
    const { id, network, state, gas } = sweep;
    const stages = await chains.stagesOf(network, [sweepOrigin(id), gasOrigin(id)]);
    const stage = stages.get(sweepOrigin(id));
    const gasStage = stages.get(gasOrigin(id));
    const hasGas = state === 'funded' || gas === undefined;
    // A signed sweep continues even while sweeps are paused, so only an unsigned one may be dropped or must wait.
    if (!isSigned(hasGas ? stage : gasStage)) {
      // A signer that has received a request may have signed it although no answer has arrived, so only a sweep without
      // a request is dropped.
      const isAsked = stage !== undefined || (!hasGas && gasStage !== undefined);
      if (!isAsked && isOutdated(sweep, clock.now())) {
        const reason = this.waiting.get(id) ?? 'it was not signed in time';
        await sequencer.execute(commands.endSweep, { id, state: 'dropped' as const, reason });
        return;
      }
      this.requireRunning(sweep.asset, isPaused);
    }
    if (!hasGas && !(await this.fund(sweep, gas))) return;
    if (!isSigned(stage)) this.requireRunning(sweep.asset, isPaused);
    // A broadcast transaction cannot be recalled, so the planned sweep must be committed before its transaction is
    // sent.
    await sequencer.settled();
    const { txid } = await chains.send(sweepSending(sweep));
    const reached = (await chains.stagesOf(network, [sweepOrigin(id)])).get(sweepOrigin(id));
    await sequencer.execute(commands.moveSweep, {
      id,
      state: reached === 'sent' ? ('sent' as const) : ('signed' as const),
      txid,
    });
  }

  private requireRunning(asset: string, isPaused: boolean): void {
    if (isPaused) throw new Error('sweeps of its network are paused');
    if (this.parts.isSendingPaused())
      throw new Error('nothing is sent until the restored database was compared');
    if (this.isStopped(asset)) throw new Error(`${asset} is stopped`);
  }

  /**
   * Sends gas to the address of a sweep if that was not done yet. Otherwise updates the sweep from the
   * payment of the gas, and ends the sweep if the payment failed. Returns whether the payment is final.
   * Throws if the settings no longer have deposit addresses swept on the network.
   */
  private async fund(sweep: Sweep, gas: NonNullable<Sweep['gas']>): Promise<boolean> {
    const { chains, commands, sequencer } = this.parts;
    const { id, network } = sweep;
    const status = await chains.status(network, gasOrigin(id));
    if (status.state === 'unknown') {
      await sequencer.settled();
      const source = this.sources().find((candidate) => candidate.network === network);
      if (source === undefined) throw new Error(`nothing is swept on ${network}`);
      const { txid } = await chains.send(gasSending(sweep, source.coin, gas));
      await sequencer.execute(commands.moveSweep, { id, state: 'planned' as const, gasTxid: txid });
      return false;
    }
    if (status.state === 'failed' || status.state === 'voided') {
      const reason = 'the transfer of gas failed';
      await sequencer.execute(commands.endSweep, { id, state: 'failed' as const, reason });
      return false;
    }
    const isFinal = status.state === 'mined' && status.block <= this.finalBlock(network);
    if (isFinal || status.txid !== sweep.gasTxid)
      await sequencer.execute(commands.moveSweep, {
        id,
        state: isFinal ? ('funded' as const) : ('planned' as const),
        gasTxid: status.txid,
      });
    return isFinal;
  }

  /**
   * Updates a sweep from the status of its signed transaction, and ends the sweep when the transaction is final, has
   * failed or can no longer be mined.
   */
  private async settle(sweep: Sweep): Promise<void> {
    const { chains, commands, sequencer } = this.parts;
    const { id, network } = sweep;
    const status = await chains.status(network, sweepOrigin(id));
    if (status.state === 'unknown') return;
    const { txid } = status;
    if (status.state === 'failed' || status.state === 'voided') {
      const reason =
        status.block === 0
          ? 'a transaction that was not signed for it used its nonce'
          : 'the chain executed and reverted it';
      await sequencer.execute(commands.endSweep, { id, state: 'failed' as const, txid, reason });
      return;
    }
    const block = status.state === 'mined' ? status.block : undefined;
    if (block !== undefined && block <= this.finalBlock(network)) {
      await sequencer.execute(commands.endSweep, { id, state: 'confirmed' as const, txid, block });
      return;
    }
    const stage = (await chains.stagesOf(network, [sweepOrigin(id)])).get(sweepOrigin(id));
    const state = block !== undefined || stage === 'sent' ? ('sent' as const) : sweep.state;
    const isNew = state !== sweep.state || txid !== sweep.txid || (block ?? sweep.block) !== sweep.block;
    if (isNew && (state === 'signed' || state === 'sent'))
      await sequencer.execute(commands.moveSweep, { id, state, txid, block });
  }

  /**
   * Returns the number of a network's newest block whose transfers have enough confirmations; 0 for an
   * unknown network.
   */
  private finalBlock(network: string): number {
    const { chains } = this.parts;
    const terms = findNetwork(network);
    return terms === undefined ? 0 : chains.confirmations(network, 0) - chains.confirmationsNeeded(terms);
  }
}

/** Returns whether a sweep's transaction is signed, so that it may be mined even if it was not sent. */
function isSigned(stage: SendingStage | undefined): boolean {
  return stage === 'signed' || stage === 'sent';
}

/** Builds the payment that moves the coins of a sweep, in the form that the network's channel expects. */
function sweepSending({ id, network, asset, destination, amount, index, gasLimit, mostFee }: Sweep): Sending {
  return {
    origin: sweepOrigin(id),
    network,
    asset,
    address: destination,
    memo: undefined,
    amount,
    sweep: { kind: 'sweep', index, gasLimit, mostFee },
  };
}

/** Returns the payment of the hot wallet that sends gas for a sweep to the deposit address. */
function gasSending(
  { id, network, address, index, gasLimit, mostFee }: Sweep,
  coin: string,
  gas: Sending['amount'],
): Sending {
  return {
    origin: gasOrigin(id),
    network,
    asset: coin,
    address,
    memo: undefined,
    amount: gas,
    sweep: { kind: 'gas', index, gasLimit, mostFee },
  };
}
