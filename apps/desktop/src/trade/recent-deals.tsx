import { formatMoment, formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useDeals, useTickerPart, type Deal } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { memo } from 'react';
import classes from './recent-deals.module.css';

/** The latest deals, newest on top; the colour is the taker's side. */
export function RecentDeals({ pair }: { readonly pair: MarketPair }) {
  const t = useWords('trade');
  const deals = useDeals(pair.symbol);
  const isKnown = useTickerPart(pair.symbol, (ticker) => ticker !== undefined);
  return (
    <section className={classes.deals} aria-label={t('deals')}>
      <h2>{t('deals')}</h2>
      <div className={classes.head} aria-hidden="true">
        <span>{t('price')}</span>
        <span>{t('amount')}</span>
        <span>{t('time')}</span>
      </div>
      {deals.length === 0 ? (
        isKnown ? (
          <EmptyState text={t('dealsEmpty')} />
        ) : (
          <div className={classes.skeleton}>
            <SkeletonRows rows={8} height={10} gap={10} />
          </div>
        )
      ) : (
        <ol className={classes.rows} tabIndex={0} aria-label={t('deals')}>
          {deals.map((deal) => (
            <DealRow key={deal.id} deal={deal} pair={pair} />
          ))}
        </ol>
      )}
    </section>
  );
}

const DealRow = memo(function DealRow({ deal, pair }: { deal: Deal; pair: MarketPair }) {
  const locale = useLocale();
  return (
    <li className={classes.row} data-direction={deal.direction}>
      <span>{formatPrice(deal.price, locale, pair.priceDigits)}</span>
      <span>{formatNarrow(deal.amount, locale, Math.min(pair.amountDigits, 5))}</span>
      <span>{formatMoment(deal.ts, locale, 'time')}</span>
    </li>
  );
});
