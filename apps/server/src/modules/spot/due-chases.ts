import type { Decimal } from '@exchange/core/decimal.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { AlgoParts } from './algo-orders.ts';
import { nextMoveAt, nextMoveOf } from './chase.ts';
import type { Chase } from './domain/chase.ts';

/**
 * Interval in milliseconds at which the best prices of all chase orders are compared with the prices of their orders.
 */
const LOOK_EVERY_MS = 500;
/** Milliseconds after a failed price change before the chase order is checked again. */
const RETRY_MS = 2 * SECOND_MS;
/** Maximum number of price changes in the sequencer's queue. It limits how long requests of users wait behind them. */
const QUEUED_MAX = 64;

interface Parts extends Pick<AlgoParts, 'commands' | 'contextOf' | 'exchange'> {
  readonly sequencer: Pick<AlgoParts['sequencer'], 'execute'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly referenceOf: (symbol: string) => Decimal | undefined;
}

/**
 * Sends the commands that change the prices of chase orders when the best price has moved away from them. A command
 * contains the number of earlier price changes, so that each change happens once, however often the command is sent. No
 * command is sent while the price is right or something prevents a change.
 */
export class DueChases {
  private readonly parts: Parts;
  private readonly queued = new Map<string, Promise<void>>();
  /** The time at which a chase order whose price change failed is checked again. */
  private readonly retryAt = new WeakMap<Chase, Instant>();
  private lookAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Queues the price changes that are due, as many as the queue has room for. Does nothing within `LOOK_EVERY_MS` of
   * the last check.
   */
  tick(): void {
    const { clock, exchange, referenceOf } = this.parts;
    const now = clock.now();
    if (exchange.chases.size === 0 || now < this.lookAt) return;
    this.lookAt = now + LOOK_EVERY_MS;
    for (const chase of exchange.chases) {
      if (this.queued.size >= QUEUED_MAX) return;
      if (this.queued.has(chase.id) || nextMoveAt(chase) > now) continue;
      if ((this.retryAt.get(chase) ?? now) > now) continue;
      if (nextMoveOf(exchange, chase, referenceOf(chase.symbol)).kind === 'move')
        this.queued.set(chase.id, this.move(chase, now));
    }
  }

  /** Resolves when all price changes of chase orders that are queued now have ended. */
  async whenIdle(): Promise<void> {
    await Promise.all(this.queued.values());
  }

  private async move(chase: Chase, now: Instant): Promise<void> {
    const { commands, contextOf, log, sequencer } = this.parts;
    const { owner, id, symbol, side, moves } = chase;
    try {
      // `contextOf` refuses owners who may not trade; the prices of their orders then stay as they are.
      const context = await contextOf(owner, { symbol, side }, undefined);
      await sequencer.execute(commands.moveChase, {
        owner,
        id,
        symbol,
        move: moves,
        reference: context.reference,
        quoteValue: context.quoteValue,
        mostMarked: context.mostMarked,
      });
    } catch (cause) {
      this.retryAt.set(chase, later(now, RETRY_MS));
      // A refusal is expected while the server is busy, recovering or stopping, or a coin is about to be
      // halted; it is not logged.
      if (!(cause instanceof Refused)) log.error('spot.chase_not_moved', { chase: id, cause });
    } finally {
      this.queued.delete(id);
    }
  }
}
