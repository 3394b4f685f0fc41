import { Compact, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIndexPrice, useTicker } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { ReactNode } from 'react';
import css from './pair-view.module.css';

/** The last price and the last 24 hours. */
export function Day({ pair }: { pair: MarketPair }) {
  const t = useWords('market');
  const ticker = useTicker(pair.symbol);
  const index = useIndexPrice(pair.symbol);
  const digits = pair.priceDigits;
  return (
    <dl className={css.day}>
      <div className={css.dayPrice}>
        <dt className="visually-hidden">{t('lastPrice')}</dt>
        <dd>
          <Price value={ticker?.last} digits={digits} direction={ticker?.direction} />
          <small>
            {t('indexPrice')} <Price value={index ?? ticker?.last} digits={digits} />
          </small>
        </dd>
      </div>
      <Figure name={t('high')}>
        <Price value={ticker?.high} digits={digits} />
      </Figure>
      <Figure name={`${t('volume')} (${pair.base})`}>
        <Compact value={ticker?.volume} />
      </Figure>
      <Figure name={t('low')}>
        <Price value={ticker?.low} digits={digits} />
      </Figure>
      <Figure name={`${t('turnover')} (${pair.quote})`}>
        <Compact value={ticker?.turnover} />
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
