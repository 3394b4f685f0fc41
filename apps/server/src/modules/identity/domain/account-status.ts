import type { UserId } from '@exchange/core/ids.ts';

/** Permissions of a user, as other modules see them. */
export interface AccountStatus {
  /** A frozen account cannot act, and its owner cannot sign in. An archived sub-account counts as frozen. */
  readonly frozen: boolean;
  /** Whether buying is allowed. Selling, redeeming and withdrawing do not depend on it. */
  readonly purchase: boolean;
  readonly verified: boolean;
  /** The account whose sub-account this is; undefined for other accounts. */
  readonly master: UserId | undefined;
}

/** Why withdrawals are on hold. */
export type HoldReason =
  | 'passwordChanged'
  | 'passwordReset'
  | 'tradePasswordChanged'
  | 'tradePasswordReset'
  | 'emailChanged'
  | 'authenticatorRemoved'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'review';

export type Grade = 'low' | 'medium' | 'high';

/**
 * Security score of an account: one point each for the verified email address, a trade password, a
 * verified identity and the withdrawal whitelist, and two for an authenticator or a passkey.
 */
export function securityPoints(user: {
  readonly hasTradePassword: boolean;
  readonly verified: boolean;
  readonly hasSecondFactor: boolean;
  readonly usesWhitelist: boolean;
}): number {
  const singlePoints = Number(user.hasTradePassword) + Number(user.verified) + Number(user.usesWhitelist);
  return 1 + singlePoints + 2 * Number(user.hasSecondFactor);
}

/** Security grade by points: below 3 low, below 5 medium, otherwise high. */
export function securityGrade(points: number): Grade {
  if (points < 3) return 'low';
  return points < 5 ? 'medium' : 'high';
}

/**
 * Activity grade by active days within the last 30: below 5 low, below 15 medium, otherwise high.
 */
export function activityGrade(activeDays: number): Grade {
  if (activeDays < 5) return 'low';
  return activeDays < 15 ? 'medium' : 'high';
}

const NICKNAME = /^[A-Za-z][A-Za-z0-9]{7,24}$/;

/** Whether a text is a valid nickname: a letter followed by 7 to 24 letters or digits. */
export function isNickname(text: string): boolean {
  return NICKNAME.test(text);
}
