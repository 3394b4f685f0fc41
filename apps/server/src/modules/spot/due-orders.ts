import type { Pair } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { Outside } from './command-inputs.ts';
import { runCommand } from './commands.ts';
import type { SpotExchange } from './exchange.ts';

interface Parts {
  readonly exchange: SpotExchange;
  readonly sequencer: Sequencer;
  readonly clock: Clock;
  readonly log: Log;
  /** What the execution of an order on this pair has to know from outside, as it is now. */
  readonly outside: (pair: Pair) => Outside;
}

/** Proposes the steps that nobody asks for: stops whose price was there, and orders whose time is over. */
export class DueOrders {
  private readonly parts: Parts;
  /** Executions in the queue; each takes whichever stop is due first when its turn comes. */
  private proposed = 0;
  private isExpiring = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** To be called after whatever may have traded: queues an execution for every due stop that has none. */
  propose(): void {
    while (this.proposed < this.parts.exchange.ready.length) {
      this.proposed += 1;
      void this.execute();
    }
  }

  /** Executes everything that is due, and what becomes due by that. */
  async settle(): Promise<void> {
    while (this.parts.exchange.ready.length > 0) {
      await this.parts.sequencer.run('spot.trigger', {}, (step) => this.executeFirst(step));
    }
  }

  /** Makes good what could not be queued, and ends what has expired. */
  async tick(): Promise<void> {
    this.propose();
    const { exchange, clock } = this.parts;
    const now = clock.now();
    let isAnyOver = false;
    for (const { pair, expiries } of exchange.markets.values()) {
      if (expiries.nextAt <= now && !exchange.isHalted(pair)) isAnyOver = true;
    }
    if (!isAnyOver || this.isExpiring) return;
    this.isExpiring = true;
    try {
      await this.parts.sequencer.run('spot.expire', {}, (step) =>
        runCommand(exchange, step, { operation: 'spot.expire', input: {} }),
      );
    } catch (cause) {
      this.tellUnlessRefused(cause);
    } finally {
      this.isExpiring = false;
    }
  }

  private async execute(): Promise<void> {
    let isWaiting = true;
    try {
      await this.parts.sequencer.run('spot.trigger', {}, (step) => {
        // Not waiting from here on: what becomes due by this execution needs a proposal of its own.
        if (isWaiting) this.proposed -= 1;
        isWaiting = false;
        this.executeFirst(step);
        this.propose();
      });
    } catch (cause) {
      if (isWaiting) this.proposed -= 1;
      this.tellUnlessRefused(cause);
    }
  }

  private executeFirst(step: Step): void {
    const { exchange, outside } = this.parts;
    const order = exchange.orders.get(exchange.ready[0]!);
    if (order === undefined) return;
    const input = { order: order.id, ...outside(order.pair) };
    runCommand(exchange, step, { operation: 'spot.trigger', input });
  }

  /** Turned away while the server is busy, recovering or about to stop: the next tick, or start, tries again. */
  private tellUnlessRefused(cause: unknown): void {
    if (!(cause instanceof Refused)) this.parts.log.error('spot.due_not_executed', { cause });
  }
}
