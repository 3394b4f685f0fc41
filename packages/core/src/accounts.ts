/**
 * The accounts in which a user holds balances. The value is the part of the account statement that contains the
 * account's entries. Accounts with the value `products` contain money that is locked, invested or committed, and their
 * topics of the live feed have the account's name. A new product is added as the last row, because the ledger numbers a
 * user's balances in memory by this order.
 */
export const ACCOUNTS = {
  spot: 'spot',
  seconds: 'seconds',
  finance: 'products',
  mining: 'products',
  fund: 'products',
  subscription: 'products',
} as const;

export type AccountName = keyof typeof ACCOUNTS;
export type StatementPart = (typeof ACCOUNTS)[AccountName];
/** The accounts in which a user's money is locked, invested or committed in a product. */
export type ProductAccount = {
  [Name in AccountName]: (typeof ACCOUNTS)[Name] extends 'products' ? Name : never;
}[AccountName];

/** The names of all accounts, in the order in which `ACCOUNTS` and the screens list them. */
export const ACCOUNT_NAMES = Object.keys(ACCOUNTS) as readonly AccountName[];

/** Returns the accounts whose entries appear in the given part of the account statement. */
export function accountsOfPart(part: StatementPart): readonly AccountName[] {
  return ACCOUNT_NAMES.filter((name) => ACCOUNTS[name] === part);
}

/** The product accounts, in the order of `ACCOUNTS`. */
export const PRODUCT_ACCOUNTS = accountsOfPart('products') as readonly ProductAccount[];
