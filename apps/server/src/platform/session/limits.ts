import { DAY_MS } from '@exchange/core/time.ts';

export const SESSION_LIMITS = {
  idleMs: 7 * DAY_MS,
  absoluteMs: 30 * DAY_MS,
  /** The next one ends the one that was used the longest ago. */
  perUser: 20,
  /** Of the account that all visitors of a demo share: one person's number would have them end each other's. */
  perSharedUser: 1_000,
} as const;
