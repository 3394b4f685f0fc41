import { useEffect } from 'react';
import { formatPrice } from '../format/format.ts';
import { useLocale } from '../i18n/words.ts';
import { useLastPrice } from '../market/live.ts';
import type { MarketPair } from '../market/pair.ts';

const BRAND = 'Amethyst';

/**
 * Sets the document's title to the text and the brand, or without a text to the brand only. The title stays when the
 * component unmounts.
 */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    // The title is set after the current task, because setting it takes longer than rendering a price change.
    const later = setTimeout(() => {
      document.title = text === undefined || text === '' ? BRAND : `${text} | ${BRAND}`;
    });
    return () => clearTimeout(later);
  }, [text]);
}

/**
 * Shows a pair's last price in the document's title; a separate component, so that a price change re-renders nothing
 * else.
 */
export function PriceTitle({ pair }: { readonly pair: MarketPair }) {
  const locale = useLocale();
  const last = useLastPrice(pair.symbol);
  const name = `${pair.base}/${pair.quote}`;
  useTitle(last === undefined ? name : `${formatPrice(last, locale, pair.priceDigits)} ${name}`);
  return null;
}
