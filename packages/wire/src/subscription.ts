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

/** `status` of a project: 0 warming up, 1 participating, 2 open, 3 closed. */
export const PROJECT_STATUS = { warming: 0, participating: 1, open: 2, closed: 3 } as const;
const status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);

const project = z.object({
  id: z.string(),
  /** Name of the token sale in the caller's language, like its other texts. */
  name: z.string(),
  symbol: z.string(),
  logo: z.string(),
  totalSupply: decimalText,
  /** Number of tokens offered in this sale. */
  issueAmount: decimalText,
  /** Number of tokens per unit of the quote coin. */
  ratio: decimalText,
  quoteCoin: z.string(),
  quoteDigits: z.int(),
  tokenDigits: z.int(),
  /** Limits of a user's commitment, in the quote coin. */
  minAmount: decimalText,
  maxAmount: decimalText,
  /** Greatest number of tokens for one user. */
  hardCapUser: decimalText,
  /** Smallest sum of all commitments, below which all are refunded; absent without a soft cap. */
  softCap: z.optional(decimalText),
  startTime: instantMs,
  endTime: instantMs,
  listTime: instantMs,
  lockDays: z.int(),
  linearDays: z.int(),
  committed: decimalText,
  participants: z.int(),
  status,
  /** Progress of the settlement after the sale. */
  stage: z.enum(['committing', 'announced', 'settling', 'settled', 'refunded']),
  /** Number of tokens sold; absent before the allocation. */
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
  /** Text of the whitepaper; empty lines separate paragraphs. */
  whitepaper: z.string(),
  agreementVersion: z.string(),
  /** Version of the token sale's terms. */
  version: z.int(),
  /** SHA-256 of the commitment file, announced before the allocation, and of the result file. */
  commitmentHash: z.optional(z.string()),
  announceTime: z.optional(instantMs),
  resultHash: z.optional(z.string()),
  allocateTime: z.optional(instantMs),
  algorithm: z.string(),
  /** The caller's commitment, and the least number of tokens for it at current commitments. */
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
  /** Tokens released so far, the claimed part of them, and the part that can be claimed now. */
  unlocked: decimalText,
  released: decimalText,
  claimable: decimalText,
  lockUntil: instantMs,
  /** Time at which all tokens are released. */
  unlockedTime: instantMs,
  status,
  /** 1 once the cost of the tokens is charged and the rest of the commitment refunded. */
  settled: flagNumber,
  /** Name of the user's line in the public files, and the salt it is made from: SHA-256 of `salt:user id`. */
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
 * Topic `subscription`: snapshot `[]`, then each project in which the user's commitment changed or was settled, or
 * the user claimed tokens.
 */
export type SubscriptionMessage = { projectId: string }[];
