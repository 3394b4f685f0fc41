import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import {
  ALLOCATION_VERSION,
  type CommitmentLimits,
  type SaleTerms,
  type Vesting,
} from '@exchange/core/subscription.ts';
import type { Instant } from '@exchange/core/time.ts';

/**
 * The version of the agreement on token sales that new projects refer to and that users accept when they
 * commit.
 */
export const AGREEMENT_VERSION: string = AGREEMENT_VERSIONS.subscription;
export const DAYS_MAX = 3_660;

export type ByLocale = TextByLocale;
export type Stage = 'committing' | 'announced' | 'settling' | 'settled' | 'refunded';
export type FileKind = 'commitments' | 'result';

/**
 * The terms of a token sale project, which operators set. Commitments are in the coin `quote`; the sold token has the
 * symbol `symbol`.
 */
export interface ProjectTerms extends SaleTerms, Vesting, CommitmentLimits {
  /** The unique code of the token sale project. */
  readonly code: string;
  readonly symbol: AssetCode;
  readonly name: ByLocale;
  readonly about: ByLocale;
  readonly tokenomics: ByLocale;
  readonly whitepaper: ByLocale;
  readonly totalSupply: Decimal;
  /**
   * Minimum total of commitments in the quote coin. If less is committed, all commitments are refunded.
   * Undefined for a sale without a minimum.
   */
  readonly softCap: Decimal | undefined;
  readonly startAt: Instant;
  readonly endAt: Instant;
  readonly agreementVersion: string;
}

export interface Project extends ProjectTerms {
  readonly id: string;
  readonly version: number;
  readonly committed: Decimal;
  readonly participants: number;
  readonly stage: Stage;
  readonly isCancelled: boolean;
  readonly commitmentHash: string | undefined;
  readonly announcedAt: Instant | undefined;
  readonly resultHash: string | undefined;
  readonly allocatedAt: Instant | undefined;
  readonly sold: Decimal | undefined;
  readonly handedOut: Decimal;
}

/**
 * A user's commitment to a token sale: `amount` and `cost` are in the quote coin, `allocated` and `claimed`
 * in tokens.
 */
export interface Commitment {
  readonly id: string;
  readonly project: string;
  readonly owner: UserId;
  readonly salt: string;
  readonly amount: Decimal;
  readonly allocated: Decimal;
  readonly cost: Decimal;
  readonly claimed: Decimal;
  readonly settledAt: Instant | undefined;
}

/**
 * Whether a sale refunds all commitments: it was cancelled, nobody committed an amount, or the total is below the
 * minimum (`softCap`).
 */
export function isMissed({ isCancelled, softCap, committed }: Project): boolean {
  return isCancelled || committed.isZero() || (softCap !== undefined && committed.isLess(softCap));
}

/**
 * A participant in the public file of commitments: the pseudonym (`line`) and the committed amount in the
 * quote coin.
 */
export interface CommittedLine {
  readonly line: string;
  readonly amount: Decimal;
}

/**
 * A line of the public file of a sale's result: a participant's pseudonym with the commitment and the cost in
 * the quote coin, and the allocated tokens.
 */
export interface AllocatedLine extends CommittedLine {
  readonly allocated: Decimal;
  readonly cost: Decimal;
}

/** The text after the last row of a public file. */
export const FILE_END = ']}';

/**
 * The text before the first row of the public file of commitments. Rows follow, separated by
 * commas, sorted by pseudonym.
 */
export function commitmentFileHead({ code, quote }: Project): string {
  return fileHead({ project: code, quote }, 'commitments');
}

/** Returns a participant's row of the public file of commitments, as JSON text. */
export function commitmentRow({ line, amount }: CommittedLine): string {
  return JSON.stringify({ line, amount: amount.toString() });
}

/**
 * The text before the first row of the public file of a sale's result: the terms of the sale, and the
 * hash of the commitments file from which the result was computed.
 */
export function resultFileHead(project: Project): string {
  const { code, quote, symbol, issueAmount, ratio, hardCapUser, tokenDigits, commitmentHash } = project;
  return fileHead(
    {
      project: code,
      quote,
      symbol,
      algorithm: ALLOCATION_VERSION,
      isRefunded: isMissed(project),
      commitmentHash,
      terms: {
        issueAmount: issueAmount.toString(),
        ratio: ratio.toString(),
        hardCapUser: hardCapUser.toString(),
        tokenDigits,
      },
    },
    'results',
  );
}

