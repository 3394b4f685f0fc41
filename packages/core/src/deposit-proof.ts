/** Why a reported deposit was not credited; nothing else can be stored. Owners read `proofOwnerReason` of it. */
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

/** Why a reported deposit was not credited, as its owner reads it. */
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
 * The reason that an owner reads. Telling a person of a sanctions match is tipping off: it is called a review, and so are
 * other risks, so that the word gives neither away.
 */
export function proofOwnerReason(reason: ProofReason): ProofOwnerReason {
  return reason === 'sanctions' || reason === 'risk' ? 'review' : reason;
}

/** So many reports of one person may wait for a review at a time. */
export const PROOFS_PENDING_MAX = 5;
