/**
 * The accounts in which a user holds balances, each with the part of the statement that shows its entries. `products`
 * are accounts whose money is locked, invested or committed; their name is also that of their topic of the live feed.
 * A new product is added as the last row: the ledger numbers a user's balances in memory by this order.
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
/** The accounts whose money is locked, invested or committed in a product. */
export type ProductAccount = {
  [Name in AccountName]: (typeof ACCOUNTS)[Name] extends 'products' ? Name : never;
}[AccountName];

/** The names of all accounts, in the order of `ACCOUNTS`, in which screens list them too. */
export const ACCOUNT_NAMES = Object.keys(ACCOUNTS) as readonly AccountName[];

/** The accounts whose entries appear in a given part of the account statement. */
export function accountsOfPart(part: StatementPart): readonly AccountName[] {
  return ACCOUNT_NAMES.filter((name) => ACCOUNTS[name] === part);
}

/** The product accounts, in the order of `ACCOUNTS`. */
export const PRODUCT_ACCOUNTS = accountsOfPart('products') as readonly ProductAccount[];
