import { createHash } from 'node:crypto';
import {
  composeIndex,
  INDEX_DELAY_MS,
  INDEX_EXTRA_DIGITS,
  type IndexPoint,
} from '@exchange/core/index-price.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { instant, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { QuoteBuffer } from './domain/quote-buffer.ts';
import { EMPTY_TAPE, tapeLine, type HashOf, type TapeHead, type TapeLine } from './domain/tape.ts';
import { TapeFenced, type TapeWriter } from './tape-writer-repository.ts';
import type { Venue, VenueQuote } from './venue.ts';

export interface SymbolPoint {
  readonly symbol: string;
  readonly point: IndexPoint;
}

/**
 * Number of seconds with unwritten tape lines from which on no further index points are made, because a point
 * without its tape line cannot be proven.
 */
const UNWRITTEN_SECONDS_MAX = 120;
/**
 * After a pause, a missed second gets an index point only if it is at most this many milliseconds before the newest
 * second of the index.
 */
const CATCH_UP_MS = 600_000;

export const sha256: HashOf = (text) => createHash('sha256').update(text).digest('hex');

interface Parts {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly pairs: readonly Pair[];
  readonly tape: Pick<TapeWriter, 'heads' | 'append'>;
  /** Whether a price source counts at a second. */
  readonly isOn: (source: string, at: Instant) => boolean;
  /**
   * Receives the index points of each second in order, after the tape lines of that second are
   * committed.
   */
  readonly publish: (points: readonly SymbolPoint[]) => void;
}

/**
 * Makes the price index: one point per pair and whole second, composed half a second later, written to the tape and
 * then published. After a pause, missed seconds are composed in order, each from the quotes received by half a second
 * after it. A missed second without a price for any pair gets no line. A point is never composed twice.
 */
export class IndexMaker {
  private readonly parts: Parts;
  private readonly quotes = new QuoteBuffer();
  private readonly flags = new Map<string, IndexPoint['flags']>();
  private venues: readonly Venue[] = [];
  private heads = new Map<string, TapeHead>();
  private unwritten: { lines: TapeLine[]; points: SymbolPoint[] }[] = [];
  private writing: Promise<void> | undefined;
  private lastSecond = 0;
  private isFenced = false;
  /**
   * Number of unwritten seconds of the index at the last log line; limits logging to once a second.
   */
  private unwrittenLogged = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Continues at the end of the index tape and starts to receive quotes. */
  async start(venues: readonly Venue[]): Promise<void> {
    this.heads = await this.parts.tape.heads();
    this.lastSecond = Math.max(0, ...[...this.heads.values()].map(({ t }) => t));
    this.venues = venues;
    for (const venue of venues) venue.start((quote) => this.receive(venue.id, quote));
  }

  /** Stops receiving quotes; resolves after the running SQL statement has ended. */
  async stop(): Promise<void> {
    for (const venue of this.venues) venue.stop();
    this.venues = [];
    await this.writing;
  }

  /**
   * Composes the index of every second that is due and writes all unwritten tape lines, unless a write is in progress
   * already. Called several times a second.
   */
  async advance(now: Instant): Promise<void> {
    const t = Math.floor((now - INDEX_DELAY_MS) / SECOND_MS) * SECOND_MS;
    if (this.venues.length > 0 && t > this.lastSecond) this.fixUpTo(instant(t));
    if (this.unwritten.length === 0 || this.writing !== undefined) return;
    this.writing = this.write().finally(() => (this.writing = undefined));
    await this.writing;
  }

  private receive(id: string, { symbol, price, at, receivedAt }: VenueQuote): void {
    const now = this.parts.clock.now();
    // A receipt time that another process set in the future is replaced by the present time.
    const receivedTime = receivedAt === undefined || receivedAt > now ? now : receivedAt;
    this.quotes.add(symbol, { id, price, at, receivedAt: receivedTime });
  }

  private fixUpTo(newest: Instant): void {
    const first = Math.max(this.lastSecond + SECOND_MS, newest - CATCH_UP_MS);
    const start = this.lastSecond === 0 ? newest : Math.min(first, newest);
    const missed: Instant[] = [];
    for (let t = instant(start); t < newest; t = later(t, SECOND_MS)) missed.push(t);
    // Only missed seconds with quotes are composed; the newest second is composed even without
    // quotes.
    for (const t of this.quotes.filterListed(missed)) this.fix(t, true);
    this.fix(newest, false);
    this.quotes.removeBefore(newest);
  }

  private fix(t: Instant, isMissed: boolean): void {
    this.lastSecond = t;
    if (this.isFenced || this.unwritten.length >= UNWRITTEN_SECONDS_MAX) return;
    const points = this.parts.pairs.map((pair) => ({ symbol: pair.symbol, point: this.compose(pair, t) }));
    if (isMissed && points.every(({ point }) => point.price === null)) return;
    const lines = points.map(({ symbol, point }) => {
      const line = tapeLine(symbol, point, this.heads.get(symbol) ?? EMPTY_TAPE, sha256);
      this.heads.set(symbol, line);
      return line;
    });
    this.unwritten.push({ lines, points });
    this.logNewFlags(t, points);
  }

  private compose(pair: Pair, t: Instant): IndexPoint {
    const newest = this.quotes.newest(pair.symbol, t, (source) => this.parts.isOn(source, t));
    const votes = newest.map(({ id, price, at }) => ({ id, price, at }));
    return composeIndex(t, votes, pair.priceDigits + INDEX_EXTRA_DIGITS);
  }

  /** Writes one log line for all pairs whose point has a flag that the previous point did not have. */
  private logNewFlags(t: Instant, points: readonly SymbolPoint[]): void {
    const newlyFlagged = points.flatMap(({ symbol, point }) => {
      const previousFlags = this.flags.get(symbol) ?? [];
      this.flags.set(symbol, point.flags);
      const flags = point.flags.filter((flag) => !previousFlags.includes(flag));
      const outliers = point.sources.filter(({ outlier }) => outlier).map(({ id }) => id);
      return flags.length === 0 ? [] : [{ symbol, flags, far: outliers }];
    });
    if (newlyFlagged.length > 0) this.parts.log.warn('market.index_flagged', { t, pairs: newlyFlagged });
  }

  private async write(): Promise<void> {
    while (this.unwritten.length > 0) {
      const batch = this.unwritten.slice();
      try {
        await this.parts.tape.append(batch.flatMap(({ lines }) => lines));
      } catch (cause) {
        this.handleWriteFailure(cause);
        return;
      }
      this.unwritten.splice(0, batch.length);
      this.unwrittenLogged = 0;
      for (const { points } of batch) this.parts.publish(points);
    }
  }

  /**
   * Handles a failed write of tape lines. The lines stay queued and the next call retries; meanwhile the index becomes
   * stale, which stops everything that depends on it. If another process has claimed the tape, the lines are dropped
   * and no further ones are written.
   */
  private handleWriteFailure(cause: unknown): void {
    if (cause instanceof TapeFenced) {
      this.isFenced = true;
      this.unwritten = [];
      this.parts.log.error('market.tape_fenced', { cause });
      return;
    }
    if (this.unwritten.length === this.unwrittenLogged) return;
    this.unwrittenLogged = this.unwritten.length;
    this.parts.log.error('market.tape_unwritten', { seconds: this.unwritten.length, cause });
  }
}
