import { refusal, type Refusal } from './refusal.ts';

/**
 * What people accept before they open an account or buy, by the version that is in force. A text that changes in any language gets a new
 * version: who accepted an earlier one has not accepted this.
 */
export const AGREEMENT_VERSIONS = {
  user: '2',
  privacy: '2',
  finance: '2',
  mining: '2',
  subscription: '2',
  seconds: '2',
} as const;

/** The versions of both texts that are accepted with an account. */
export interface AccountVersions {
  readonly termsVersion: string;
  readonly privacyVersion: string;
}

/** Those in force. */
export const ACCOUNT_VERSIONS: AccountVersions = {
  termsVersion: AGREEMENT_VERSIONS.user,
  privacyVersion: AGREEMENT_VERSIONS.privacy,
};

/**
 * Why no account is opened with what was accepted: another version than that of `wanted`, the user agreement first. The form
 * asks by what it shows, and the server by what is in force.
 */
export function accountVersionsProblem(
  accepted: AccountVersions,
  wanted: AccountVersions,
): Refusal | undefined {
  const about = (text: keyof AccountVersions) => ({
    field: 'agree',
    limit: wanted[text],
    value: accepted[text],
  });
  if (accepted.termsVersion !== wanted.termsVersion)
    return refusal('invalidField', 'l.user_agreement', about('termsVersion'));
  if (accepted.privacyVersion !== wanted.privacyVersion)
    return refusal('invalidField', 'l.privacy_policy', about('privacyVersion'));
  return undefined;
}

/** Whether a version may be accepted at the moment. A replay takes what was accepted in its time. */
export type AcceptsVersion = (version: string) => boolean;

/** Accepts the version in force alone. */
export const inForce =
  (version: string): AcceptsVersion =>
  (accepted) =>
    accepted === version;

/** What a replay takes: every version was in force in its time. */
export const inItsTime: AcceptsVersion = () => true;

/**
 * Why nothing is bought for somebody who was shown terms of a version, or undefined: other terms are in force. Who names no
 * version is asked nothing.
 */
export function termsVersionProblem(shown: number | undefined, inForce: number): Refusal | undefined {
  if (shown === undefined || shown === inForce) return undefined;
  return refusal('closed', 'l.terms_changed', { limit: String(inForce), value: String(shown) });
}
