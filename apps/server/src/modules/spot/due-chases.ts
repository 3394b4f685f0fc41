import type { Decimal } from '@exchange/core/decimal.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { AlgoParts } from './algo-orders.ts';
import { nextMoveAt, nextMoveOf } from './chase.ts';
import type { Chase } from './domain/chase.ts';

/** The interval in milliseconds in which the best prices of all chase orders are compared with those of their orders. */
const LOOK_EVERY_MS = 500;
/** The pause in milliseconds before an order that could not be moved is looked at again. */
const RETRY_MS = 2 * SECOND_MS;
/** The most moves in the sequencer's queue at a time, so that requests of users wait behind no more. */
const QUEUED_MAX = 64;

interface Parts extends Pick<AlgoParts, 'commands' | 'contextOf' | 'exchange'> {
  readonly sequencer: Pick<AlgoParts['sequencer'], 'execute'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly referenceOf: (symbol: string) => Decimal | undefined;
}

/**
 * Proposes the moves of chase orders whose best price has moved away. The commands name the next move, so that each happens once
 * however often it is proposed. While an order stays or has to wait, nothing is proposed.
 */
export class DueChases {
  private readonly parts: Parts;
  private readonly queued = new Map<string, Promise<void>>();
  /** When orders that could not be moved are looked at again. */
  private readonly retryAt = new WeakMap<Chase, Instant>();
  private lookAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Queues the moves that are due, as many as the queue has room for. */
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

  /** Resolves when no move is queued. */
  async whenIdle(): Promise<void> {
    await Promise.all(this.queued.values());
  }

  private async move(chase: Chase, now: Instant): Promise<void> {
    const { commands, contextOf, log, sequencer } = this.parts;
    const { owner, id, symbol, side, moves } = chase;
    try {
      // Refuses owners who may not trade; their orders stay where they are.
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
      // A refusal is expected while the server is busy, recovering or stopping, or a coin is about to be halted.
      if (!(cause instanceof Refused)) log.error('spot.chase_not_moved', { chase: id, cause });
    } finally {
      this.queued.delete(id);
    }
  }
}
