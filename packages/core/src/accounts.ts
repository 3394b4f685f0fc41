/**
 * The accounts in which a user holds balances, each with the part of the account statement that contains its
 * entries. Accounts with the part `products` contain money that is locked, invested or committed, and the
 * live feed has a private topic with the name of each account of this part. A new account is added as the
 * last row, because the ledger derives the positions of a user's balances in memory from the order of the
 * rows.
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

/**
 * Names of the accounts in which a user's money is locked, invested or committed in a product, in the order
 * of `ACCOUNTS`.
 */
export const PRODUCT_ACCOUNTS = accountsOfPart('products') as readonly ProductAccount[];
