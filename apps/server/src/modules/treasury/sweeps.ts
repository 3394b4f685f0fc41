import { DAY_MS, instant, MINUTE_MS, HOUR_MS } from '@exchange/core/time.ts';
import { NETWORKS } from '@exchange/core/network.ts';
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
  /** Whether sending is blocked because a restored database was not compared with the chain. */
  readonly isSendingPaused: () => boolean;
}

/** Counts of a network's open sweeps after the last run. */
export interface SweepCounts {
  readonly network: string;
  readonly planned: number;
  readonly inFlight: number;
  readonly stuck: number;
}

/** Greatest number of open sweeps of a network. */
const OPEN_MOST = 50;
/** Greatest number of balances of deposit addresses that one run checks per network. */
const LOOKS = 50;
const LIST_SIZE = 200;
/**
 * Milliseconds until a coin on an address is checked again: `SOON_MS` while the address has an open sweep,
 * otherwise `LATER_MS`.
 */
const SOON_MS = 10 * MINUTE_MS;
const LATER_MS = 6 * HOUR_MS;

/**
 * Moves coins from deposit addresses into the hot wallet of their network. Every step can be
 * repeated: an address has one open sweep, whose contents never change, and each of its two
 * transactions is signed once under its id. Both addresses belong to the exchange, so nothing is
 * posted and nothing can be paid twice.
 */
export class Sweeps {
  private readonly parts: SweepParts;
  private readonly runs = new SerialRuns(() => this.checkAll());
  private counts: readonly SweepCounts[] = [];
  /** Errors that prevented the planning of sweeps in the last run, by network. */
  private unread: ReadonlyMap<string, string> = new Map();
  /** Why sweeps wait, by the id of the sweep. */
  private waiting: ReadonlyMap<string, string> = new Map();
  /** Ids of stuck sweeps that were reported. */
  private reported: ReadonlySet<string> = new Set();

  constructor(parts: SweepParts) {
    this.parts = parts;
  }

  /** Plans and advances all sweeps that are due at the time of the call. */
  check(): Promise<void> {
    return this.runs.run();
  }

  /** Counts of open sweeps by network, after the last run; empty where nothing is swept. */
  get overview(): readonly SweepCounts[] {
    return this.counts;
  }

  /** Problems of sweeps for operators; empty if there are none. */
  get problems(): readonly string[] {
    const stuck = this.counts.filter((counts) => counts.stuck > 0);
    return [
      ...[...this.unread].map(([network, text]) => `deposit addresses on ${network} are not swept: ${text}`),
      ...stuck.map((counts) => `${counts.stuck} sweeps on ${counts.network} are stuck`),
    ];
  }

  /** Why a sweep waits; undefined if it does not. */
  reasonOf(id: string): string | undefined {
    return this.waiting.get(id);
  }

  /** Open sweeps of all networks, oldest first; the list is bounded. */
  open() {
    return openSweeps(this.parts.database.store, undefined, LIST_SIZE);
  }

  closed() {
    return closedSweeps(this.parts.database.store, LIST_SIZE);
  }

  /** Every network with sweeps: its state, what is open, and what was swept in the last 24 hours. */
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

  /** Refuses a network on which nothing is swept. */
  requireNetwork(network: string): void {
    if (!this.sources().some((source) => source.network === network))
      throw new Refused(refusal('generic', 'l.not_found'));
  }

  /**
   * Pauses the sweeps of a network until they are resumed; sweeps that are signed are still
   * followed.
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

  /** Counts the open sweeps of a network, and reports each stuck one once. */
  private countsOf(
    network: string,
    open: readonly Sweep[],
    waiting: ReadonlyMap<string, string>,
  ): SweepCounts {
    const { clock, log } = this.parts;
    const stuck = open.filter((sweep) => isStuck(sweep, clock.now()));
    for (const { id, asset, state, address } of stuck)
      if (!this.reported.has(id))
        log.error('treasury.sweep_stuck', {
          sweep: id,
          network,
          asset,
          address,
          state,
          because: waiting.get(id) ?? 'it is not confirmed',
        });
    this.reported = new Set(stuck.map(({ id }) => id));
    const inFlight = open.filter(({ state }) => state === 'signed' || state === 'sent').length;
    return { network, planned: open.length - inFlight, inFlight, stuck: stuck.length };
  }

  /** Plans sweeps of the coins that are due and whose value justifies the gas. */
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
   * Plans the sweep of a coin on an address. Returns false if its value is too low, the coin is halted or
   * paused, its last sweep on the address failed within a day, or the address has an open sweep.
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
    // A token that refuses its transfer would burn gas with every new sweep.
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

  /** Advances a sweep by as many states as possible. Returns the reason if it has to wait, otherwise undefined. */
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

  /** Sends gas to the address where it lacks it, and then requests the signing of the sweep. */
  private async advance(sweep: Sweep, isPaused: boolean): Promise<void> {
    const { chains, clock, commands, sequencer } = this.parts;
    const { id, network, state, gas } = sweep;
    const stages = await chains.stagesOf(network, [sweepOrigin(id), gasOrigin(id)]);
    const stage = stages.get(sweepOrigin(id));
    const gasStage = stages.get(gasOrigin(id));
    const hasGas = state === 'funded' || gas === undefined;
    // A signed sweep is followed even while sweeps are stopped.
    if (!isSigned(hasGas ? stage : gasStage)) {
      // A signer that received a request but did not answer may have signed.
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
    // A transaction cannot be recalled, so wait until the plan is durable.
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

  /** Sends gas to the address of a sweep, and returns whether the gas has arrived finally. */
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

  /** Follows a signed sweep until it is final. */
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

  /** The newest block whose transfers count as confirmed on a network. */
  private finalBlock(network: string): number {
    const { chains } = this.parts;
    const terms = NETWORKS.find(({ code }) => code === network);
    return terms === undefined ? 0 : chains.confirmations(network, 0) - chains.confirmationsNeeded(terms);
  }
}

/** Whether a transaction exists that has to be followed. */
function isSigned(stage: SendingStage | undefined): boolean {
  return stage === 'signed' || stage === 'sent';
}

/** The payment that moves the coins of a sweep, in the form that the network's channel expects. */
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

/** The payment of the hot wallet that sends gas for a sweep to its address. */
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
