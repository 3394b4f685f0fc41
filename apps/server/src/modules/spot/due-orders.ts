import type { OrderId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { ExternalInputs } from './command-inputs.ts';
import type { SpotCommands } from './commands.ts';
import type { SpotOrder } from './domain/order.ts';
import type { SpotExchange } from './exchange.ts';
import { executableCountdowns } from './dead-man.ts';
import type { Countdown } from './domain/countdowns.ts';
import { CANCELLED_MOST, EXPIRED_MOST, MARKED_MOST } from './portions.ts';

interface Parts {
  readonly exchange: SpotExchange;
  readonly commands: SpotCommands;
  readonly sequencer: Sequencer;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Returns the present reference price of a pair and the value of its quote coin (USDT per coin), which an
   * execution on the pair takes as input.
   */
  readonly outside: (pair: Pair) => ExternalInputs;
}

/**
 * Maximum number of executions of due orders in the sequencer's queue. It limits how long requests of
 * users wait behind them.
 */
const QUEUED_MAX = 256;
/** The queue of due executions is refilled when it has this many entries or fewer. */
const REFILLED_AT = QUEUED_MAX / 2;

/**
 * Sends the commands that no user requests: marking triggered stops, executing due stops, placing the take-profit and
 * stop-loss orders (exits) of ended orders and the pending orders of OTOs, expiring orders, and cancelling the orders
 * of programs that no longer respond.
 */
export class DueOrders {
  private readonly parts: Parts;
  /**
   * The queued executions of due orders, by the id of the order; each promise resolves to whether its command was
   * executed.
   */
  private readonly queued = new Map<OrderId, Promise<boolean>>();
  /** The queued marking commands, at most one per pair; each promise resolves to whether it was executed. */
  private readonly marking = new Map<string, Promise<boolean>>();
  private isExpiring = false;
  /**
   * The queued cancellations of orders, by countdown that has run out or by id of the ended client connection; each
   * promise resolves to whether all commands of the cancellation were executed.
   */
  private readonly ending = new Map<Countdown | string, Promise<boolean>>();
  /** Client connections that have ended and may have open orders. */
  private readonly endedSessions = new Set<string>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Must be called after every command that may have traded. Queues the marking of triggered stops, and up to
   * `QUEUED_MAX` executions: of due stops, and placements of exits of ended orders and of pending orders of OTOs.
   * Further executions are queued when these finish, so that requests of users run in between.
   */
  propose(): void {
    const { exchange } = this.parts;
    for (const { pair } of exchange.unmarked) {
      if (!this.marking.has(pair.symbol) && !exchange.isStopped(pair))
        this.marking.set(pair.symbol, this.markQueued(pair));
    }
    if (this.queued.size > REFILLED_AT) return;
    for (const order of this.nextReady()) this.queued.set(order.id, this.executeQueued(order));
  }

  /**
   * Cancels the orders of countdowns that have run out and of ended connections, then executes all due orders,
   * including those that become due during the call. After an execution that is refused or fails the call ends; what is
   * left stays due until the next tick.
   */
  async settle(): Promise<void> {
    await this.endAll();
    for (;;) {
      this.propose();
      if (this.queued.size === 0 && this.marking.size === 0) return;
      const executed = await Promise.all([...this.marking.values(), ...this.queued.values()]);
      if (executed.includes(false)) return;
    }
  }

  /**
   * Cancels the open orders of ended client connections that were placed with the option to be cancelled at the
   * end. A later tick cancels orders that cannot be cancelled now.
   */
  async endSessions(sessionIds: Iterable<string>): Promise<void> {
    for (const sessionId of sessionIds) this.endedSessions.add(sessionId);
    await this.endAll();
  }

  /** Queues the cancellations of countdowns that have run out by `now`. */
  proposeCountdowns(now: Instant): void {
    const { exchange } = this.parts;
    if (!exchange.countdowns.isAnyDue(now)) return;
    for (const countdown of executableCountdowns(exchange, now))
      if (!this.ending.has(countdown))
        this.ending.set(
          countdown,
          this.repeatPortions(countdown, () => this.endCountdown(countdown)),
        );
  }

  private async endAll(): Promise<void> {
    const { exchange, clock } = this.parts;
    this.proposeCountdowns(clock.now());
    for (const sessionId of this.endedSessions) {
      const orders = exchange.orders.ofSession(sessionId);
      const isAnyMovable = orders.some(({ pair }) => !exchange.isStopped(pair));
      if (orders.length === 0) this.endedSessions.delete(sessionId);
      else if (isAnyMovable && !this.ending.has(sessionId))
        this.ending.set(
          sessionId,
          this.repeatPortions(sessionId, () => this.endSession(sessionId)),
        );
    }
    await Promise.all(this.ending.values());
  }

  private endCountdown({ owner, symbol, rank }: Countdown): Promise<{ readonly count: number }> {
    const { sequencer, commands } = this.parts;
    return sequencer.execute(commands.countdownEnd, { owner, symbol, rank, most: CANCELLED_MOST });
  }

  private endSession(sessionId: string): Promise<{ readonly count: number }> {
    const { sequencer, commands } = this.parts;
    return sequencer.execute(commands.sessionEnd, { sessionId, most: CANCELLED_MOST });
  }

  /**
   * Repeats a command that cancels at most `CANCELLED_MOST` orders until it cancels fewer than half of that
   * number. Resolves to false if a command was refused or failed; a failure is logged.
   */
  private async repeatPortions(
    key: Countdown | string,
    execute: () => Promise<{ readonly count: number }>,
  ): Promise<boolean> {
    try {
      for (let count = CANCELLED_MOST; count >= CANCELLED_MOST / 2;) ({ count } = await execute());
      return true;
    } catch (cause) {
      this.logUnlessRefused(cause);
      return false;
    } finally {
      this.ending.delete(key);
    }
  }

  /**
   * Queues due work that was refused or did not fit into the queue before, queues the cancellations of
   * countdowns that have run out and of ended connections, and expires orders.
   */
  async tick(): Promise<void> {
    this.propose();
    void this.endAll();
    const { exchange, clock } = this.parts;
    const now = clock.now();
    let isAnyOver = false;
    for (const { pair, expiries, marking } of exchange.markets.values()) {
      if (expiries.nextAt <= now && marking === undefined && !exchange.isStopped(pair)) isAnyOver = true;
    }
    if (!isAnyOver || this.isExpiring) return;
    this.isExpiring = true;
    try {
      const { sequencer, commands } = this.parts;
      for (let count = EXPIRED_MOST; count === EXPIRED_MOST;)
        ({ count } = await sequencer.execute(commands.expire, { most: EXPIRED_MOST }));
    } catch (cause) {
      this.logUnlessRefused(cause);
    } finally {
      this.isExpiring = false;
    }
  }

  /** The due orders that are not queued yet, as many as the queue has room for. */
  private nextReady(): SpotOrder[] {
    const next: SpotOrder[] = [];
    for (const order of this.parts.exchange.ready()) {
      if (this.queued.size + next.length >= QUEUED_MAX) break;
      if (!this.queued.has(order.id)) next.push(order);
    }
    return next;
  }

  private async markQueued({ symbol }: Pair): Promise<boolean> {
    const { sequencer, commands } = this.parts;
    let isExecuted = false;
    try {
      await sequencer.execute(commands.mark, { symbol, most: MARKED_MOST });
      isExecuted = true;
    } catch (cause) {
      this.logUnlessRefused(cause);
    }
    this.marking.delete(symbol);
    if (isExecuted) this.propose();
    return isExecuted;
  }

  private async executeQueued(order: SpotOrder): Promise<boolean> {
    const isExecuted = await this.execute(order);
    this.queued.delete(order.id);
    // A refused execution waits for the next tick; queueing it again at once could loop forever.
    if (isExecuted) this.propose();
    return isExecuted;
  }

  private async execute({ id, pair }: SpotOrder): Promise<boolean> {
    const { exchange, sequencer, commands, outside } = this.parts;
    try {
      const owed = exchange.owedOtos.has(id) ? commands.release : commands.trigger;
      const command = exchange.owedExits.has(id) ? commands.exits : owed;
      await sequencer.execute(command, { order: id, ...outside(pair) });
      return true;
    } catch (cause) {
      this.logUnlessRefused(cause);
      return false;
    }
  }

  /**
   * Logs an unexpected error. A refusal is expected while the server is busy, recovering or stopping, and the
   * command is repeated by the next tick or after the next start.
   */
  private logUnlessRefused(cause: unknown): void {
    if (!(cause instanceof Refused)) this.parts.log.error('spot.due_not_executed', { cause });
  }
}
