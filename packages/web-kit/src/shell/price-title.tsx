import { formatPrice } from '../format/format.ts';
import { useLocale } from '../i18n/words.ts';
import { useLastPrice } from '../market/live.ts';
import type { MarketPair } from '../market/pair.ts';
import { useTitle } from './use-title.ts';

/** Keeps a pair's price in the page's title; a component of its own, so that a tick renders nothing else. */
export function PriceTitle({ pair }: { readonly pair: MarketPair }) {
  const locale = useLocale();
  const last = useLastPrice(pair.symbol);
  const name = `${pair.base}/${pair.quote}`;
  useTitle(last === undefined ? name : `${formatPrice(last, locale, pair.priceDigits)} ${name}`);
  return null;
}
