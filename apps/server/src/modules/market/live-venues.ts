import * as z from 'zod';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { KeptChild } from '../../platform/children/kept-child.ts';
import type { PriceSource } from '../../platform/children/price-sources.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import type { Venue, VenueQuote } from './venue.ts';

const ASK_EVERY_MS = 1_000;
/** A venue's clock may be this far ahead of ours; what is from further ahead is not believed. */
const AHEAD_MAX_MS = 1_000;
/** A source that has said nothing usable for so long is shown as silent. */
const SILENT_MS = 10_000;

/** Sources without which nothing can be acted upon. */
const ENOUGH = 3;

const source = z.string().max(64);
const MESSAGE = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('beat') }),
  z.object({ kind: z.literal('listed'), source, missing: z.array(z.string()) }),
  z.object({ kind: z.literal('trouble'), source, reason: z.string() }),
  z.object({ kind: z.literal('stream'), source, isOpen: z.boolean(), reason: z.string() }),
  z.object({
    kind: z.literal('quotes'),
    source,
    /** When the asking process read them; this process may have been suspended since. */
    receivedAt: z.int().positive(),
    quotes: z.array(z.object({ symbol: z.string(), price: z.unknown(), at: z.unknown() })).max(1_000),
  }),
]);
/** Sources quote with at most 17 decimals, so that the mean of two is exact. */
const QUOTE = z.object({
  symbol: z.string(),
  price: z.string().regex(/^\d{1,15}(\.\d{1,17})?$/),
  at: z.int().positive(),
});

interface Heard {
  emit: (quote: VenueQuote) => void;
  heardAt: number | undefined;
  refused: number;
  trouble: string | undefined;
  /** Whether its prices come by its stream; undefined where it has none, or none was opened yet. */
  isStreamed: boolean | undefined;
}

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly pairs: readonly Pair[];
  readonly sources: readonly PriceSource[];
  /** The program of the process that asks. */
  readonly file: string;
  readonly everyMs?: number;
  readonly silenceMs?: number;
  readonly firstPauseMs?: number;
}

/** Real venues: a process of its own asks them, here is decided what of its answers counts as a quote. */
export class LiveVenues {
  readonly venues: readonly Venue[];
  readonly process: KeptChild;
  private readonly parts: Parts;
  private readonly heard = new Map<string, Heard>();
  private readonly symbols: ReadonlySet<string>;

  constructor(parts: Parts) {
    const { clock, log, pairs, sources, file, everyMs = ASK_EVERY_MS, ...times } = parts;
    this.parts = parts;
    this.symbols = new Set(pairs.map(({ symbol }) => symbol));
    const usual = Object.fromEntries(pairs.map(({ symbol, base, quote }) => [symbol, `${base}/${quote}`]));
    const asked = sources.map((given) => ({ ...given, symbols: { ...usual, ...given.symbols } }));
    this.process = new KeptChild({
      name: 'prices',
      file,
      clock,
      log,
      greeting: { sources: asked, everyMs },
      ...(times.silenceMs === undefined ? {} : { silenceMs: times.silenceMs }),
      ...(times.firstPauseMs === undefined ? {} : { firstPauseMs: times.firstPauseMs }),
      onMessage: (message) => this.take(message),
    });
    this.venues = sources.map(({ id }) => ({
      id,
      start: (emit) => {
        this.heard.set(id, {
          emit,
          heardAt: undefined,
          refused: 0,
          trouble: undefined,
          isStreamed: undefined,
        });
        this.process.start();
      },
      stop: () => {
        this.heard.delete(id);
        if (this.heard.size === 0) this.process.stop();
      },
    }));
  }

  /** Up while three sources are heard: fewer make no index that anybody may act upon. */
  health(): ComponentHealth {
    const now = this.parts.clock.monotonicMs();
    const states = [...this.heard].map(([id, { heardAt, refused, trouble, isStreamed }]) => {
      const isHeard = heardAt !== undefined && now - heardAt <= SILENT_MS;
      const way = { true: 'heard by its stream', false: 'heard when asked; its stream is lost' };
      const state = isHeard
        ? isStreamed === undefined
          ? 'heard'
          : way[`${isStreamed}`]
        : `silent${trouble === undefined ? '' : `: ${trouble}`}`;
      return { isHeard, fact: [id, refused === 0 ? state : `${state}; ${refused} quotes refused`] as const };
    });
    const heard = states.filter(({ isHeard }) => isHeard).length;
    const facts = {
      heard,
      starts: this.process.starts,
      ...Object.fromEntries(states.map(({ fact }) => fact)),
    };
    return heard >= ENOUGH
      ? { isUp: true, facts }
      : { isUp: false, reason: 'fewer than three sources', facts };
  }

  /** Told once when it changes: a stream that cannot be opened is tried for as long as the server runs. */
  private takeStream(heard: Heard, said: { source: string; isOpen: boolean; reason: string }): void {
    const { log } = this.parts;
    if (heard.isStreamed === said.isOpen) return;
    heard.isStreamed = said.isOpen;
    if (said.isOpen) log.info('market.source_streams', { source: said.source });
    else log.warn('market.source_stream_lost', { source: said.source, reason: said.reason });
  }

  private take(given: unknown): void {
    const { log, clock } = this.parts;
    const message = MESSAGE.safeParse(given);
    if (!message.success) return log.warn('market.source_garbled', {});
    const { data } = message;
    if (data.kind === 'beat') return;
    const heard = this.heard.get(data.source);
    if (heard === undefined) return;
    if (data.kind === 'listed') return log.info('market.source_listed', data);
    if (data.kind === 'trouble') {
      if (heard.trouble !== data.reason) log.warn('market.source_troubled', data);
      heard.trouble = data.reason;
      return;
    }
    if (data.kind === 'stream') return this.takeStream(heard, data);
    const now = clock.now();
    const quotes = data.quotes.flatMap((quote) => {
      const read = QUOTE.safeParse(quote);
      const isGood = read.success && this.symbols.has(quote.symbol) && read.data.at <= now + AHEAD_MAX_MS;
      if (!isGood) heard.refused += 1;
      return isGood ? [read.data] : [];
    });
    const receivedAt = instant(Math.min(data.receivedAt, now));
    for (const { symbol, price, at } of quotes) {
      const worth = Decimal.parse(price);
      if (!worth.isPositive()) continue;
      heard.emit({ symbol, price: worth, at: instant(Math.min(at, now)), receivedAt });
    }
    if (quotes.length === 0) return;
    heard.heardAt = clock.monotonicMs();
    heard.trouble = undefined;
  }
}
