import { refusal, type Refusal } from './refusal.ts';

/**
 * The current version of each agreement. Users accept `user` and `privacy` when they register, `seconds` before
 * their first position, and the others with each purchase. A change of the text in any language gets a new
 * version. Purchases and new positions under an earlier version are refused; users who accepted an earlier
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

/** The current versions of the user agreement and the privacy policy. */
export const ACCOUNT_VERSIONS: AccountVersions = {
  termsVersion: AGREEMENT_VERSIONS.user,
  privacyVersion: AGREEMENT_VERSIONS.privacy,
};

/**
 * Checks the versions that a user accepted at registration and returns a refusal for the first that differs
 * from `wanted`: user agreement, then privacy policy. The registration form passes the versions it displays
 * as `wanted`, the server the current ones.
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
 * Checks whether a user may accept this version of an agreement. A replay of recorded commands accepts every
 * version, because it was current when the command first ran.
 */
export type AcceptsVersion = (version: string) => boolean;

/** Accepts only the given version of an agreement. */
export const onlyVersion =
  (version: string): AcceptsVersion =>
  (accepted) =>
    accepted === version;

/**
 * Used in replays of recorded commands: accepts every version of an agreement, because it was current when
 * the command first ran.
 */
export const anyVersion: AcceptsVersion = () => true;

/**
 * Returns a refusal if the terms that a buyer was shown are no longer current. An undefined `shown` is not
 * checked.
 */
export function termsVersionProblem(shown: number | undefined, inForce: number): Refusal | undefined {
  if (shown === undefined || shown === inForce) return undefined;
  return refusal('closed', 'l.terms_changed', { limit: String(inForce), value: String(shown) });
}
