import type { RefusalKind } from '@exchange/core/refusal.ts';

export const SUCCESS = 1;
export const SESSION_ENDED = -2;

/** The value of the field `code` in a response, by kind of refusal. */
export const REFUSAL_CODES: Readonly<Record<RefusalKind, number>> = {
  generic: 0,
  invalidField: -1,
  sessionEnded: SESSION_ENDED,
  verificationRequired: -3,
  tradePassword: -4,
  secondFactor: -5,
  insufficientBalance: -6,
  belowMinimum: -7,
  aboveMaximum: -8,
  rateLimited: -9,
  closed: -10,
  quoteExpired: -11,
  duplicate: -12,
  securityHold: -13,
  region: -14,
  maintenance: -15,
  purchaseNotPermitted: -16,
  outcomeUnknown: -17,
};
