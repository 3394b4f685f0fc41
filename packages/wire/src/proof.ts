import * as z from 'zod/mini';
import { decimalText, flagNumber, id, instantMs, symbol } from './codecs.ts';
import { ANYONE, csvEndpoint, endpoint, publicRead } from './endpoint.ts';
import { pageOf, pagingFields, periodEnd } from './paging.ts';

/**
 * Milliseconds of recorded index prices per unit of additional request weight: 2 for each minute, 120 for an
 * hour.
 */
const TAPE_MS_PER_WEIGHT = 30_000;
/**
 * A request for more milliseconds of recorded index prices than this counts as a heavy response. Pages that
 * show a position request less.
 */
const LIGHT_TAPE_MS = 600_000;

export const proofTape = endpoint({
  method: 'GET',
  path: '/proof/tape',
  summary:
    'Lines of a pair’s index tape between two seconds (in milliseconds, both inclusive), at most an hour.',
  access: ANYONE,
  charge: publicRead(5),
  costOf: ({ from, to }) => ({
    surcharge: Math.max(0, Math.ceil((to - from) / TAPE_MS_PER_WEIGHT)),
    isHeavy: to - from > LIGHT_TAPE_MS,
  }),
  fields: { symbol, from: periodEnd, to: periodEnd },
  data: z.object({ symbol: z.string(), lines: z.array(z.string()) }),
});

export const proofFiles = endpoint({
  method: 'GET',
  path: '/proof/manifest',
  summary: 'The completed hours of a pair’s tape, newest first: last line and digest of the file of each.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { symbol, ...pagingFields },
  data: pageOf(
    z.object({
      symbol: z.string(),
      hour: instantMs,
      firstSeq: z.int(),
      lastSeq: z.int(),
      lastHash: z.string(),
      /** SHA-256 of the file of recorded index prices from `/proof/file`. */
      sha256: z.string(),
    }),
  ),
});

export const proofFile = csvEndpoint({
  method: 'GET',
  path: '/proof/file',
  summary: 'The tape of one pair and completed hour: one line of JSON per second.',
  access: ANYONE,
  charge: publicRead(40),
  costOf: () => ({ isHeavy: true }),
  fields: { symbol, hour: periodEnd },
});

const key = z.object({
  id: z.string(),
  algorithm: z.literal('Ed25519'),
  /** The public signing key: SubjectPublicKeyInfo in PEM. */
  publicKey: z.string(),
  /** Signed statement that this key replaces the previous one; absent for the first key. */
  handover: z.optional(
    z.object({
      /** Id of the key that was replaced. */
      from: z.string(),
      at: instantMs,
      /** Base64 signature of `handover|from|id|at` by the replaced key. */
      signature: z.string(),
      /** Base64 signature of `handover|from|id|at` by the new key. */
      countersignature: z.string(),
    }),
  ),
});

export const proofKeys = endpoint({
  method: 'GET',
  path: '/proof/keys',
  summary: 'The public keys for the signatures of tape checkpoints.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({ keys: z.array(key) }),
});

export const checkpoint = z.object({
  symbol: z.string(),
  seq: z.int(),
  t: instantMs,
  hash: z.string(),
  key: z.string(),
  /** Base64 signature of the text `tape|symbol|seq|t|hash`. */
  signature: z.string(),
});

export const proofCheckpoints = endpoint({
  method: 'GET',
  path: '/proof/checkpoint',
  summary:
    'Signed checkpoints of a pair’s tape, newest first, at most 100; with `from`, the first 100 at or after that second.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { symbol, from: z.optional(periodEnd) },
  data: z.object({ checkpoints: z.array(checkpoint) }),
});

export const settlementTerms = z.object({
  id: z.string(),
  symbol: z.string(),
  direction: z.enum(['up', 'down']),
  asset: z.string(),
  stake: decimalText,
  fee: decimalText,
  feeRate: decimalText,
  profitRate: decimalText,
  seconds: z.int(),
  window: z.int(),
  digits: z.int(),
  acceptedAt: instantMs,
  entryAt: instantMs,
  expireAt: instantMs,
  indexVersion: z.string(),
  sourcesHash: z.string(),
});

