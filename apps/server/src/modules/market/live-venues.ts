import * as z from 'zod';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { SupervisedChild } from '../../platform/children/kept-child.ts';
import type { PriceSource } from '../../platform/children/price-sources.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import type { Venue, VenueQuote } from './venue.ts';

const POLL_EVERY_MS = 1_000;
/**
 * Maximum lead of a venue's clock over this server's in milliseconds; quotes further in the future
 * are refused.
 */
const AHEAD_MAX_MS = 1_000;
/** Milliseconds after which a price source without a usable quote is shown as silent. */
const SILENT_MS = 10_000;

/** Minimum number of price sources for an index that decisions may use. */
export const SOURCES_MIN = 3;

const source = z.string().max(64);
const MESSAGE = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('beat') }),
  z.object({ kind: z.literal('listed'), source, missing: z.array(z.string()) }),
  z.object({ kind: z.literal('trouble'), source, reason: z.string() }),
  z.object({ kind: z.literal('stream'), source, isOpen: z.boolean(), reason: z.string() }),
  z.object({
    kind: z.literal('quotes'),
    source,
    /** Time at which the child process received the quotes; this process may have been suspended since. */
    receivedAt: z.int().positive(),
    quotes: z.array(z.object({ symbol: z.string(), price: z.unknown(), at: z.unknown() })).max(1_000),
  }),
]);
/** Prices have at most 17 decimals, so that the mean of two prices is exact. */
const QUOTE = z.object({
  symbol: z.string(),
  price: z.string().regex(/^\d{1,15}(\.\d{1,17})?$/),
  at: z.int().positive(),
});

interface SourceStatus {
  emit: (quote: VenueQuote) => void;
  heardAt: number | undefined;
  refused: number;
  trouble: string | undefined;
  /**
   * Whether the prices arrive over the source's stream; undefined if it has no stream or none was opened yet.
   */
  isStreamed: boolean | undefined;
}

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly pairs: readonly Pair[];
  readonly sources: readonly PriceSource[];
  /** Path of the program that reads the venues' prices. */
  readonly file: string;
  readonly everyMs?: number;
  readonly silenceMs?: number;
  readonly firstPauseMs?: number;
}

/**
 * Real venues. A child process reads their prices, from streams or by polling; this class validates its
 * messages and decides which quotes count.
 */
export class LiveVenues {
  readonly venues: readonly Venue[];
  readonly process: SupervisedChild;
  private readonly parts: Parts;
  private readonly statuses = new Map<string, SourceStatus>();
  private readonly symbols: ReadonlySet<string>;

  constructor(parts: Parts) {
    const { clock, log, pairs, sources, file, everyMs = POLL_EVERY_MS, ...times } = parts;
    this.parts = parts;
    this.symbols = new Set(pairs.map(({ symbol }) => symbol));
    const defaultSymbols = Object.fromEntries(
      pairs.map(({ symbol, base, quote }) => [symbol, `${base}/${quote}`]),
    );
    const polledSources = sources.map((source) => ({
      ...source,
      symbols: { ...defaultSymbols, ...source.symbols },
    }));
    this.process = new SupervisedChild({
      name: 'prices',
      file,
      clock,
      log,
      greeting: { sources: polledSources, everyMs },
      ...(times.silenceMs === undefined ? {} : { silenceMs: times.silenceMs }),
      ...(times.firstPauseMs === undefined ? {} : { firstPauseMs: times.firstPauseMs }),
      onMessage: (message) => this.receive(message),
    });
    this.venues = sources.map(({ id }) => ({
      id,
      start: (emit) => {
        this.statuses.set(id, {
          emit,
          heardAt: undefined,
          refused: 0,
          trouble: undefined,
          isStreamed: undefined,
        });
        this.process.start();
      },
      stop: () => {
        this.statuses.delete(id);
        if (this.statuses.size === 0) this.process.stop();
      },
    }));
  }

  /**
   * Health of the price sources: at least three must deliver quotes; with fewer no decision may use
   * the index.
   */
  health(): ComponentHealth {
    const now = this.parts.clock.monotonicMs();
    const states = [...this.statuses].map(([id, { heardAt, refused, trouble, isStreamed }]) => {
      const isHeard = heardAt !== undefined && now - heardAt <= SILENT_MS;
      const streamStates = { true: 'heard by its stream', false: 'heard when asked; its stream is lost' };
      const state = isHeard
        ? isStreamed === undefined
          ? 'heard'
          : streamStates[`${isStreamed}`]
        : `silent${trouble === undefined ? '' : `: ${trouble}`}`;
      return { isHeard, fact: [id, refused === 0 ? state : `${state}; ${refused} quotes refused`] as const };
    });
    const heardCount = states.filter(({ isHeard }) => isHeard).length;
    const facts = {
      heard: heardCount,
      starts: this.process.starts,
      ...Object.fromEntries(states.map(({ fact }) => fact)),
    };
    return heardCount >= SOURCES_MIN
      ? { isUp: true, facts }
      : { isUp: false, reason: 'fewer than three sources', facts };
  }

  /**
   * Logs only changes of a price stream's state, because a stream that cannot be opened is retried
   * as long as the server runs.
   */
  private updateStream(
    status: SourceStatus,
    report: { source: string; isOpen: boolean; reason: string },
  ): void {
    const { log } = this.parts;
    if (status.isStreamed === report.isOpen) return;
    status.isStreamed = report.isOpen;
    if (report.isOpen) log.info('market.source_streams', { source: report.source });
    else log.warn('market.source_stream_lost', { source: report.source, reason: report.reason });
  }

  private receive(body: unknown): void {
    const { log, clock } = this.parts;
    const message = MESSAGE.safeParse(body);
    if (!message.success) return log.warn('market.source_garbled', {});
    const { data } = message;
    if (data.kind === 'beat') return;
    const status = this.statuses.get(data.source);
    if (status === undefined) return;
    if (data.kind === 'listed') return log.info('market.source_listed', data);
    if (data.kind === 'trouble') {
      if (status.trouble !== data.reason) log.warn('market.source_troubled', data);
      status.trouble = data.reason;
      return;
    }
    if (data.kind === 'stream') return this.updateStream(status, data);
    const now = clock.now();
    const quotes = data.quotes.flatMap((quote) => {
      const parsed = QUOTE.safeParse(quote);
      const isValid =
        parsed.success && this.symbols.has(quote.symbol) && parsed.data.at <= now + AHEAD_MAX_MS;
      if (!isValid) status.refused += 1;
      return isValid ? [parsed.data] : [];
    });
    const receivedAt = instant(Math.min(data.receivedAt, now));
    for (const { symbol, price, at } of quotes) {
      const exactPrice = Decimal.parse(price);
      if (!exactPrice.isPositive()) continue;
      status.emit({ symbol, price: exactPrice, at: instant(Math.min(at, now)), receivedAt });
    }
    if (quotes.length === 0) return;
    status.heardAt = clock.monotonicMs();
    status.trouble = undefined;
  }
}
