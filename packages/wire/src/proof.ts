import * as z from 'zod/mini';
import { decimalText, flagNumber, id, instantMs, symbol } from './codecs.ts';
import { ANYONE, csvEndpoint, endpoint, publicRead } from './endpoint.ts';
import { pageOf, pagingFields, periodEnd } from './paging.ts';

/** Milliseconds of recorded index prices that add 1 to the weight of a request: a minute adds 2, an hour 120. */
const TAPE_MS_PER_WEIGHT = 30_000;
/** If a request is for more milliseconds of recorded index prices than this, its response counts as heavy. */
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
      /** SHA-256 of the file of recorded index prices that `/proof/file` returns. */
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
  /** The public key of the signing key: SubjectPublicKeyInfo in PEM format. */
  publicKey: z.string(),
  /** Signed statement that this signing key replaces the previous one; absent for the first key. */
  handover: z.optional(
    z.object({
      /** ID of the signing key that was replaced. */
      from: z.string(),
      at: instantMs,
      /** Signature of the text `handover|from|id|at` by the replaced key, in Base64. */
      signature: z.string(),
      /** Signature of the text `handover|from|id|at` by the new key, in Base64. */
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
  /** Signature of the text `tape|symbol|seq|t|hash` by the signing key whose ID is `key`, in Base64. */
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
     * All lines of the recorded index from entry to expiry; for a position with a duration of more than ten
     * minutes, only the lines of the entry and of the settlement.
     */
    lines: z.array(z.string()),
    checkpoint: z.optional(checkpoint),
    /**
     * The period of the index that was declared void and therefore made the position void, with the reason; absent for
     * other positions.
     */
    interval: z.optional(z.object({ from: instantMs, to: instantMs, reason: z.string() })),
    /**
     * Present if the position was lost and later a period of the index that contains one of its seconds was declared
     * void: the refunded stake and fee, the time of the refund, and that period with the reason.
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
     * `key` is the ID of the signing key, `signature` its signature of the text `settlement|` followed by the
     * canonical JSON of this object without `lines`, `checkpoint` and `receipt`, in Base64.
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
       * Number of positions that were first settled as lost and were refunded when this period was declared
       * void. `refunded` is the sum of the refunded stakes and fees in USDT.
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
        /**
         * Sum in USDT of the profits paid for all won positions of this duration since the start of the
         * exchange; `kept` is the sum of the stakes and fees of all lost positions.
         */
        paid: decimalText,
        kept: decimalText,
      }),
    ),
    voids: z.array(
      z.object({
        reason: z.string(),
        count: z.int(),
        /**
         * Amount in USDT that the exchange would have gained if the voided positions had been settled, for
         * those whose prices are known; negative for a loss.
         */
        houseGain: decimalText,
        unknown: z.int(),
      }),
    ),
    /**
     * Number of lost positions that were refunded because the index was declared void later for one of their
     * seconds, and the sum of the refunded stakes and fees in USDT; the losses in `durations` include these
     * positions.
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
      /** Time from which these terms apply to new positions; they apply until the next version. */
      at: instantMs,
      open: flagNumber,
      symbols: z.array(z.string()),
      durations: z.array(z.object({ second: z.int(), rate: decimalText, minimum: decimalText })),
      feeRate: decimalText,
      maxStake: decimalText,
      blockedCountries: z.array(z.string()),
      openCountries: z.array(z.string()),
      /**
       * `key` is the ID of the signing key, `signature` its signature of the text `terms|` followed by the
       * canonical JSON of this object without `receipt`, in Base64.
       */
      receipt: z.object({ key: z.string(), signature: z.string() }),
    }),
  ),
});
