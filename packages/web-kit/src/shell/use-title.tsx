import { useEffect } from 'react';
import { formatPrice } from '../format/format.ts';
import { useLocale } from '../i18n/words.ts';
import { useLastPrice } from '../market/live.ts';
import type { MarketPair } from '../market/pair.ts';

const BRAND = 'Amethyst';

/** The document's title while the component is on screen: the text, then the brand. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    // Not in the frame that a price changes in: telling the browser takes longer than drawing the price.
    const later = setTimeout(() => {
      document.title = text === undefined || text === '' ? BRAND : `${text} | ${BRAND}`;
    });
    return () => clearTimeout(later);
  }, [text]);
}

/** Keeps a pair's price in the page's title; a component of its own, so that a tick renders nothing else. */
export function PriceTitle({ pair }: { readonly pair: MarketPair }) {
  const locale = useLocale();
  const last = useLastPrice(pair.symbol);
  const name = `${pair.base}/${pair.quote}`;
  useTitle(last === undefined ? name : `${formatPrice(last, locale, pair.priceDigits)} ${name}`);
  return null;
}
