import { RECORDED_LEVELS } from '@exchange/core/recorded-book.ts';
import * as z from 'zod/mini';
import { instantMs, symbol, whole } from './codecs.ts';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';
import { pageOf, pagingFields, periodEnd } from './paging.ts';

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** A stored part of a pair's recorded order book, without the text of the part. Times are in milliseconds UTC. */
const storedPart = z.object({
  symbol: z.string(),
  /** Number of the part; the parts of a pair are numbered from 1. */
  seq: z.int(),
  from: instantMs,
  until: instantMs,
  /** Number of engine steps in this part that changed the order book. */
  changes: z.int(),
  /** SHA-256 of the text of the part in UTF-8, as 64 lower-case hexadecimal digits. */
  hash: sha256,
  /**
   * ID of the signing key (see `/proof/keys`); `signature` is its signature of the text `book|symbol|seq|until|hash`,
   * in Base64.
   */
  key: z.string(),
  signature: z.string(),
});

export const recordedParts = endpoint({
  method: 'GET',
  path: '/proof/books',
  summary: 'The parts of a pair’s recorded order book, newest first, with their hashes and signatures.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { symbol, ...pagingFields },
  data: pageOf(storedPart),
});

/** Weight of a request for a part; it is high, because a part has up to 300 kB of text. */
const PART_WEIGHT = 20;

export const recordedPart = endpoint({
  method: 'GET',
  path: '/proof/book',
  summary: `The part of a pair’s recorded order book at a time (\`at\`, in milliseconds) or with a number (\`seq\`): the best ${RECORDED_LEVELS} levels of each side at its beginning, and every change until its end. When nothing was recorded at the time, the next part; the newest part is available about a minute later.`,
  access: ANYONE,
  charge: publicRead(PART_WEIGHT),
  fields: { symbol, at: z.optional(periodEnd), seq: z.optional(whole(1, 999_999_999)) },
  data: z.object({
    /**
     * Text of the part, whose SHA-256 is `hash`: canonical JSON with `bids`, `asks`, `changes`, `continues`, `from`,
     * `until`, `prev`, `seq`, `symbol`, `priceDigits`, `amountDigits` and `v`. A level is `[price, amount]`. A change
     * is `[step, at, commitMs, levels, trades]`: the number of the engine step; the time at which it was matched, in
     * milliseconds after `from`; the milliseconds until its commit; changed levels `[side, price, amount]` with the new
     * amounts; and trades `[number, id, price, amount, takerSide]`. Absent when no part is stored for the requested
     * time or later.
     */
    text: z.optional(z.string()),
    part: z.optional(storedPart),
    /**
     * End of the last part that ended at or before the requested time; absent if there is none, and for
     * requests by number.
     */
    previousUntil: z.optional(instantMs),
  }),
});
