/** Operators' reasons for rejecting a reported deposit. Users see the result of `proofOwnerReason`. */
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

/** Reasons for rejecting a reported deposit, as the user sees them; internal reasons are mapped to these. */
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
 * The reason that the user sees. It must not reveal a sanctions match (tipping off), so that sanctions and
 * other risks both read as a review.
 */
export function proofOwnerReason(reason: ProofReason): ProofOwnerReason {
  return reason === 'sanctions' || reason === 'risk' ? 'review' : reason;
}

/** Greatest number of pending deposit reports of a user. */
export const PROOFS_PENDING_MAX = 5;
