import type { UserId } from '@exchange/core/ids.ts';

/**
 * What a user may do, as other modules see it: whether the account is frozen, may buy, and is verified; for a
 * sub-account, also the id of its main account.
 */
export interface AccountStatus {
  /**
   * True if the account may not act: it is frozen, or it is an archived sub-account or one of a frozen main account. The
   * owner of a frozen main account cannot sign in either.
   */
  readonly frozen: boolean;
  /** True if the user may buy. Selling, redeeming and withdrawing do not depend on it. */
  readonly purchase: boolean;
  readonly verified: boolean;
  /** Id of the main account of a sub-account; undefined for an account that is not a sub-account. */
  readonly master: UserId | undefined;
}

/** Why withdrawals of an account are on hold. */
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
 * Security score of an account: one point each for the verified email address, a trade password, a verified identity
 * and the withdrawal whitelist; two points for an authenticator or a passkey.
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

/** Security grade of a score: below 3 points low, below 5 medium, otherwise high. */
export function securityGrade(points: number): Grade {
  if (points < 3) return 'low';
  return points < 5 ? 'medium' : 'high';
}

/**
 * Activity grade by the number of days in the last 30 on which the user was active: below 5 low, below 15 medium,
 * otherwise high.
 */
export function activityGrade(activeDays: number): Grade {
  if (activeDays < 5) return 'low';
  return activeDays < 15 ? 'medium' : 'high';
}

const NICKNAME = /^[A-Za-z][A-Za-z0-9]{7,24}$/;

/** True if a text is a valid nickname: a letter followed by 7 to 24 letters or digits. */
export function isNickname(text: string): boolean {
  return NICKNAME.test(text);
}
