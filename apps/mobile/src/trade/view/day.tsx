import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { DayAmount, DayPrice, IndexPrice, LastPrice } from '@exchange/web-kit/market/live-figures.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { ReactNode } from 'react';
import css from './pair-view.module.css';

/** The last price and the last 24 hours. */
export function Day({ pair }: { pair: MarketPair }) {
  const t = useWords('market');
  return (
    <dl className={css.day} data-live>
      <div className={css.dayPrice}>
        <dt className="visually-hidden">{t('lastPrice')}</dt>
        <dd>
          <LastPrice pair={pair} />
          <small>
            {t('indexPrice')} <IndexPrice pair={pair} />
          </small>
        </dd>
      </div>
      <Figure name={t('high')}>
        <DayPrice pair={pair} of="high" />
      </Figure>
      <Figure name={`${t('volume')} (${pair.base})`}>
        <DayAmount pair={pair} of="volume" />
      </Figure>
      <Figure name={t('low')}>
        <DayPrice pair={pair} of="low" />
      </Figure>
      <Figure name={`${t('turnover')} (${pair.quote})`}>
        <DayAmount pair={pair} of="turnover" />
      </Figure>
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
