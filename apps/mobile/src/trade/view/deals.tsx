import { formatMoment, formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useDeals, useDealsKnown, useDealsRefused, type Deal } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { TopicRefused } from '@exchange/web-kit/market/topic-refused.tsx';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { memo } from 'react';
import css from './pair-view.module.css';

const SHOWN = 30;
/** As `.deal` is drawn. */
const LINE_PX = 26;
const AMOUNT_DIGITS = 5;

/** The latest deals, newest on top; the colour is the taker's side. */
export function Deals({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const deals = useDeals(pair.symbol);
  const isKnown = useDealsKnown(pair.symbol);
  const refused = useDealsRefused(pair.symbol);
  if (deals.length === 0) {
    if (!isKnown && refused !== undefined) return <TopicRefused topic={refused} />;
    return isKnown ? <EmptyState text={t('dealsEmpty')} /> : <SkeletonRows rows={8} height={14} />;
  }
  const shown = deals.slice(0, SHOWN);
  return (
    <>
      <div className={css.dealHead} aria-hidden="true">
        <span>{t('time')}</span>
        <span>{t('priceField', { coin: pair.quote })}</span>
        <span>{t('amountField', { coin: pair.base })}</span>
      </div>
      <ol
        data-live
        className={css.dealList}
        aria-label={t('deals')}
        style={{ height: shown.length * LINE_PX }}
      >
        {shown.map((deal) => (
          <Row key={deal.id} deal={deal} pair={pair} />
        ))}
      </ol>
    </>
  );
}

const Row = memo(function Row({ deal, pair }: { deal: Deal; pair: MarketPair }) {
  const locale = useLocale();
  return (
    <li className={css.deal} data-direction={deal.direction}>
      <span>{formatMoment(deal.ts, locale, 'time')}</span>
      <span>{formatPrice(deal.price, locale, pair.priceDigits)}</span>
      <span>{formatNarrow(deal.amount, locale, Math.min(pair.amountDigits, AMOUNT_DIGITS))}</span>
    </li>
  );
});
