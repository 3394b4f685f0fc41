import { createHash } from 'node:crypto';
import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal } from '@exchange/core/decimal.ts';

/** Values by the names under which the console's lists show them. */
type EvidenceRow = Readonly<Record<string, unknown>>;

/** Money that a call moves. */
export interface EvidenceMoney {
  /** In units of `asset`. */
  readonly amount: Decimal;
  readonly asset: string;
  /** The address that it goes to; undefined for money that stays inside. */
  readonly destination?: string | undefined;
}

/**
 * What a second person decides on: the same as the first person saw. It is computed when it is looked at and once more
 * when it is approved, never copied from what the first person typed.
 */
export interface ApprovalEvidence {
  /**
   * What the call is about, e.g. `owner`, `amount`, `address`. A proposal stores the digest of them: when any of them
   * is different later, the proposal can no longer be approved.
   */
  readonly facts: EvidenceRow;
  /** What helps to judge and changes by itself while the proposal waits: balances, present values, history. */
  readonly context?: EvidenceRow;
  /** For calls that move money. The second person types the amount or the end of the destination again. */
  readonly money?: EvidenceMoney;
}

/** SHA-256 of the facts and the money; the order of their names has no influence. */
export function evidenceDigest({ facts, money }: ApprovalEvidence): Buffer {
  // Decimals write themselves as text.
  const plain: unknown = JSON.parse(JSON.stringify({ facts, money }));
  return createHash('sha256').update(canonicalText(plain)).digest();
}

const END_LENGTH = 4;
/** Commas and spaces may part thousands; the coin may stand behind the amount. */
const SEPARATORS = /[\s,]/gu;

/** Whether a text is the amount again, or the last four characters of the destination, capitals included. */
export function isRetyped({ amount, asset, destination }: EvidenceMoney, typed: string): boolean {
  const text = typed.trim();
  if (destination !== undefined && text === destination.slice(-END_LENGTH)) return true;
  const bare = text.replaceAll(SEPARATORS, '');
  const digits = bare.toUpperCase().endsWith(asset) ? bare.slice(0, -asset.length) : bare;
  return Decimal.tryParse(digits)?.equals(amount) === true;
}
