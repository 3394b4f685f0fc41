import { formatMoment, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useCalmDeals, useDealsKnown, useDealsRefused, type Deal } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { TopicRefused } from '@exchange/web-kit/market/topic-refused.tsx';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { memo } from 'react';
import { DealColumns } from './deal-columns.tsx';
import classes from './recent-deals.module.css';

interface DealsProps {
  readonly pair: MarketPair;
}

/** The latest deals, newest on top; the colour is the taker's side. */
export function RecentDeals({ pair }: DealsProps) {
  const t = useWords('trade');
  const deals = useCalmDeals(pair.symbol);
  const isKnown = useDealsKnown(pair.symbol);
  const refused = useDealsRefused(pair.symbol);
  return (
    <section className={classes.deals} aria-label={t('deals')} data-live>
      <h2>{t('deals')}</h2>
      <div className={classes.head} aria-hidden="true">
        <span>{t('price')}</span>
        <span>{t('amount')}</span>
        <span>{t('time')}</span>
      </div>
      {deals.length > 0 ? (
        <DealColumns pair={pair}>
          <ol className="visually-hidden">
            {deals.map((deal) => (
              <SpokenDeal key={deal.id} deal={deal} pair={pair} />
            ))}
          </ol>
        </DealColumns>
      ) : isKnown ? (
        <EmptyState text={t('dealsEmpty')} />
      ) : refused !== undefined ? (
        <TopicRefused topic={refused} />
      ) : (
        <div className={classes.skeleton}>
          <SkeletonRows rows={8} height={10} gap={10} />
        </div>
      )}
    </section>
  );
}

/** What is read out of a deal. */
const SpokenDeal = memo(function SpokenDeal({ deal, pair }: DealsProps & { readonly deal: Deal }) {
  const locale = useLocale();
  const t = useWords('trade');
  const price = formatPrice(deal.price, locale, pair.priceDigits);
  const amount = formatPrice(deal.amount, locale, pair.amountDigits);
  return <li>{`${t(deal.direction)} ${price}, ${amount}, ${formatMoment(deal.ts, locale, 'time')}`}</li>;
});
