import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as z from 'zod';

const SOURCE = z.strictObject({
  /** Stands on the tape. */
  id: z.string().regex(/^[a-z0-9-]{1,32}$/),
  /** ccxt's name of the venue; the id where it is left out. */
  venue: z
    .string()
    .regex(/^[a-z0-9]{2,32}$/)
    .optional(),
  /** The venue's own names of our pairs, e.g. `{ "eosusdt": "A/USDT" }`; the others are `BASE/QUOTE`. */
  symbols: z.record(z.string().regex(/^[a-z0-9]{2,24}$/), z.string().max(40)).optional(),
  /** Another origin than the venue's own. */
  origin: z.url().optional(),
  /** Where its stream is, if not at the venue's own; `false` to ask only. With another `origin` there is none unless named. */
  stream: z.union([z.literal(false), z.url({ protocol: /^wss?$/ })]).optional(),
  /** How long to rest after "too many requests". */
  limitedPauseMs: z.int().min(50).max(600_000).optional(),
});
const SOURCES = z.array(SOURCE).min(1).max(20);

export type PriceSource = Omit<z.output<typeof SOURCE>, 'venue'> & { readonly venue: string };

/** Asked where the settings name no others: the most traded venues that show their prices without a key. */
const USUAL = ['binance', 'okx', 'bybit', 'kucoin', 'gate', 'htx'];

/**
 * The sources of the index: those of a JSON file, or the usual ones. Throws with the file's name where it is wrong, or
 * names a venue or one of our pairs, by their `symbols`, that there is not.
 */
export function readPriceSources(file: string | undefined, symbols?: readonly string[]): PriceSource[] {
  if (file === undefined) return USUAL.map((id) => ({ id, venue: id }));
  try {
    const sources = SOURCES.parse(JSON.parse(readFileSync(file, 'utf8')));
    if (new Set(sources.map(({ id }) => id)).size < sources.length) throw new Error('an id is there twice');
    const read = sources.map((source) => ({ ...source, venue: source.venue ?? source.id }));
    for (const { venue, symbols: named = {} } of read) {
      if (!isVenue(venue)) throw new Error(`"${venue}" is no venue that ccxt knows`);
      const unknown = Object.keys(named).find((symbol) => symbols?.includes(symbol) === false);
      if (unknown !== undefined) throw new Error(`"${unknown}" is no pair of this exchange`);
    }
    return read;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`PRICE_SOURCES, ${file}, cannot be used: ${why}`, { cause });
  }
}

/** Whether the library has a venue's dialect; it is large, and looked at from outside only. */
function isVenue(venue: string): boolean {
  const venues = join(dirname(createRequire(import.meta.url).resolve('ccxt')), '../js/src');
  return !existsSync(venues) || existsSync(join(venues, `${venue}.js`));
}

/** The program that asks them; it is run as it lies in the checkout. */
export function priceProgram(rootDirectory: string): string {
  return join(rootDirectory, 'apps/server/src/platform/children/price-process.mjs');
}
