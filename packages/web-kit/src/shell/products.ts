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

/** Returns the name of the product with this first screen, in the current language; empty for another path. */
export function useProductNames(): (path: string) => string {
  const locale = useLocale();
  return (path) => NAMES.get(path)?.[locale] ?? '';
}
