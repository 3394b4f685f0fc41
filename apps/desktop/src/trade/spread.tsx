import { Decimal } from '@exchange/core/decimal.ts';
import { formatPercent, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useBestDrawn } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { memo } from 'react';
import classes from './order-book.module.css';

/** What lies between the best bid and the best ask, also as a share of the ask. */
export const Spread = memo(function Spread({ pair }: { readonly pair: MarketPair }) {
  const t = useWords('trade');
  const locale = useLocale();
  const { bids: bid, asks: ask } = useBestDrawn(pair.symbol);
  const spread = bid === undefined || ask === undefined ? undefined : spreadOf(bid, ask);
  return (
    <span className={classes.spread} title={t('spread')} hidden={spread === undefined}>
      <span className="visually-hidden">{t('spread')}</span>
      {spread !== undefined && (
        <>
          <span>{formatPrice(spread.gap, locale, pair.priceDigits)}</span>
          <span>{formatPercent(spread.share, locale, { digits: 3 })}</span>
        </>
      )}
    </span>
  );
});

function spreadOf(bid: string, ask: string): { readonly gap: string; readonly share: string } {
  const best = Decimal.parse(ask);
  const gap = best.minus(Decimal.parse(bid));
  return { gap: gap.toString(), share: gap.over(best, 'down', 8).toString() };
}
