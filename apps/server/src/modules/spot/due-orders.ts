import type { OrderId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Outside } from './command-inputs.ts';
import type { SpotCommands } from './commands.ts';
import type { SpotExchange } from './exchange.ts';

interface Parts {
  readonly exchange: SpotExchange;
  readonly commands: SpotCommands;
  readonly sequencer: Sequencer;
  readonly clock: Clock;
  readonly log: Log;
  /** What the execution of an order on this pair has to know from outside, as it is now. */
  readonly outside: (pair: Pair) => Outside;
}

/** Proposes the steps that nobody asks for: stops whose price was there, the exits of buys that have ended, and orders whose time is over. */
export class DueOrders {
  private readonly parts: Parts;
  /** Orders whose execution, or whose exits, are in the queue. */
  private readonly proposed = new Set<OrderId>();
  private isExpiring = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** To be called after whatever may have traded: queues an execution for every due stop, and every exit that is owed, that has none. */
  propose(): void {
    const { ready, readyExits } = this.parts.exchange;
    for (const id of [...ready, ...readyExits]) {
      if (this.proposed.has(id)) continue;
      this.proposed.add(id);
      void this.execute(id);
    }
  }

  /** Executes everything that is due, and what becomes due by that. */
  async settle(): Promise<void> {
    for (;;) {
      const { ready, readyExits } = this.parts.exchange;
      const first = ready[0] ?? readyExits[0];
      if (first === undefined) return;
      await this.trigger(first);
    }
  }

  /** Makes good what could not be queued, and ends what has expired. */
  async tick(): Promise<void> {
    this.propose();
    const { exchange, clock } = this.parts;
    const now = clock.now();
    let isAnyOver = false;
    for (const { pair, expiries } of exchange.markets.values()) {
      if (expiries.nextAt <= now && !exchange.isStopped(pair)) isAnyOver = true;
    }
    if (!isAnyOver || this.isExpiring) return;
    this.isExpiring = true;
    try {
      await this.parts.sequencer.execute(this.parts.commands.expire, {});
    } catch (cause) {
      this.tellUnlessRefused(cause);
    } finally {
      this.isExpiring = false;
    }
  }

  private async execute(id: OrderId): Promise<void> {
    try {
      await this.trigger(id);
    } catch (cause) {
      this.tellUnlessRefused(cause);
    } finally {
      this.proposed.delete(id);
    }
  }

  private async trigger(id: OrderId): Promise<void> {
    const { exchange, sequencer, commands, outside } = this.parts;
    const entry = exchange.owed.find((order) => order.id === id);
    const order = entry ?? exchange.orders.get(id);
    if (order === undefined) return;
    const command = entry === undefined ? commands.trigger : commands.exits;
    await sequencer.execute(command, { order: id, ...outside(order.pair) });
  }

  /** Turned away while the server is busy, recovering or about to stop: the next tick, or start, tries again. */
  private tellUnlessRefused(cause: unknown): void {
    if (!(cause instanceof Refused)) this.parts.log.error('spot.due_not_executed', { cause });
  }
}
