import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import { ExpiryQueue } from './open-orders.ts';

/**
 * A countdown of an account. After `expireAt`, the account's open orders on the pair, or on all pairs, that were placed
 * not later than `expireAt` are cancelled.
 */
export interface Countdown {
  readonly owner: UserId;
  /** The pair whose orders the countdown covers; empty for all pairs. */
  readonly symbol: string;
  readonly expireAt: Instant;
  /**
   * The sequence number of the journal step that set the countdown. It identifies the countdown among those
   * of the same account and pair, and orders countdowns with equal times.
   */
  readonly rank: number;
}

/**
 * The countdowns of all accounts: at most one for each pair of an account, and one for all of its pairs. A countdown
 * that has run out while a coin of its orders is halted waits until these orders can be cancelled.
 */
export class Countdowns {
  private readonly running = new ExpiryQueue<Countdown>();
  private readonly byScope = new Map<string, Countdown>();
  private readonly stuckOn = new Map<string, Set<Countdown>>();

  /** The end of the countdown that runs out next; infinity when none runs. */
  get nextAt(): number {
    return this.running.nextAt;
  }

  /**
   * The countdown of an account for a pair or all pairs, including one that has run out and still has orders to
   * cancel. Undefined if there is none.
   */
  get(owner: UserId, symbol: string): Countdown | undefined {
    return this.byScope.get(scopeOf({ owner, symbol }));
  }

  /** Starts a countdown in place of the one for the same account and pair. */
  set(countdown: Countdown): void {
    this.remove(countdown);
    this.byScope.set(scopeOf(countdown), countdown);
    this.running.add(countdown);
  }

  /** Ends the countdown of an account for a pair or all pairs, if there is one. */
  remove(scope: Pick<Countdown, 'owner' | 'symbol'>): void {
    const countdown = this.byScope.get(scopeOf(scope));
    if (countdown === undefined) return;
    this.byScope.delete(scopeOf(scope));
    this.running.remove(countdown);
    for (const [symbol, stuck] of this.stuckOn) {
      stuck.delete(countdown);
      if (stuck.size === 0) this.stuckOn.delete(symbol);
    }
  }

  /**
   * Makes a countdown that has run out wait for the pairs on which its orders cannot be cancelled
   * now.
   */
  wait(countdown: Countdown, symbols: Iterable<string>): void {
    this.remove(countdown);
    this.byScope.set(scopeOf(countdown), countdown);
    for (const symbol of symbols) {
      const stuck = this.stuckOn.get(symbol);
      if (stuck === undefined) this.stuckOn.set(symbol, new Set([countdown]));
      else stuck.add(countdown);
    }
  }

  /** Whether any countdown has run out and may still have orders to cancel. */
  isAnyDue(now: Instant): boolean {
    return this.running.nextAt <= now || this.stuckOn.size > 0;
  }

  /** The countdowns that ran out by `now`, without those that wait for a pair's orders (`waitingFor`). */
  due(now: Instant): IterableIterator<Countdown> {
    return this.running.due(now);
  }

  /** The countdowns that have run out and wait until orders of a pair can be cancelled. */
  waitingFor(symbol: string): readonly Countdown[] {
    return [...(this.stuckOn.get(symbol) ?? [])];
  }

  /** Pairs on which countdowns that have run out wait until orders can be cancelled. */
  get waitedFor(): readonly string[] {
    return [...this.stuckOn.keys()];
  }

  clear(): void {
    this.running.clear();
    this.byScope.clear();
    this.stuckOn.clear();
  }
}

function scopeOf({ owner, symbol }: Pick<Countdown, 'owner' | 'symbol'>): string {
  return `${owner} ${symbol}`;
}
