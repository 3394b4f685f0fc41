/**
 * What people accept before they open an account or buy, by the version that is in force. A text that changes in any language gets a new
 * version: who accepted an earlier one has not accepted this.
 */
export const AGREEMENT_VERSIONS = {
  ...{ user: '1', privacy: '1' },
  ...{ finance: '2', mining: '2', subscription: '2', seconds: '2' },
} as const;

/** Whether a version may be accepted at the moment. A replay takes what was accepted in its time. */
export type AcceptsVersion = (version: string) => boolean;

/** Accepts the version in force alone. */
export const inForce =
  (version: string): AcceptsVersion =>
  (accepted) =>
    accepted === version;

/** What a replay takes: every version was in force in its time. */
export const inItsTime: AcceptsVersion = () => true;
