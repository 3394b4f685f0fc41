import type { Decimal } from '@exchange/core/decimal.ts';
import type { IndexFlag, IndexPoint } from '@exchange/core/index-price.ts';
import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SymbolPoint } from './index-maker.ts';

/** An index price that may be acted upon. */
export interface IndexPrice {
  readonly price: Decimal;
  readonly at: Instant;
  readonly flags: readonly IndexFlag[];
}

/** How late the index was in an interval. */
export interface IndexDelays {
  /** Whole seconds without a line on the tape. */
  readonly missing: number;
  /** The longest time, in milliseconds, between the publication of a second and its arrival here. */
  readonly longestMs: number;
  /** Whether the index was followed in all of the interval: not before this process began, nor what is long past. */
  readonly isFollowed: boolean;
}

/** A point older than this is no price any more. */
const INDEX_MAX_AGE_MS = 3_000;
/** Delays of so many seconds are remembered: three times the longest position. */
const DELAYS_REMEMBERED = 1_800;
/** From here on the delay of a second is logged: this process did something else for so long. */
const DELAY_ALARM_MS = 1_000;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
}

/** The newest points of the index as they come, in the order of their seconds, and how late they came. */
export class IndexWatch {
  private readonly parts: Parts;
  private readonly latest = new Map<string, IndexPoint>();
  private readonly listeners: ((points: readonly SymbolPoint[]) => void)[] = [];
  /** By second, oldest first: how late it came here. Seconds without a line are absent. */
  private readonly delays = new Map<number, number>();
  private newestSecond: number | undefined;
  private isLate = false;
  /** When points came last, by the clock that nobody can set. */
  private publishedMs = -Infinity;
  /** Whole seconds without a line since the start. */
  missingSeconds = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  onPoints(listener: (points: readonly SymbolPoint[]) => void): void {
    this.listeners.push(listener);
  }

  /** The index, unless it is stale, missing or made of two sources only. */
  price(symbol: string): IndexPrice | undefined {
    const point = this.latest.get(symbol);
    if (point === undefined || point.price === null || point.flags.includes('degraded')) return undefined;
    if (!this.isFresh() || this.parts.clock.now() - point.t > INDEX_MAX_AGE_MS) return undefined;
    return { price: point.price, at: point.t, flags: point.flags };
  }

  /** Whether points come: while the machine's clock was set back, none does, and the last looks new for as long. */
  isFresh(): boolean {
    return this.parts.clock.monotonicMs() - this.publishedMs <= INDEX_MAX_AGE_MS;
  }

  /** The latest published point, whatever its quality. */
  latestPoint(symbol: string): IndexPoint | undefined {
    return this.latest.get(symbol);
  }

  /** Receives the points of one second, which were published at `publishedAt`; seconds come in their order. */
  receive(points: readonly SymbolPoint[], publishedAt: Instant): void {
    const t = points[0]?.point.t;
    if (t === undefined) return;
    this.publishedMs = this.parts.clock.monotonicMs();
    this.note(t, Math.max(0, this.parts.clock.now() - publishedAt));
    for (const { symbol, point } of points) this.latest.set(symbol, point);
    for (const listener of this.listeners) listener(points);
  }

  /** How late the index was between two seconds, both included, as far as that is remembered. */
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

  /** The longest delay of the last minute, in milliseconds. */
  recentDelayMs(): number {
    return Math.max(0, ...[...this.delays.values()].slice(-60));
  }

  private note(t: Instant, delayMs: number): void {
    const { log } = this.parts;
    const missing = this.newestSecond === undefined ? 0 : (t - this.newestSecond) / SECOND_MS - 1;
    if (missing > 0) {
      this.missingSeconds += missing;
      log.error('market.index_gap', { after: this.newestSecond, before: t, seconds: missing });
    }
    // One line when this process falls behind: after it woke, each second that waited is late.
    if (delayMs >= DELAY_ALARM_MS && !this.isLate) log.warn('market.index_delayed', { t, ms: delayMs });
    this.isLate = delayMs >= DELAY_ALARM_MS;
    this.newestSecond = t;
    this.delays.set(t, delayMs);
    if (this.delays.size > DELAYS_REMEMBERED) this.delays.delete(this.delays.keys().next().value!);
  }
}
