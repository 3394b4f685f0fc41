import type { Decimal } from '@exchange/core/decimal.ts';
import type { IndexFlag, IndexPoint } from '@exchange/core/index-price.ts';
import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SymbolPoint } from './index-maker.ts';

/** An index price that is at most three seconds old and made of at least three price sources. */
export interface IndexPrice {
  readonly price: Decimal;
  readonly at: Instant;
  readonly flags: readonly IndexFlag[];
}

/** How many index points of an interval are missing, and how late the latest of the others arrived. */
export interface IndexDelays {
  /** Number of whole seconds of the interval, up to the newest index point, without a line on the index tape. */
  readonly missing: number;
  /**
   * The longest time, in milliseconds, between the publication of an index point and its arrival in
   * this thread.
   */
  readonly longestMs: number;
  /**
   * Whether delays were recorded during the whole interval: false if it began before this process started or
   * longer ago than delays are remembered.
   */
  readonly isFollowed: boolean;
}

/** Maximum age in milliseconds of an index point that counts as the current price. */
const INDEX_MAX_AGE_MS = 3_000;
/**
 * Number of seconds for which delays of the index are remembered: three times the longest duration of a seconds
 * contract.
 */
const DELAYS_REMEMBERED = 1_800;
/**
 * A delay of the index of at least this many milliseconds is logged, because this thread was probably busy
 * for that time.
 */
const DELAY_ALARM_MS = 1_000;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
}

/** Receives the points of the index in order and records how late they arrive. */
export class IndexWatch {
  private readonly parts: Parts;
  private readonly latest = new Map<string, IndexPoint>();
  private readonly listeners: ((points: readonly SymbolPoint[]) => void)[] = [];
  /**
   * Delay in milliseconds of the index points of each second, by that second (in milliseconds since 1970),
   * oldest first. Seconds without a tape line are absent.
   */
  private readonly delays = new Map<number, number>();
  private newestSecond: number | undefined;
  private isLate = false;
  /** Time of the last arrival of index points on the monotonic clock. */
  private publishedMs = -Infinity;
  /**
   * Number of whole seconds without a line on the index tape since the first index point that this process
   * received.
   */
  missingSeconds = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  onPoints(listener: (points: readonly SymbolPoint[]) => void): void {
    this.listeners.push(listener);
  }

  /**
   * The current index price of a pair. Undefined if its newest point is older than three seconds, has no price, or is
   * made of only two price sources, and for an unknown symbol.
   */
  price(symbol: string): IndexPrice | undefined {
    const point = this.latest.get(symbol);
    if (point === undefined || point.price === null || point.flags.includes('degraded')) return undefined;
    if (!this.isFresh() || this.parts.clock.now() - point.t > INDEX_MAX_AGE_MS) return undefined;
    return { price: point.price, at: point.t, flags: point.flags };
  }

  /**
   * Whether index points (of any pair) have arrived within the last `INDEX_MAX_AGE_MS`, by the monotonic clock. A
   * system clock that was set back must not make the last point look fresh.
   */
  isFresh(): boolean {
    return this.parts.clock.monotonicMs() - this.publishedMs <= INDEX_MAX_AGE_MS;
  }

  /** The newest published index point of a pair, also if it is old or has no price; undefined before the first. */
  latestPoint(symbol: string): IndexPoint | undefined {
    return this.latest.get(symbol);
  }

  /**
   * Receives the index points of one second and the time of their publication, and calls the listeners. Seconds arrive
   * in order.
   */
  receive(points: readonly SymbolPoint[], publishedAt: Instant): void {
    const t = points[0]?.point.t;
    if (t === undefined) return;
    this.publishedMs = this.parts.clock.monotonicMs();
    this.recordArrival(t, Math.max(0, this.parts.clock.now() - publishedAt));
    for (const { symbol, point } of points) this.latest.set(symbol, point);
    for (const listener of this.listeners) listener(points);
  }

  /**
   * Number of missing index points between two seconds, both included, and the longest delay of the others.
   * Seconds that are no longer in memory are left out; `isFollowed` is false then.
   */
  delaysIn(from: Instant, to: Instant): IndexDelays {
    const first = this.delays.keys().next().value ?? Infinity;
    let missing = 0;
    let longestMs = 0;
    for (let t = Math.max(from, first); t <= Math.min(to, this.newestSecond ?? 0); t += SECOND_MS) {
      const delay = this.delays.get(t);
      if (delay === undefined) missing += 1;
      else longestMs = Math.max(longestMs, delay);
    }
    return { missing, longestMs, isFollowed: from >= first };
  }

  /** The longest delay among the newest 60 seconds with index points, in milliseconds; 0 without any. */
  recentDelayMs(): number {
    return Math.max(0, ...[...this.delays.values()].slice(-60));
  }

  private recordArrival(t: Instant, delayMs: number): void {
    const { log } = this.parts;
    const missing = this.newestSecond === undefined ? 0 : (t - this.newestSecond) / SECOND_MS - 1;
    if (missing > 0) {
      this.missingSeconds += missing;
      log.error('market.index_gap', { after: this.newestSecond, before: t, seconds: missing });
    }
    // Logs only the first of consecutive late seconds, because after a pause of this process many seconds are late.
    if (delayMs >= DELAY_ALARM_MS && !this.isLate) log.warn('market.index_delayed', { t, ms: delayMs });
    this.isLate = delayMs >= DELAY_ALARM_MS;
    this.newestSecond = t;
    this.delays.set(t, delayMs);
    if (this.delays.size > DELAYS_REMEMBERED) this.delays.delete(this.delays.keys().next().value!);
  }
}
