/**
 * Reasons for which operators reject a reported deposit. The user sees the corresponding reason of `proofOwnerReason`.
 */
export const PROOF_REASONS = [
  'notReceived',
  'unreadable',
  'otherAmount',
  'otherSender',
  'duplicate',
  'sanctions',
  'risk',
] as const;
export type ProofReason = (typeof PROOF_REASONS)[number];

/** Reasons for a rejected deposit report that users can see. `review` replaces the internal reasons. */
export const PROOF_OWNER_REASONS = [
  'notReceived',
  'unreadable',
  'otherAmount',
  'otherSender',
  'duplicate',
  'review',
] as const;
export type ProofOwnerReason = (typeof PROOF_OWNER_REASONS)[number];

/**
 * Returns the reason that the user sees for an operators' reason. The user must not learn of a sanctions match (tipping
 * off), so sanctions and other risks are both shown as a review.
 */
export function proofOwnerReason(reason: ProofReason): ProofOwnerReason {
  return reason === 'sanctions' || reason === 'risk' ? 'review' : reason;
}

/**
 * Maximum number of a user's deposit reports that wait for a decision of the operators. Further reports are refused.
 */
export const PROOFS_PENDING_MAX = 5;
