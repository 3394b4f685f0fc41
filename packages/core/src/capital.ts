/** Accounts of the house that capital enters and leaves, and against which balances of users are corrected. */
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
