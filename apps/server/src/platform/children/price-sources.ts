import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { errorMessage } from '../error-message.ts';

const SOURCE = z.strictObject({
  /** Id of the price source, as it appears in the recorded index prices. */
  id: z.string().regex(/^[a-z0-9-]{1,32}$/),
  /** ccxt's name of the venue; the id by default. */
  venue: z
    .string()
    .regex(/^[a-z0-9]{2,32}$/)
    .optional(),
  /** Names of pairs at the venue that differ from `BASE/QUOTE`, e.g. `{ "eosusdt": "A/USDT" }`. */
  symbols: z.record(z.string().regex(/^[a-z0-9]{2,24}$/), z.string().max(40)).optional(),
  /**
   * Scheme and host that replace those of the venue's URLs, e.g. of a mirror; if absent, the venue's own are
   * used.
   */
  origin: z.url().optional(),
  /**
   * URL of the price stream if it is not the venue's own; `false` disables the stream. If `origin` is set, there is a
   * stream only if this URL is set too.
   */
  stream: z.union([z.literal(false), z.url({ protocol: /^wss?$/ })]).optional(),
  /** Minimum pause in milliseconds after the venue's "too many requests" answer; if absent, 10 s. */
  limitedPauseMs: z.int().min(50).max(600_000).optional(),
});
const SOURCES = z.array(SOURCE).min(1).max(20);

export type PriceSource = Omit<z.output<typeof SOURCE>, 'venue'> & { readonly venue: string };

/** Names of the default price sources: large exchanges that publish prices without an API key. */
const DEFAULT_VENUES = ['binance', 'okx', 'bybit', 'kucoin', 'gate', 'htx'];

/**
 * Reads the index's price sources from a JSON file. Without a file returns the default sources. Throws an error with
 * the file's name if the file is invalid, contains an id twice, or names an unknown venue or a pair that is not in
 * `symbols`. Without `symbols` every pair is accepted.
 */
export function readPriceSources(file: string | undefined, symbols?: readonly string[]): PriceSource[] {
  if (file === undefined) return DEFAULT_VENUES.map((id) => ({ id, venue: id }));
  try {
    const sources = SOURCES.parse(JSON.parse(readFileSync(file, 'utf8')));
    if (new Set(sources.map(({ id }) => id)).size < sources.length) throw new Error('an id is there twice');
    const withVenues = sources.map((source) => ({ ...source, venue: source.venue ?? source.id }));
    for (const { venue, symbols: venueSymbols = {} } of withVenues) {
      if (!isVenue(venue)) throw new Error(`"${venue}" is no venue that ccxt knows`);
      const unknown = Object.keys(venueSymbols).find((symbol) => symbols?.includes(symbol) === false);
      if (unknown !== undefined) throw new Error(`"${unknown}" is no pair of this exchange`);
    }
    return withVenues;
  } catch (cause) {
    const why = errorMessage(cause);
    throw new Error(`PRICE_SOURCES, ${file}, cannot be used: ${why}`, { cause });
  }
}

/**
 * Returns whether the library ccxt has a source file for a venue. The library is not loaded for this, because it is
 * large. If its source folder is missing, every venue counts as supported.
 */
function isVenue(venue: string): boolean {
  const venues = join(dirname(createRequire(import.meta.url).resolve('ccxt')), '../js/src');
  return !existsSync(venues) || existsSync(join(venues, `${venue}.js`));
}

/**
 * Returns the path of the program of the child process that fetches the prices, which is run from its source
 * file.
 */
export function priceProgram(rootDirectory: string): string {
  return join(rootDirectory, 'apps/server/src/platform/children/price-process.mjs');
}
