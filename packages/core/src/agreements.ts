import { refusal, type Refusal } from './refusal.ts';

/**
 * The current version of each agreement. Users accept `user` and `privacy` when they register, `seconds` before their
 * first position, and the others with each purchase or commitment. A change of the text in any language gets a new
 * version. Purchases, commitments and new positions under an earlier version are refused; users who accepted an earlier
 * `user` or `privacy` get a message when they sign in.
 */
export const AGREEMENT_VERSIONS = {
  user: '2',
  privacy: '2',
  finance: '2',
  mining: '2',
  subscription: '2',
  seconds: '2',
} as const;

/** The versions of the user agreement and the privacy policy that a user accepts at registration. */
export interface AccountVersions {
  readonly termsVersion: string;
  readonly privacyVersion: string;
}

/** The current versions of the two agreements that a user accepts at registration. */
export const ACCOUNT_VERSIONS: AccountVersions = {
  termsVersion: AGREEMENT_VERSIONS.user,
  privacyVersion: AGREEMENT_VERSIONS.privacy,
};

/**
 * Compares the versions of the user agreement and of the privacy policy that a user accepts at registration with the
 * `wanted` ones. Returns a refusal for the first that differs; undefined if both are the same. The registration form
 * passes the versions that it displays as `wanted`, the server the current ones.
 */
export function accountVersionsProblem(
  accepted: AccountVersions,
  wanted: AccountVersions,
): Refusal | undefined {
  const refusalDetails = (text: keyof AccountVersions) => ({
    field: 'agree',
    limit: wanted[text],
    value: accepted[text],
  });
  if (accepted.termsVersion !== wanted.termsVersion)
    return refusal('invalidField', 'l.user_agreement', refusalDetails('termsVersion'));
  if (accepted.privacyVersion !== wanted.privacyVersion)
    return refusal('invalidField', 'l.privacy_policy', refusalDetails('privacyVersion'));
  return undefined;
}

/**
 * Returns whether a user may accept this version of an agreement: `onlyVersion` permits one version, `anyVersion` every
 * one.
 */
export type AcceptsVersion = (version: string) => boolean;

/** Returns a function that returns true only for the given version of an agreement. */
export const onlyVersion =
  (version: string): AcceptsVersion =>
  (accepted) =>
    accepted === version;

/**
 * Permits every version of an agreement. A replay of recorded commands uses it, because each version was current when
 * the command was first executed.
 */
export const anyVersion: AcceptsVersion = () => true;

/**
 * Returns a refusal if the terms version that a buyer was shown is no longer the current one. Returns undefined if it
 * is, or if the buyer's request contained no version.
 */
export function termsVersionProblem(shown: number | undefined, inForce: number): Refusal | undefined {
  if (shown === undefined || shown === inForce) return undefined;
  return refusal('closed', 'l.terms_changed', { limit: String(inForce), value: String(shown) });
}
