import * as z from 'zod/mini';
import { decimalText, flagNumber, id, instantMs, symbol } from './codecs.ts';
import { ANYONE, csvEndpoint, endpoint, publicRead } from './endpoint.ts';
import { pageOf, pagingFields, periodEnd } from './paging.ts';

/** A minute of the tape costs two: an hour 120 beside the call itself. */
const TAPE_MS_PER_WEIGHT = 30_000;
/** What a page shows of a position is less; more is read and sent with few others. */
const LIGHT_TAPE_MS = 600_000;

export const proofTape = endpoint({
  method: 'GET',
  path: '/proof/tape',
  summary:
    'Lines of a pair’s index tape from a second to a second (milliseconds, both included), at most an hour.',
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
  summary: 'The closed hours of a pair’s tape, newest first: where each ends, and the digest of its file.',
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
      /** SHA-256 of the file that `/proof/file` gives. */
      sha256: z.string(),
    }),
  ),
});

export const proofFile = csvEndpoint({
  method: 'GET',
  path: '/proof/file',
  summary: 'The tape of one pair and closed hour: one line of JSON per second.',
  access: ANYONE,
  charge: publicRead(40),
  costOf: () => ({ isHeavy: true }),
  fields: { symbol, hour: periodEnd },
});

const key = z.object({
  id: z.string(),
  algorithm: z.literal('Ed25519'),
  /** SubjectPublicKeyInfo, PEM. */
  publicKey: z.string(),
});

export const proofKeys = endpoint({
  method: 'GET',
  path: '/proof/keys',
  summary: 'The public keys that checkpoints of the tape are signed with.',
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
  /** Base64, of `tape|symbol|seq|t|hash`. */
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
    'What is needed to recompute one settled position: its frozen terms, its result, the lines of the tape and the checkpoint behind them.',
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
    /** From the entry to the expiry, or of longer positions the entry’s line and those of the settlement. */
    lines: z.array(z.string()),
    checkpoint: z.optional(checkpoint),
    /** The declared interval that made it void. */
    interval: z.optional(z.object({ from: instantMs, to: instantMs, reason: z.string() })),
    /** Of a loss: stake and fee that the house returned, when, and the interval that was declared void afterwards. */
    refund: z.optional(
      z.object({
        amount: decimalText,
        at: instantMs,
        from: instantMs,
        to: instantMs,
        reason: z.string(),
      }),
    ),
    /** Base64, of `settlement|` and all of this but `lines`, `checkpoint` and `receipt` as canonical JSON. */
    receipt: z.object({ key: z.string(), signature: z.string() }),
  }),
});

export const proofVoids = endpoint({
  method: 'GET',
  path: '/proof/voids',
  summary:
    'Every interval that was declared void: why, how many positions were void, what the house would have made of them, and what it refunded for losses that stood.',
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
      /** Losses from before the declaration, and stakes and fees that the house returned for them. */
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
    'The seconds contract in figures: results per duration, voids by cause, the reserve and how much of it is in use.',
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
        /** Profits paid to those who won; stakes and fees kept of those who did not. */
        paid: decimalText,
        kept: decimalText,
      }),
    ),
    voids: z.array(
      z.object({
        reason: z.string(),
        count: z.int(),
        /** What the house would have made, as far as there are prices to say so. */
        houseGain: decimalText,
        unknown: z.int(),
      }),
    ),
    /** Losses that were refunded because their interval was declared void; they count among the losses above. */
    refunds: z.object({ count: z.int(), amount: decimalText }),
    reserve: z.array(z.object({ currency: z.string(), funded: decimalText, used: decimalText })),
    open: flagNumber,
  }),
});

export const proofConfig = endpoint({
  method: 'GET',
  path: '/proof/config',
  summary:
    'Every version of the terms of the seconds contract since the first, newest first: when it was set, and the signature over it.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { ...pagingFields },
  data: pageOf(
    z.object({
      version: z.int(),
      /** Positions that were accepted from this moment until the next version was set have these terms. */
      at: instantMs,
      open: flagNumber,
      symbols: z.array(z.string()),
      durations: z.array(z.object({ second: z.int(), rate: decimalText, minimum: decimalText })),
      feeRate: decimalText,
      maxStake: decimalText,
      blockedCountries: z.array(z.string()),
      openCountries: z.array(z.string()),
      /** Base64, of `terms|` and all of this but `receipt` as canonical JSON. */
      receipt: z.object({ key: z.string(), signature: z.string() }),
    }),
  ),
});
