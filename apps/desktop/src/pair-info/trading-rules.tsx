import { DAY_MS } from '@exchange/core/time.ts';
import { formatDecimal, formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { TICKET_KINDS } from '@exchange/web-kit/spot/order-kinds.ts';
import classes from './pair-info.module.css';

const STATUS_NAMES = { open: 'statusOpen', cancelOnly: 'statusCancelOnly', closed: 'statusClosed' } as const;

/** Every limit an order of the pair must keep, as the exchange enforces it. */
export function TradingRules({ pair }: { readonly pair: MarketPair }) {
  const t = useWords('desktop-market');
  const rules = useRules(pair);
  return (
    <section className={classes.part}>
      <h3>{t('rules')}</h3>
      <p>{t('rules.note')}</p>
      <dl className={classes.facts}>
        {rules.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function useRules(pair: MarketPair): readonly (readonly [name: string, value: string])[] {
  const t = useWords('desktop-market');
  const tMarket = useWords('market');
  const tTrade = useWords('trade');
  const locale = useLocale();
  const { filters, base, quote } = pair;
  const exact = (value: { toString(): string }, coin: string): string =>
    `${formatDecimal(value.toString(), locale)} ${coin}`;
  const percent = (fraction: { toString(): string }): string =>
    formatPercent(fraction.toString(), locale, { digits: 1 });
  return [
    [t('rules.status'), tMarket(STATUS_NAMES[pair.status])],
    [t('rules.tick'), exact(pair.tickSize, quote)],
    [t('rules.step'), exact(pair.stepSize, base)],
    [t('rules.minAmount'), exact(filters.minAmount, base)],
    [t('rules.maxAmount'), exact(filters.maxAmount, base)],
    [t('rules.minTotal'), exact(filters.minTotal, quote)],
    [t('rules.band'), t('rules.bandOf', { percent: percent(filters.priceBand) })],
    [t('rules.guard'), t('rules.guardOf', { percent: percent(filters.marketGuard) })],
    [t('rules.trail'), t('rules.range', { from: percent(filters.minTrail), to: percent(filters.maxTrail) })],
    [t('rules.openOrders'), String(filters.maxOpenOrders)],
    [t('rules.stops'), String(filters.maxStopOrders)],
    [t('rules.lifetime'), t('rules.days', { count: Math.floor(filters.maxLifetimeMs / DAY_MS) })],
    [t('rules.types'), TICKET_KINDS.map((kind) => tTrade(kind)).join(', ')],
  ];
}
