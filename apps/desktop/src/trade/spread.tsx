import { Decimal } from '@exchange/core/decimal.ts';
import { formatPercent, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { followBestPrices } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { writeText } from '@exchange/web-kit/ui/written-text.ts';
import { useCallback } from 'react';
import classes from './order-book.module.css';

/** What lies between the best bid and the best ask, also as a share of the ask; written, not rendered. */
export function Spread({ pair }: { readonly pair: MarketPair }) {
  const t = useWords('trade');
  const locale = useLocale();
  const { symbol, priceDigits } = pair;
  const write = useCallback(
    (element: HTMLElement) =>
      followBestPrices(symbol, ({ bids: bid, asks: ask }) => {
        element.hidden = bid === undefined || ask === undefined;
        const [, gap, share] = element.children;
        if (bid === undefined || ask === undefined || gap === undefined || share === undefined) return;
        const best = Decimal.parse(ask);
        const between = best.minus(Decimal.parse(bid));
        writeText(gap, formatPrice(between.toString(), locale, priceDigits));
        writeText(share, formatPercent(between.over(best, 'down', 8).toString(), locale, { digits: 3 }));
      }),
    [symbol, priceDigits, locale],
  );
  return (
    <span ref={write} className={classes.spread} title={t('spread')}>
      <span className="visually-hidden">{t('spread')}</span>
      <span />
      <span />
    </span>
  );
}
