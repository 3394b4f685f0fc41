import { Decimal } from '@exchange/core/decimal.ts';
import { Percent, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useBestPrice } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import classes from './order-book.module.css';

/** What lies between the best bid and the best ask, also as a share of the ask. */
export function Spread({ pair }: { readonly pair: MarketPair }) {
  const t = useWords('trade');
  const bid = useBestPrice(pair.symbol, 'bids');
  const ask = useBestPrice(pair.symbol, 'asks');
  if (bid === undefined || ask === undefined) return null;
  const best = Decimal.parse(ask);
  const gap = best.minus(Decimal.parse(bid));
  return (
    <span className={classes.spread} title={t('spread')}>
      <span className="visually-hidden">{t('spread')}</span>
      <Price value={gap.toString()} digits={pair.priceDigits} />
      <Percent value={gap.over(best, 'down', 8).toString()} digits={3} />
    </span>
  );
}
