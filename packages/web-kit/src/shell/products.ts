import { PRODUCTS } from '@exchange/wire/screens.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { paths } from '../paths.ts';

const NAMES = new Map<string, (typeof PRODUCTS)[number]['name']>(
  PRODUCTS.map(({ path, name }) => [path, name]),
);

/** Links to the markets, spot trading and every product of `PRODUCTS`, in this order. */
export function useProductLinks(): readonly { readonly to: string; readonly name: string }[] {
  const t = useWords('shell');
  const locale = useLocale();
  return [
    { to: paths.market, name: t('navMarkets') },
    { to: paths.trade, name: t('navSpot') },
    ...PRODUCTS.map(({ path, name }) => ({ to: path, name: name[locale] })),
  ];
}

/**
 * Returns a function that returns the name, in the interface language, of the product whose first screen has the given
 * path; empty for another path.
 */
export function useProductNames(): (path: string) => string {
  const locale = useLocale();
  return (path) => NAMES.get(path)?.[locale] ?? '';
}
