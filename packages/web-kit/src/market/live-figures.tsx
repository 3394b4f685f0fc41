import { memo } from 'react';
import { formatCompact, formatPercent, formatPrice, wayOfPercent } from '../format/format.ts';
import { UNKNOWN } from '../format/numbers.tsx';
import { useLocale } from '../i18n/words.ts';
import classes from './live-figures.module.css';
import { useIndexPrice, useLastPrice, useTickerPart } from './live.ts';
import type { MarketPair } from './pair.ts';
import type { Ticker } from './tickers.ts';

/*
 * Figures of a pair that follow the feed by themselves: each renders when the one value that it shows has changed,
 * and nothing around it does. Their colours and arrows are style sheets' work.
 */

interface OfPair {
  readonly pair: MarketPair;
}

interface WithWay extends OfPair {
  /** Marks the way up or down by an arrow too. */
  readonly arrow?: boolean;
}

/** The price of the last trade in the colour of its last step. */
export const LastPrice = memo(function LastPrice({ pair, arrow = false }: WithWay) {
  const locale = useLocale();
  const last = useLastPrice(pair.symbol);
  const way = useTickerPart(pair.symbol, directionOf);
  return (
    <Figure
      text={last && formatPrice(last, locale, pair.priceDigits)}
      way={way}
      arrow={arrow ? 'after' : undefined}
    />
  );
});

/** The change of the last 24 hours. */
export const DayChange = memo(function DayChange({ pair, arrow = false }: WithWay) {
  const locale = useLocale();
  const change = useTickerPart(pair.symbol, changeOf);
  return (
    <Figure
      text={change && formatPercent(change, locale, { signed: true })}
      way={change === undefined ? 'none' : wayOfPercent(change)}
      arrow={arrow ? 'before' : undefined}
    />
  );
});

/** The highest or the lowest price of the last 24 hours. */
export const DayPrice = memo(function DayPrice({ pair, of }: OfPair & { readonly of: 'high' | 'low' }) {
  const locale = useLocale();
  const price = useTickerPart(pair.symbol, (ticker) => ticker?.[of]);
  return <Figure text={price && formatPrice(price, locale, pair.priceDigits)} />;
});

/** What was traded in the last 24 hours, in the base coin or, as turnover, in the quote coin. */
export const DayAmount = memo(function DayAmount({
  pair,
  of,
}: OfPair & { readonly of: 'volume' | 'turnover' }) {
  const locale = useLocale();
  const amount = useTickerPart(pair.symbol, (ticker) => ticker?.[of]);
  return <Figure text={amount && formatCompact(amount, locale, { ticks: true })} />;
});

/** The index price. */
export const IndexPrice = memo(function IndexPrice({ pair }: OfPair) {
  const locale = useLocale();
  const price = useIndexPrice(pair.symbol);
  return <Figure text={price && formatPrice(price, locale, pair.priceDigits)} />;
});

const directionOf = (ticker: Ticker | undefined): Way => ticker?.direction ?? 'none';
const changeOf = (ticker: Ticker | undefined) => ticker?.change;

type Way = 'up' | 'down' | 'flat' | 'none';

interface FigureProps {
  /** Undefined until it is known. */
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
