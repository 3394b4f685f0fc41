import { memo } from 'react';
import { formatCompact, formatPercent, formatPrice, directionOfPercent } from '../format/format.ts';
import { UNKNOWN } from '../format/numbers.tsx';
import { useLocale } from '../i18n/words.ts';
import classes from './live-figures.module.css';
import { useIndexPrice, useLastPrice, useTickerPart } from './live.ts';
import type { MarketPair } from './pair.ts';
import type { Ticker } from './tickers.ts';

/**
 * Live figures of a pair. Each figure renders again only when its own value changes, and gets colour and arrow from the
 * style sheet.
 */

interface PairProps {
  readonly pair: MarketPair;
}

interface DirectionProps extends PairProps {
  readonly arrow?: boolean;
}

/** The last price in the colour of the direction of its last change. */
export const LastPrice = memo(function LastPrice({ pair, arrow = false }: DirectionProps) {
  const locale = useLocale();
  const last = useLastPrice(pair.symbol);
  const direction = useTickerPart(pair.symbol, directionOf);
  return (
    <Figure
      text={last && formatPrice(last, locale, pair.priceDigits)}
      way={direction}
      arrow={arrow ? 'after' : undefined}
    />
  );
});

/** Price change of the last 24 hours, in percent. */
export const DayChange = memo(function DayChange({ pair, arrow = false }: DirectionProps) {
  const locale = useLocale();
  const change = useTickerPart(pair.symbol, changeOf);
  return (
    <Figure
      text={change && formatPercent(change, locale, { signed: true })}
      way={change === undefined ? 'none' : directionOfPercent(change)}
      arrow={arrow ? 'before' : undefined}
    />
  );
});

/** Highest or lowest price of the last 24 hours. */
export const DayPrice = memo(function DayPrice({
  pair,
  of: field,
}: PairProps & { readonly of: 'high' | 'low' }) {
  const locale = useLocale();
  const price = useTickerPart(pair.symbol, (ticker) => ticker?.[field]);
  return <Figure text={price && formatPrice(price, locale, pair.priceDigits)} />;
});

/** Volume (base coin) or turnover (quote coin) of the last 24 hours. */
export const DayAmount = memo(function DayAmount({
  pair,
  of: field,
}: PairProps & { readonly of: 'volume' | 'turnover' }) {
  const locale = useLocale();
  const amount = useTickerPart(pair.symbol, (ticker) => ticker?.[field]);
  return <Figure text={amount && formatCompact(amount, locale, { ticks: true })} />;
});

export const IndexPrice = memo(function IndexPrice({ pair }: PairProps) {
  const locale = useLocale();
  const price = useIndexPrice(pair.symbol);
  return <Figure text={price && formatPrice(price, locale, pair.priceDigits)} />;
});

const directionOf = (ticker: Ticker | undefined): Way => ticker?.direction ?? 'none';
const changeOf = (ticker: Ticker | undefined) => ticker?.change;

type Way = 'up' | 'down' | 'flat' | 'none';

interface FigureProps {
  readonly text: string | undefined;
  readonly way?: Way;
  readonly arrow?: 'before' | 'after' | undefined;
}

function Figure({ text, way, arrow }: FigureProps) {
  return (
    <span className={classes.figure} data-way={way} data-arrow={arrow} translate="no">
      {text ?? UNKNOWN}
    </span>
  );
}
