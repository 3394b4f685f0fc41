/**
 * Names of the exchange's own accounts to which operators assign capital, from which they withdraw it, and
 * against which they correct user balances and write off users' debts.
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