/** Returns a participant's row of the public file of a sale's result, as JSON text. */
export function resultRow({ line, amount, allocated, cost }: AllocatedLine): string {
  return JSON.stringify({
    line,
    amount: amount.toString(),
    allocated: allocated.toString(),
    cost: cost.toString(),
    refund: amount.minus(cost).toString(),
  });
}

/**
 * JSON text of an object with the given `fields` and an array whose name is the value of `list`, up to and
 * including the opening bracket of the array.
 */
function fileHead(fields: object, list: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},"${list}":[`;
}

/** The refusal of a token sale's terms that cannot be published; undefined if the terms can be published. */
export function termsProblem(terms: ProjectTerms): Refusal | undefined {
  const invalid = (field: string) => refusal('invalidField', 'l.field_invalid', { field });
  if (!/^[a-z0-9-]{1,40}$/.test(terms.code)) return invalid('code');
  if (!/^[A-Z0-9]{2,10}$/.test(terms.symbol)) return invalid('symbol');
  if (terms.tokenDigits < 0 || terms.tokenDigits > 8) return invalid('tokenDigits');
  const { issueAmount, totalSupply, ratio, hardCapUser, minAmount, maxAmount, quoteDigits } = terms;
  const tokens = { issueAmount, totalSupply, hardCapUser };
  for (const [field, amount] of Object.entries({ ...tokens, ratio, minAmount, maxAmount }))
    if (!amount.isPositive())
      return refusal('invalidField', 'l.field_positive', { field, value: amount.toString() });
  for (const [field, amount] of Object.entries({ minAmount, maxAmount }))
    if (!amount.fits(quoteDigits))
      return refusal('invalidField', 'l.field_decimals', {
        field,
        limit: String(quoteDigits),
        value: amount.toString(),
      });
  if (issueAmount.isMore(totalSupply))
    return refusal('aboveMaximum', 'l.field_max', {
      field: 'issueAmount',
      limit: totalSupply.toString(),
      value: issueAmount.toString(),
    });
  if (maxAmount.isLess(minAmount))
    return refusal('belowMinimum', 'l.field_min', {
      field: 'maxAmount',
      limit: minAmount.toString(),
      value: maxAmount.toString(),
    });
  for (const field of ['lockDays', 'linearDays'] as const)
    if (terms[field] > DAYS_MAX)
      return refusal('aboveMaximum', 'l.field_max', {
        field,
        limit: String(DAYS_MAX),
        value: String(terms[field]),
      });
  if (terms.endAt <= terms.startAt) return invalid('endAt');
  return terms.listAt < terms.endAt ? invalid('listAt') : undefined;
}

/** The refusal of a token sale whose token symbol belongs to another asset. */
export function tokenProblem(symbol: string): Refusal {
  return refusal('invalidField', 'l.asset_exists', { field: 'symbol', value: symbol });
}

/** Whether a token sale project's terms equal `terms`. */
export function hasTerms(project: Project, terms: ProjectTerms): boolean {
  const fields = new Set([...Object.keys(terms), 'softCap']) as Set<keyof ProjectTerms>;
  return [...fields].every((field) => textOf(project[field]) === textOf(terms[field]));
}

function textOf(value: unknown): string {
  return value === undefined ? '' : canonicalText(JSON.parse(JSON.stringify(value)));
}

/**
 * The refusal of new terms for a project that was cancelled, whose sale has begun, or whose token symbol would change.
 * Undefined if the terms can be published; `published` is the project as it is stored, undefined for a new one.
 */
export function changeProblem(
  published: Project | undefined,
  { symbol }: ProjectTerms,
  now: Instant,
): Refusal | undefined {
  if (published?.isCancelled === true)
    return refusal('closed', 'l.subscribe_ended', { limit: String(published.endAt), value: String(now) });
  if (published === undefined || (published.startAt > now && published.symbol === symbol)) return undefined;
  return refusal('closed', 'l.subscribe_begun', { limit: String(published.startAt), value: String(now) });
}

/** Parses stored terms of a token sale, in which decimals are text. */
export function termsOf(stored: unknown): ProjectTerms {
  const terms = stored as Record<string, unknown>;
  const decimal = (field: string) => Decimal.parse(terms[field] as string);
  return {
    ...(stored as ProjectTerms),
    issueAmount: decimal('issueAmount'),
    ratio: decimal('ratio'),
    totalSupply: decimal('totalSupply'),
    hardCapUser: decimal('hardCapUser'),
    minAmount: decimal('minAmount'),
    maxAmount: decimal('maxAmount'),
    softCap: terms['softCap'] === undefined ? undefined : decimal('softCap'),
  };
}
