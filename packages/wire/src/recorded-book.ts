import { RECORDED_LEVELS } from '@exchange/core/recorded-book.ts';
import * as z from 'zod/mini';
import { instantMs, symbol, whole } from './codecs.ts';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';
import { pageOf, pagingFields, periodEnd } from './paging.ts';

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** A stored part of a pair's recorded order book, without its text. Times are milliseconds UTC. */
const storedPart = z.object({
  symbol: z.string(),
  /** Number of the part among the parts of the pair, from 1. */
  seq: z.int(),
  from: instantMs,
  until: instantMs,
  /** Number of steps that changed the book. */
  changes: z.int(),
  /** SHA-256 of the text. */
  hash: sha256,
  /** Id of the signing key (`/proof/keys`), and its Base64 signature of `book|symbol|seq|until|hash`. */
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

/** Weight of a request for a part: it has up to 300 kB of text. */
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
     * The text of the part, as `hash` commits to it: canonical JSON with `bids`, `asks`, `changes`, `continues`, `from`,
     * `until`, `prev`, `seq`, `symbol`, `priceDigits`, `amountDigits` and `v`. A level is `[price, amount]`. A change is
     * `[step, at, commitMs, levels, trades]`: the number of the step, when it was matched in milliseconds after `from`,
     * the milliseconds until its commit, levels `[side, price, amount]` with their new amounts, and trades
     * `[number, id, price, amount, takerSide]`. Absent when no part is stored at the time or after it.
     */
    text: z.optional(z.string()),
    part: z.optional(storedPart),
    /** End of the last part before the time; absent without one, and for requests by number. */
    previousUntil: z.optional(instantMs),
  }),
});
