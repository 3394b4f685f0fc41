/**
 * The exchange's own accounts that capital enters and leaves, and against which user balances are corrected.
 */
export const CAPITAL_ACCOUNTS = [
  'fees',
  'interest',
  'mining',
  'payout',
  'insurance',
  'inventory',
  'promo',
] as const;
export type CapitalAccount = (typeof CAPITAL_ACCOUNTS)[number];
