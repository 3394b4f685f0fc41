import * as z from 'zod/mini';
import { decimalText, flag, flagNumber, id, instantMs, positiveDecimal, termsShown, text } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';
import { tradePasswordField } from './step-up.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

/** `status` of a project: 0 warming up, 1 participating, 2 open, 3 closed. */
export const PROJECT_STATUS = { warming: 0, participating: 1, open: 2, closed: 3 } as const;
const status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);

const project = z.object({
  id: z.string(),
  /** Texts in the caller's language. */
  name: z.string(),
  symbol: z.string(),
  logo: z.string(),
  totalSupply: decimalText,
  /** Tokens offered in this sale. */
  issueAmount: decimalText,
  /** Tokens per 1 quote unit. */
  ratio: decimalText,
  quoteCoin: z.string(),
  quoteDigits: z.int(),
  tokenDigits: z.int(),
  /** Of one person, in the quote coin. */
  minAmount: decimalText,
  maxAmount: decimalText,
  /** Tokens that one person receives at most. */
  hardCapUser: decimalText,
  /** Below it everything is refunded; absent where there is none. */
  softCap: z.optional(decimalText),
  startTime: instantMs,
  endTime: instantMs,
  listTime: instantMs,
  lockDays: z.int(),
  linearDays: z.int(),
  committed: decimalText,
  participants: z.int(),
  status,
  /** How far the work after the sale is. */
  stage: z.enum(['committing', 'announced', 'settling', 'settled', 'refunded']),
  /** Tokens sold, once they are allocated. */
  sold: z.optional(decimalText),
});

export const projects = endpoint({
  path: '/subscribe/getList',
  summary: 'The projects whose tokens are, were or will be sold by subscription.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { status: z.optional(z.enum(['0', '1', '2', '3'], 'l.field_choice')), ...pagingFields },
  data: pageOf(project),
});

const detail = z.extend(project, {
  about: z.string(),
  tokenomics: z.string(),
  /** Paragraphs are parted by an empty line. */
  whitepaper: z.string(),
  agreementVersion: z.string(),
  /** Version of the terms. */
  version: z.int(),
  /** SHA-256 of the commitment file, announced before the allocation; and of the result file. */
  commitmentHash: z.optional(z.string()),
  announceTime: z.optional(instantMs),
  resultHash: z.optional(z.string()),
  allocateTime: z.optional(instantMs),
  algorithm: z.string(),
  /** What the caller has committed, and would receive at least at the present commitments. */
  myCommitted: decimalText,
  estimate: decimalText,
});

export const projectDetail = endpoint({
  path: '/subscribe/getDetail',
  summary: 'A project with its texts, its files and what the caller has committed.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { id },
  data: detail,
});

export const projectPreview = endpoint({
  path: '/subscribe/preview',
  summary: 'The same, before the sale; `estimate` is what the present commitment would receive at least.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { id },
  data: detail,
});

const commitment = z.object({ committed: decimalText, myCommitted: decimalText, estimate: decimalText });

export const commitToProject = endpoint({
  path: '/subscribe/commit',
  summary:
    'Commits an amount, or raises the own commitment by it; the funds are frozen until the allocation. `version` is that of the terms that were shown: where others are in force, nothing is committed.',
  access: { who: 'user', verified: true, tradePassword: true },
  charge: transfer,
  idempotent: true,
  fields: {
    id,
    amount: positiveDecimal,
    agree: flag,
    agreementVersion: text(20),
    ...termsShown,
    ...tradePasswordField,
  },
  data: commitment,
});

export const reduceCommitment = endpoint({
  path: '/subscribe/reduce',
  summary: 'Lowers the own commitment by an amount until the sale ends; it is available again at once.',
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
  /** Of the tokens: released so far, and claimed of it; what can be claimed now. */
  unlocked: decimalText,
  released: decimalText,
  claimable: decimalText,
  lockUntil: instantMs,
  /** When everything will have been released. */
  unlockedTime: instantMs,
  status,
  /** 1 once cost and refund are settled. */
  settled: flagNumber,
  /** The name of the own line in the public files, and the salt that makes it: SHA-256 of `salt:user id`. */
  line: z.string(),
  salt: z.string(),
});

export const subscriptionRecords = endpoint({
  path: '/subscribe/getRecord',
  summary: 'The own commitments, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: { status: z.optional(z.enum(['0', '1', '2', '3'], 'l.field_choice')), ...pagingFields },
  data: pageOf(record),
});

export const subscriptionRecordDetail = endpoint({
  path: '/subscribe/getRecordDetail',
  summary: 'One of the own commitments.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: record,
});

export const claimTokens = endpoint({
  path: '/subscribe/claim',
  summary: 'Moves the tokens that have been released to the coin account.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: { id },
  data: z.object({ released: decimalText }),
});

export const subscriptionFile = endpoint({
  path: '/subscribe/getFile',
  summary: 'A public file of a sale as it was written: all commitments, or the result. JSON text.',
  access: ANYONE,
  charge: publicRead(20),
  costOf: () => ({ isHeavy: true }),
  fields: { id, fileKind: z.enum(['commitments', 'result'], 'l.field_choice') },
  data: z.object({ content: z.string(), sha256: z.string() }),
});

/** `subscription`: snapshot `[]`, then each project in which the own commitment changed. */
export type SubscriptionMessage = { projectId: string }[];
