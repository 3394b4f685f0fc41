import { createHash } from 'node:crypto';
import type { Decimal } from '@exchange/core/decimal.ts';
import {
  composeIndex,
  INDEX_DELAY_MS,
  INDEX_EXTRA_DIGITS,
  QUOTE_MAX_AGE_MS,
  quoteAt,
  type IndexFlag,
  type IndexPoint,
  type SourceQuote,
} from '@exchange/core/index-price.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { EMPTY_TAPE, tapeLine, type HashOf, type TapeHead, type TapeLine } from './domain/tape.ts';
import type { TapeRepository } from './tape-repository.ts';
import type { Venue, VenueQuote } from './venue.ts';

/** An index price that may be acted upon. */
export interface IndexPrice {
  readonly price: Decimal;
  readonly at: Instant;
  readonly flags: readonly IndexFlag[];
}

export interface SymbolPoint {
  readonly symbol: string;
  readonly point: IndexPoint;
}

/** A point older than this is no price any more. */
const INDEX_MAX_AGE_MS = 3_000;
const QUOTES_KEPT = 16;
/** With this much of the tape unwritten no points are made: what cannot be proven is not published. */
const UNWRITTEN_SECONDS_MAX = 120;

export const sha256: HashOf = (text) => createHash('sha256').update(text).digest('hex');

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly pairs: readonly Pair[];
  readonly tape: TapeRepository;
  /** Whether a source counts at a second. */
  readonly isOn: (source: string, at: Instant) => boolean;
}

/**
 * Receives the quotes of venues and makes the index: one point per pair and whole second, fixed half a second later,
 * written to the tape and only then published. A second that was slept through gets no point.
 */
export class IndexWatch {
  private readonly parts: Parts;
  private readonly quotes = new Map<string, Map<string, SourceQuote[]>>();
  private readonly latest = new Map<string, IndexPoint>();
  private readonly listeners: ((points: readonly SymbolPoint[]) => void)[] = [];
  private venues: readonly Venue[] = [];
  private heads = new Map<string, TapeHead>();
  private unwritten: { lines: TapeLine[]; points: SymbolPoint[] }[] = [];
  private writing: Promise<void> | undefined;
  private lastSecond = 0;
  /** When points were published last, by the clock that nobody can set. */
  private publishedMs = -Infinity;
  /** How much was unwritten when that was last logged: once a second is enough. */
  private unwrittenLogged = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Goes on from where the tape ends and begins to listen. */
  async start(venues: readonly Venue[]): Promise<void> {
    this.heads = await this.parts.tape.heads();
    this.lastSecond = Math.max(0, ...[...this.heads.values()].map(({ t }) => t));
    this.venues = venues;
    for (const venue of venues) venue.start((quote) => this.receive(venue.id, quote));
  }

  async stop(): Promise<void> {
    for (const venue of this.venues) venue.stop();
    this.venues = [];
    await this.writing;
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

  /** Fixes the newest second that is due and writes what is unwritten; called several times a second. */
  async advance(now: Instant): Promise<void> {
    const t = Math.floor((now - INDEX_DELAY_MS) / SECOND_MS) * SECOND_MS;
    if (this.venues.length > 0 && t > this.lastSecond) this.fix(instant(t));
    if (this.unwritten.length === 0 || this.writing !== undefined) return;
    this.writing = this.write().finally(() => (this.writing = undefined));
    await this.writing;
  }

  private receive(venue: string, { symbol, price, at }: VenueQuote): void {
    const bySource = this.quotes.get(symbol) ?? new Map<string, SourceQuote[]>();
    this.quotes.set(symbol, bySource);
    const received = bySource.get(venue) ?? [];
    bySource.set(venue, received);
    const quote = { id: venue, price, at };
    const after = received.findLastIndex((other) => other.at <= at);
    // Messages may overtake each other on the way.
    received.splice(after + 1, 0, quote);
    if (received.length > QUOTES_KEPT) received.shift();
  }

  private fix(t: Instant): void {
    this.lastSecond = t;
    if (this.unwritten.length >= UNWRITTEN_SECONDS_MAX) return;
    const points = this.parts.pairs.map((pair) => ({ symbol: pair.symbol, point: this.compose(pair, t) }));
    const lines = points.map(({ symbol, point }) => {
      const line = tapeLine(symbol, point, this.heads.get(symbol) ?? EMPTY_TAPE, sha256);
      this.heads.set(symbol, line);
      return line;
    });
    this.unwritten.push({ lines, points });
    this.alarm(t, points);
  }

  private compose(pair: Pair, t: Instant): IndexPoint {
    const oldest = t - 2 * QUOTE_MAX_AGE_MS;
    const bySource = this.quotes.get(pair.symbol) ?? new Map<string, SourceQuote[]>();
    const newest = [...bySource]
      .filter(([source]) => this.parts.isOn(source, t))
      .map(([, received]) => quoteAt(t, received))
      // A source long silent is not listed any more.
      .filter((quote) => quote !== undefined)
      .filter((quote) => quote.at >= oldest);
    return composeIndex(t, newest, pair.priceDigits + INDEX_EXTRA_DIGITS);
  }

  /** One line for all pairs whose point has a flag that the point before did not have. */
  private alarm(t: Instant, points: readonly SymbolPoint[]): void {
    const risen = points.flatMap(({ symbol, point }) => {
      const before = this.latest.get(symbol)?.flags ?? [];
      const flags = point.flags.filter((flag) => !before.includes(flag));
      const far = point.sources.filter(({ outlier }) => outlier).map(({ id }) => id);
      return flags.length === 0 ? [] : [{ symbol, flags, far }];
    });
    if (risen.length > 0) this.parts.log.warn('market.index_flagged', { t, pairs: risen });
  }

  private async write(): Promise<void> {
    while (this.unwritten.length > 0) {
      const batch = this.unwritten.slice();
      try {
        await this.parts.tape.append(batch.flatMap(({ lines }) => lines));
      } catch (cause) {
        // The lines stay, the index grows stale and everybody who needs it stops; tried again at once.
        if (this.unwritten.length !== this.unwrittenLogged) {
          this.unwrittenLogged = this.unwritten.length;
          this.parts.log.error('market.tape_unwritten', { seconds: this.unwritten.length, cause });
        }
        return;
      }
      this.unwritten.splice(0, batch.length);
      this.unwrittenLogged = 0;
      for (const { points } of batch) this.publish(points);
    }
  }

  private publish(points: readonly SymbolPoint[]): void {
    this.publishedMs = this.parts.clock.monotonicMs();
    for (const { symbol, point } of points) this.latest.set(symbol, point);
    for (const listener of this.listeners) listener(points);
  }
}
