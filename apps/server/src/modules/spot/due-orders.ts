import type { OrderId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Outside } from './command-inputs.ts';
import type { SpotCommands } from './commands.ts';
import type { SpotOrder } from './domain/order.ts';
import type { SpotExchange } from './exchange.ts';
import { EXPIRED_MOST, MARKED_MOST } from './portions.ts';

interface Parts {
  readonly exchange: SpotExchange;
  readonly commands: SpotCommands;
  readonly sequencer: Sequencer;
  readonly clock: Clock;
  readonly log: Log;
  /** What the execution of an order on this pair has to know from outside, as it is now. */
  readonly outside: (pair: Pair) => Outside;
}

/** So many executions are queued at a time, so that those of callers wait behind no more. */
const QUEUED_MAX = 256;
/** More are queued when no more than this are left. */
const REFILLED_AT = QUEUED_MAX / 2;

/** Proposes the steps that nobody asks for: the marking of stops whose price was there, their execution, the exits of buys that have ended, and orders whose time is over. */
export class DueOrders {
  private readonly parts: Parts;
  /** The executions that are queued, by order; each resolves to whether its step was executed. */
  private readonly queued = new Map<OrderId, Promise<boolean>>();
  /** The steps that mark stops, by pair: one at a time; each resolves to whether it was executed. */
  private readonly marking = new Map<string, Promise<boolean>>();
  private isExpiring = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * To be called after whatever may have traded: queues executions of due stops, and of exits that are owed, as far as
   * fewer than `QUEUED_MAX` are queued. The rest follows as these are executed, with the steps of callers in between.
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
   * Executes everything that is due, and what becomes due by that, a queue at a time. What is refused or fails stays
   * due for the next tick.
   */
  async settle(): Promise<void> {
    for (;;) {
      this.propose();
      if (this.queued.size === 0 && this.marking.size === 0) return;
      const executed = await Promise.all([...this.marking.values(), ...this.queued.values()]);
      if (executed.includes(false)) return;
    }
  }

  /** Makes good what could not be queued, and ends what has expired. */
  async tick(): Promise<void> {
    this.propose();
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
      this.tellUnlessRefused(cause);
    } finally {
      this.isExpiring = false;
    }
  }

  /** What may execute and is not queued, as much as there is room for. */
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
      this.tellUnlessRefused(cause);
    }
    this.marking.delete(symbol);
    if (isExecuted) this.propose();
    return isExecuted;
  }

  private async executeQueued(order: SpotOrder): Promise<boolean> {
    const isExecuted = await this.execute(order);
    this.queued.delete(order.id);
    // What is turned away is left to the next tick: to queue it again at once would go on without an end.
    if (isExecuted) this.propose();
    return isExecuted;
  }

  private async execute({ id, pair }: SpotOrder): Promise<boolean> {
    const { exchange, sequencer, commands, outside } = this.parts;
    try {
      const command = exchange.owed.has(id) ? commands.exits : commands.trigger;
      await sequencer.execute(command, { order: id, ...outside(pair) });
      return true;
    } catch (cause) {
      this.tellUnlessRefused(cause);
      return false;
    }
  }

  /** Turned away while the server is busy, recovering or about to stop: the next tick, or start, tries again. */
  private tellUnlessRefused(cause: unknown): void {
    if (!(cause instanceof Refused)) this.parts.log.error('spot.due_not_executed', { cause });
  }
}
