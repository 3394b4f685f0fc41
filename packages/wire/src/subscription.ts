import * as z from 'zod/mini';
import {
  decimalText,
  flag,
  flagNumber,
  id,
  instantMs,
  positiveDecimal,
  termsVersionField,
  text,
} from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';
import { tradePasswordField } from './step-up.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

/**
 * `status` of a token sale: 0 not begun; 1 users can participate; 2 the sale has ended and not all tokens are released
 * yet: they are still to be allocated (see `stage`), locked, or being released; 3 all tokens are released, or the sale
 * was refunded or ended by an operator.
 */
export const PROJECT_STATUS = { warming: 0, participating: 1, open: 2, closed: 3 } as const;
const status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);

const project = z.object({
  id: z.string(),
  /** Name of the token sale in the language of the caller; all other texts are in this language too. */
  name: z.string(),
  symbol: z.string(),
  logo: z.string(),
  totalSupply: decimalText,
  /** Number of tokens offered in this sale. */
  issueAmount: decimalText,
  /** Number of tokens that one unit of the quote coin buys. */
  ratio: decimalText,
  quoteCoin: z.string(),
  quoteDigits: z.int(),
  tokenDigits: z.int(),
  /** Minimum commitment of a user, in the quote coin; `maxAmount` is the maximum. */
  minAmount: decimalText,
  maxAmount: decimalText,
  /** Maximum number of tokens that a user can receive. */
  hardCapUser: decimalText,
  /**
   * Minimum total of all users' commitments, in the quote coin; if it is not reached, all commitments are refunded at
   * the end of the sale. Absent if the sale has no such minimum.
   */
  softCap: z.optional(decimalText),
  startTime: instantMs,
  endTime: instantMs,
  listTime: instantMs,
  lockDays: z.int(),
  linearDays: z.int(),
  committed: decimalText,
  participants: z.int(),
  status,
  /**
   * Stage of the settlement after the end of the sale: `committing` until the hash of the commitments is published
   * (`announced`), `settling` while allocated tokens are credited and the rest of each commitment is refunded, then
   * `settled`; or `refunded` if all commitments were refunded, because the sale was cancelled, nobody
   * committed an amount, or the total was below the minimum.
   */
  stage: z.enum(['committing', 'announced', 'settling', 'settled', 'refunded']),
  /** Number of tokens sold; absent until the tokens have been allocated. */
  sold: z.optional(decimalText),
});

export const projects = endpoint({
  path: '/subscribe/getList',
  summary: 'All projects: upcoming, running and past sales.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { status: z.optional(z.enum(['0', '1', '2', '3'], 'l.field_choice')), ...pagingFields },
  data: pageOf(project),
});

const detail = z.extend(project, {
  about: z.string(),
  tokenomics: z.string(),
  /** Text of the whitepaper; empty lines separate its paragraphs. */
  whitepaper: z.string(),
  agreementVersion: z.string(),
  /** Version number of the terms of the token sale. */
  version: z.int(),
  /**
   * SHA-256 of the file with all commitments, announced before the allocation; `resultHash` is that of the result file.
   * Absent until published.
   */
  commitmentHash: z.optional(z.string()),
  announceTime: z.optional(instantMs),
  resultHash: z.optional(z.string()),
  allocateTime: z.optional(instantMs),
  algorithm: z.string(),
  /**
   * The caller's commitment in the quote coin, 0 without one; `estimate` is the number of tokens that the caller would
   * receive at least if the sale ended now.
   */
  myCommitted: decimalText,
  estimate: decimalText,
});

export const projectDetail = endpoint({
  path: '/subscribe/getDetail',
  summary: 'A project with its texts, its files and the caller’s commitment.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { id },
  data: detail,
});

export const projectPreview = endpoint({
  path: '/subscribe/preview',
  summary:
    'As `/subscribe/getDetail`, before the sale; `estimate` is the least allocation of the current commitment.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { id },
  data: detail,
});

const commitment = z.object({ committed: decimalText, myCommitted: decimalText, estimate: decimalText });

export const commitToProject = endpoint({
  path: '/subscribe/commit',
  summary:
    'Commits an amount, or increases the caller’s commitment by it; the funds are frozen until the allocation. `version` is the version of the displayed terms; the call is refused if it is outdated.',
  access: { who: 'user', verified: true, tradePassword: true },
  charge: transfer,
  idempotent: true,
  fields: {
    id,
    amount: positiveDecimal,
    agree: flag,
    agreementVersion: text(20),
    ...termsVersionField,
    ...tradePasswordField,
  },
  data: commitment,
});

export const reduceCommitment = endpoint({
  path: '/subscribe/reduce',
  summary:
    'Reduces the caller’s commitment by an amount before the sale ends; the amount is available immediately.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: { id, amount: positiveDecimal },
  data: commitment,
});

const record = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  symbol: z.string(),
  logo: z.string(),
  quoteCoin: z.string(),
  committed: decimalText,
  allocated: decimalText,
  cost: decimalText,
  refund: decimalText,
  /**
   * Number of tokens released so far; of these, `released` is the part that the user has claimed, and `claimable` the
   * part that can be claimed now.
   */
  unlocked: decimalText,
  released: decimalText,
  claimable: decimalText,
  lockUntil: instantMs,
  /** Time from which all tokens that were allocated to the user are released. */
  unlockedTime: instantMs,
  status,
  /** 1 when the price of the tokens has been charged and the rest of the commitment refunded, otherwise 0. */
  settled: flagNumber,
  /** Name of the user's line in the public files: SHA-256 of `salt:user id`. `salt` is the secret salt in that text. */
  line: z.string(),
  salt: z.string(),
});

export const subscriptionRecords = endpoint({
  path: '/subscribe/getRecord',
  summary: 'The caller’s commitments, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: { status: z.optional(z.enum(['0', '1', '2', '3'], 'l.field_choice')), ...pagingFields },
  data: pageOf(record),
});

export const subscriptionRecordDetail = endpoint({
  path: '/subscribe/getRecordDetail',
  summary: 'One of the caller’s commitments.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: record,
});

export const claimTokens = endpoint({
  path: '/subscribe/claim',
  summary: 'Transfers the released tokens to the coin account.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: { id },
  data: z.object({ released: decimalText }),
});

export const subscriptionFile = endpoint({
  path: '/subscribe/getFile',
  summary: 'A published file of a sale: all commitments, or the result. JSON text.',
  access: ANYONE,
  charge: publicRead(20),
  costOf: () => ({ isHeavy: true }),
  fields: { id, fileKind: z.enum(['commitments', 'result'], 'l.field_choice') },
  data: z.object({ content: z.string(), sha256: z.string() }),
});

/**
 * Topic `subscription`: the snapshot is `[]`; an update contains the ID of each token sale in which the
 * user's commitment was changed or settled, or the user has claimed tokens.
 */
export type SubscriptionMessage = { projectId: string }[];
