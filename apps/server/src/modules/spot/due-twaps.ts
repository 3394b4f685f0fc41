import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { PlacementContext, PlaceTwap } from './command-inputs.ts';
import type { SpotCommands } from './commands.ts';
import { isOver, type Twap } from './domain/twap.ts';
import type { SpotExchange } from './exchange.ts';
import { nextChildOf } from './twap.ts';

/** The pause before a child that could not be placed is looked at again, in milliseconds. */
const RETRY_MS = 2 * SECOND_MS;
/** The most children in the sequencer's queue at a time, so that requests of users wait behind no more. */
const QUEUED_MAX = 64;

interface Parts {
  readonly exchange: SpotExchange;
  readonly commands: SpotCommands;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly referenceOf: (symbol: string) => Decimal | undefined;
  /** Loads what a step that places orders needs; refuses owners who may not trade. */
  readonly contextOf: (
    owner: UserId,
    order: Pick<PlaceTwap, 'symbol' | 'side'>,
    submission: Submission | undefined,
  ) => Promise<PlacementContext>;
}

/**
 * Proposes the children of TWAP orders that are due, and the end of those whose time is over. The commands name the next
 * child, so that each is placed once however often it is proposed. While a child has to wait, nothing is proposed: its
 * reason is read from memory again every few seconds.
 */
export class DueTwaps {
  private readonly parts: Parts;
  private readonly queued = new Map<string, Promise<void>>();
  /** When the waiting children are looked at again. */
  private readonly retryAt = new WeakMap<Twap, Instant>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Queues the children that are due, as many as the queue has room for. */
  tick(): void {
    const { clock, exchange } = this.parts;
    const now = clock.now();
    for (const twap of exchange.twaps.due(now)) {
      if (this.queued.size >= QUEUED_MAX) return;
      if (this.queued.has(twap.id) || (this.retryAt.get(twap) ?? now) > now) continue;
      this.queued.set(twap.id, this.advance(twap, now));
    }
  }

  /** Places all children that are due and not waiting. Resolves when none is queued. */
  async settle(): Promise<void> {
    this.tick();
    await this.whenIdle();
  }

  /** Resolves when no child is queued. */
  async whenIdle(): Promise<void> {
    await Promise.all(this.queued.values());
  }

  private async advance(twap: Twap, now: Instant): Promise<void> {
    const { log } = this.parts;
    try {
      const isDone = await this.propose(twap, now);
      if (isDone) this.retryAt.delete(twap);
      else this.retryAt.set(twap, later(now, RETRY_MS));
    } catch (cause) {
      this.retryAt.set(twap, later(now, RETRY_MS));
      // A refusal is expected while the server is busy, recovering or stopping, or a coin is about to be halted.
      if (!(cause instanceof Refused)) log.error('spot.twap_not_placed', { twap: twap.id, cause });
    } finally {
      this.queued.delete(twap.id);
    }
  }

  /** Proposes the next step of a TWAP order. Resolves to false if its child has to wait. */
  private async propose(twap: Twap, now: Instant): Promise<boolean> {
    const { commands, exchange, sequencer, referenceOf } = this.parts;
    const { owner, id, symbol, side, next: child, pause } = twap;
    if (isOver(twap, now)) {
      await sequencer.execute(commands.endTwap, { owner, id, by: 'time' as const });
      return true;
    }
    const next = nextChildOf(exchange, twap, now, referenceOf(symbol));
    if (next.kind === 'wait' && next.pause === pause) return false;
    const context = await this.contextFor(owner, { symbol, side });
    if (context === undefined) {
      if (pause !== 'account')
        await sequencer.execute(commands.pauseTwap, { owner, id, child, pause: 'account' as const });
      return false;
    }
    const { count } = await sequencer.execute(commands.twapChild, {
      owner,
      master: context.master,
      symbol,
      selfTrade: context.selfTrade,
      rates: context.rates,
      clientId: context.clientId,
      reference: context.reference,
      quoteValue: context.quoteValue,
      mostMarked: context.mostMarked,
      id,
      child,
    });
    return count > 0;
  }

  /** What a step needs; undefined if the account may not trade. Throws while the server cannot tell. */
  private async contextFor(
    owner: UserId,
    order: Pick<PlaceTwap, 'symbol' | 'side'>,
  ): Promise<PlacementContext | undefined> {
    try {
      const context = await this.parts.contextOf(owner, order, undefined);
      // Nobody sends a request for a child.
      return { ...context, receivedAt: undefined };
    } catch (cause) {
      if (cause instanceof Refused && cause.refusal.kind !== 'maintenance') return undefined;
      throw cause;
    }
  }
}
