import { createHash } from 'node:crypto';
import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal } from '@exchange/core/decimal.ts';

/** Values shown to operators, by the names of the console's columns. */
type EvidenceRow = Readonly<Record<string, unknown>>;

/** The money that an operator's call moves, which the second operator confirms. */
export interface EvidenceMoney {
  readonly amount: Decimal;
  readonly asset: string;
  /** The destination address of the money; undefined for money that stays inside the exchange. */
  readonly destination?: string | undefined;
}

/**
 * The facts on which a second operator decides about a call. They are computed when they are viewed and again at the
 * approval, and never copied from the first operator's input.
 */
export interface ApprovalEvidence {
  /**
   * Facts about the subject of the operator's call, e.g. `owner`, `amount`, `address`. A proposal stores the digest of
   * these facts and of `money`, and can no longer be approved after one of them has changed.
   */
  readonly facts: EvidenceRow;
  /**
   * Information for the second operator that may change while the proposal waits, such as balances, current values and
   * history.
   */
  readonly context?: EvidenceRow;
  /**
   * Set for calls that move money. The second operator must retype the amount or the end of the destination address.
   */
  readonly money?: EvidenceMoney;
}

/**
 * Returns the SHA-256 of the evidence for an operation that a second operator approves: of its facts and its
 * amounts of money. The order of the facts' names has no effect.
 */
export function evidenceDigest({ facts, money }: ApprovalEvidence): Buffer {
  // Decimals in the evidence become text when `JSON.stringify` converts them.
  const plain: unknown = JSON.parse(JSON.stringify({ facts, money }));
  return createHash('sha256').update(canonicalText(plain)).digest();
}

const END_LENGTH = 4;
/** Matches the separators of thousands in an amount that an operator retypes: commas and spaces. */
const SEPARATORS = /[\s,]/gu;

/**
 * Returns whether the operator's text `typed` equals the amount, with or without the coin's symbol after it,
 * or the last four characters of the destination address (case-sensitive).
 */
export function isRetyped({ amount, asset, destination }: EvidenceMoney, typed: string): boolean {
  const text = typed.trim();
  if (destination !== undefined && text === destination.slice(-END_LENGTH)) return true;
  const unseparated = text.replaceAll(SEPARATORS, '');
  const digits = unseparated.toUpperCase().endsWith(asset)
    ? unseparated.slice(0, -asset.length)
    : unseparated;
  return Decimal.tryParse(digits)?.equals(amount) === true;
}
