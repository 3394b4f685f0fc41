import type { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { formatDecimal, formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Line, Section } from './info-parts.tsx';
import css from './info-view.module.css';

/** Every limit that an order on the pair has to keep. */
export function TradingRules({ pair }: { pair: MarketPair }) {
  const t = useWords('mobile-market');
  const locale = useLocale();
  const { filters, base, quote } = pair;
  const number = (value: Decimal, unit: string) => `${formatDecimal(value.toString(), locale)} ${unit}`;
  const percent = (value: Decimal) => formatPercent(value.toString(), locale, { digits: 1 });
  return (
    <Section title={t('rules')}>
      <dl className={css.lines}>
        <Line name={t('priceStep')}>{number(pair.tickSize, quote)}</Line>
        <Line name={t('amountStep')}>{number(pair.stepSize, base)}</Line>
        <Line name={t('amountRange')}>
          {t('range', {
            from: formatDecimal(filters.minAmount.toString(), locale),
            to: number(filters.maxAmount, base),
          })}
        </Line>
        <Line name={t('minTotal')}>{number(filters.minTotal, quote)}</Line>
        <Line name={t('priceBand')}>{t('priceBandText', { percent: percent(filters.priceBand) })}</Line>
        <Line name={t('marketGuard')}>{t('marketGuardText', { percent: percent(filters.marketGuard) })}</Line>
        <Line name={t('openOrders')}>{filters.maxOpenOrders}</Line>
        <Line name={t('stopOrders')}>{filters.maxStopOrders}</Line>
        <Line name={t('trail')}>
          {t('range', { from: percent(filters.minTrail), to: percent(filters.maxTrail) })}
        </Line>
        <Line name={t('lifetime')}>{t('days', { count: Math.floor(filters.maxLifetimeMs / DAY_MS) })}</Line>
      </dl>
    </Section>
  );
}