export const proofSettlement = endpoint({
  method: 'GET',
  path: '/proof/settlement',
  summary:
    'The data to recompute a settled position: its terms, its result, the lines of the tape, and the next checkpoint after them.',
  access: ANYONE,
  charge: publicRead(5),
  fields: { id },
  data: z.object({
    terms: settlementTerms,
    status: z.int(),
    result: z.optional(z.enum(['win', 'lose', 'draw', 'void'])),
    reason: z.optional(z.string()),
    entryPrice: z.optional(decimalText),
    settlePrice: z.optional(decimalText),
    credited: z.optional(decimalText),
    settledAt: z.optional(instantMs),
    /**
     * All lines of the index tape from entry to expiry; for long positions only those of the entry and of the
     * settlement.
     */
    lines: z.array(z.string()),
    checkpoint: z.optional(checkpoint),
    /** The index period declared void, which made the position void. */
    interval: z.optional(z.object({ from: instantMs, to: instantMs, reason: z.string() })),
    /**
     * For a lost position whose period was later declared void: refunded stake and fee, time of the refund,
     * and the period.
     */
    refund: z.optional(
      z.object({
        amount: decimalText,
        at: instantMs,
        from: instantMs,
        to: instantMs,
        reason: z.string(),
      }),
    ),
    /**
     * Base64 signature of `settlement|` followed by the canonical JSON of this object without `lines`,
     * `checkpoint` and `receipt`.
     */
    receipt: z.object({ key: z.string(), signature: z.string() }),
  }),
});

export const proofVoids = endpoint({
  method: 'GET',
  path: '/proof/voids',
  summary:
    'All intervals declared void: reason, number of void positions, the exchange’s hypothetical gain on them, and refunds for losses settled before.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { ...pagingFields },
  data: pageOf(
    z.object({
      id: z.string(),
      symbol: z.string(),
      from: instantMs,
      to: instantMs,
      reason: z.string(),
      count: z.int(),
      houseGain: decimalText,
      /**
       * Number of lost positions settled before their period was declared void, and the stakes and fees
       * refunded for them.
       */
      refundedCount: z.int(),
      refunded: decimalText,
      createTime: instantMs,
    }),
  ),
});

export const proofStats = endpoint({
  method: 'GET',
  path: '/proof/stats',
  summary:
    'Statistics of the seconds contract: results by duration, voids by cause, and the reserve with its used part.',
  access: ANYONE,
  charge: publicRead(2),
  fields: {},
  data: z.object({
    durations: z.array(
      z.object({
        second: z.int(),
        wins: z.int(),
        losses: z.int(),
        draws: z.int(),
        voids: z.int(),
        staked: decimalText,
        /** Profits paid for won positions, and stakes and fees kept from lost positions. */
        paid: decimalText,
        kept: decimalText,
      }),
    ),
    voids: z.array(
      z.object({
        reason: z.string(),
        count: z.int(),
        /**
         * What the exchange would have gained from the voided positions, as far as their prices are known.
         */
        houseGain: decimalText,
        unknown: z.int(),
      }),
    ),
    /**
     * Lost positions refunded because their period was declared void; they are included in the losses above.
     */
    refunds: z.object({ count: z.int(), amount: decimalText }),
    reserve: z.array(z.object({ currency: z.string(), funded: decimalText, used: decimalText })),
    open: flagNumber,
  }),
});

export const proofConfig = endpoint({
  method: 'GET',
  path: '/proof/config',
  summary: 'All versions of the terms of the seconds contract, newest first, with time and signature.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { ...pagingFields },
  data: pageOf(
    z.object({
      version: z.int(),
      /** Time from which the terms apply to new positions, until the next version. */
      at: instantMs,
      open: flagNumber,
      symbols: z.array(z.string()),
      durations: z.array(z.object({ second: z.int(), rate: decimalText, minimum: decimalText })),
      feeRate: decimalText,
      maxStake: decimalText,
      blockedCountries: z.array(z.string()),
      openCountries: z.array(z.string()),
      /** Base64 signature of `terms|` followed by the canonical JSON of this object without `receipt`. */
      receipt: z.object({ key: z.string(), signature: z.string() }),
    }),
  ),
});
