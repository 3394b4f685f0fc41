/** Why a reported deposit was not credited, as its owner is told. */
export const PROOF_REASONS = [
  'notReceived',
  'unreadable',
  'otherAmount',
  'otherSender',
  'duplicate',
] as const;
export type ProofReason = (typeof PROOF_REASONS)[number];

/** So many reports of one person may wait for a review at a time. */
export const PROOFS_PENDING_MAX = 5;
