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

/** Milliseconds before a TWAP order whose child could not be placed is checked again. */
const RETRY_MS = 2 * SECOND_MS;
/**
 * Maximum number of commands of TWAP orders in the sequencer's queue. It limits how long requests of users wait behind
 * them.
 */
const QUEUED_MAX = 64;

interface Parts {
  readonly exchange: SpotExchange;
  readonly commands: SpotCommands;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly referenceOf: (symbol: string) => Decimal | undefined;
  /**
   * Reads the values that the command of a child order takes as input: main account, fee rates and prices. Refuses if
   * the owner may not trade on the order's side.
   */
  readonly contextOf: (
    owner: UserId,
    order: Pick<PlaceTwap, 'symbol' | 'side'>,
    submission: Submission | undefined,
  ) => Promise<PlacementContext>;
}

/**
 * Sends the commands that place the due children of TWAP orders, and that end TWAP orders whose time is over.
 * A command contains the index of the child, so that each child is placed once, however often the command is
 * sent. While the same reason prevents a child, no command is sent; every `RETRY_MS` milliseconds the reason
 * is determined again in memory.
 */
export class DueTwaps {
  private readonly parts: Parts;
  private readonly queued = new Map<string, Promise<void>>();
  /** The time at which a TWAP order whose child could not be placed is checked again. */
  private readonly retryAt = new WeakMap<Twap, Instant>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Queues the commands of the TWAP orders that are due, as many as the queue has room for, except for those that are
   * queued already and those whose next attempt is later.
   */
  tick(): void {
    const { clock, exchange } = this.parts;
    const now = clock.now();
    for (const twap of exchange.twaps.due(now)) {
      if (this.queued.size >= QUEUED_MAX) return;
      if (this.queued.has(twap.id) || (this.retryAt.get(twap) ?? now) > now) continue;
      this.queued.set(twap.id, this.advance(twap, now));
    }
  }

  /** Queues the commands of the TWAP orders that are due, and resolves when no command is queued. */
  async settle(): Promise<void> {
    this.tick();
    await this.whenIdle();
  }

  /** Resolves when all commands of TWAP orders that are queued now have ended. */
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
      // A refusal is expected while the server is busy, recovering or stopping, or a coin is about to be
      // halted; it is not logged.
      if (!(cause instanceof Refused)) log.error('spot.twap_not_placed', { twap: twap.id, cause });
    } finally {
      this.queued.delete(twap.id);
    }
  }

  /**
   * Sends the command that ends a TWAP order, places its next child or pauses it. Resolves to false if a due child was
   * not placed.
   */
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

  /**
   * The context for placing a child; undefined if the account may not trade. Throws while the server cannot decide
   * this, e.g. during maintenance.
   */
  private async contextFor(
    owner: UserId,
    order: Pick<PlaceTwap, 'symbol' | 'side'>,
  ): Promise<PlacementContext | undefined> {
    try {
      const context = await this.parts.contextOf(owner, order, undefined);
      // No request is received for a child, so the context has no time of receipt.
      return { ...context, receivedAt: undefined };
    } catch (cause) {
      if (cause instanceof Refused && cause.refusal.kind !== 'maintenance') return undefined;
      throw cause;
    }
  }
}
