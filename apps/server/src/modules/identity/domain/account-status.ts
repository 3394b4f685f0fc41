/** What other modules may let a user do. */
export interface AccountStatus {
  /** Nothing at all is permitted to a frozen account but reading. */
  readonly frozen: boolean;
  /** Whether buying is permitted; selling, redeeming and withdrawing never depend on it. */
  readonly purchase: boolean;
  readonly verified: boolean;
}

/** What holds withdrawals. */
export type HoldReason =
  | 'passwordChanged'
  | 'passwordReset'
  | 'tradePasswordChanged'
  | 'tradePasswordReset'
  | 'emailChanged'
  | 'authenticatorRemoved'
  | 'review';

export type Grade = 'low' | 'medium' | 'high';

/** Two points for an authenticator, one each for the proven mail address, a trade password, a verified identity and the whitelist. */
export function securityPoints(user: {
  readonly hasTradePassword: boolean;
  readonly verified: boolean;
  readonly hasAuthenticator: boolean;
  readonly usesWhitelist: boolean;
}): number {
  const one = Number(user.hasTradePassword) + Number(user.verified) + Number(user.usesWhitelist);
  return 1 + one + 2 * Number(user.hasAuthenticator);
}

/** Below 3 points low, below 5 medium, from 5 high. */
export function securityGrade(points: number): Grade {
  if (points < 3) return 'low';
  return points < 5 ? 'medium' : 'high';
}

/** By days of the last 30 on which the user was here: below 5 low, below 15 medium, from 15 high. */
export function activityGrade(activeDays: number): Grade {
  if (activeDays < 5) return 'low';
  return activeDays < 15 ? 'medium' : 'high';
}

const NICKNAME = /^[A-Za-z][A-Za-z0-9]{7,24}$/;

/** A letter followed by 7 to 24 letters or digits. */
export function isNickname(text: string): boolean {
  return NICKNAME.test(text);
}
