import { ACCOUNTS, type AccountName } from '@exchange/core/accounts.ts';
import { PRODUCTS } from '@exchange/wire/screens.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { accountPath } from './account-tabs.ts';

const BY_ACCOUNT = new Map(PRODUCTS.map((product) => [product.account, product]));

/**
 * Returns a function that returns the name of an account in the current language: for the account of a product (such as
 * seconds contracts) the product's name, for every other account the name of the coin account (spot account).
 */
export function useAccountNames(): (account: AccountName) => string {
  const t = useWords('assets');
  const locale = useLocale();
  return (account) => BY_ACCOUNT.get(account)?.name[locale] ?? t('account_coin');
}

/**
 * Returns the path of the screen that lists the user's holdings in an account: the assets screen with a tab, or the
 * screen of the account's product.
 */
export function holdingsPath(account: AccountName): string {
  const part = ACCOUNTS[account];
  const product = BY_ACCOUNT.get(account);
  return part === 'products' && product !== undefined ? product.holdings : accountPath(part);
}
