import { memo, useCallback } from 'react';
import { formatCompact, formatPercent, formatPrice, wayOfPercent } from '../format/format.ts';
import { UNKNOWN } from '../format/numbers.tsx';
import { useLocale } from '../i18n/words.ts';
import { writeText } from '../ui/written-text.ts';
import { followIndexPrice, followTicker } from './live.ts';
import classes from './live-figures.module.css';
import type { MarketPair } from './pair.ts';
import type { Ticker } from './tickers.ts';

/*
 * Figures of a pair that follow the feed by themselves: a tick writes the texts that it changes and renders
 * nothing. Their colours and arrows are style sheets' work, by what is noted at the element.
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
  const price = useCallback(
    ({ last }: Ticker, locale: string) => formatPrice(last, locale, pair.priceDigits),
    [pair.priceDigits],
  );
  return (
    <DayFigure symbol={pair.symbol} textOf={price} wayOf={wayOfLast} arrow={arrow ? 'after' : undefined} />
  );
});

/** The change of the last 24 hours. */
export const DayChange = memo(function DayChange({ pair, arrow = false }: WithWay) {
  return (
    <DayFigure
      symbol={pair.symbol}
      textOf={textOfChange}
      wayOf={wayOfChange}
      arrow={arrow ? 'before' : undefined}
    />
  );
});

/** The highest or the lowest price of the last 24 hours. */
export const DayPrice = memo(function DayPrice({ pair, of }: OfPair & { readonly of: 'high' | 'low' }) {
  const price = useCallback(
    (ticker: Ticker, locale: string) => formatPrice(ticker[of], locale, pair.priceDigits),
    [pair.priceDigits, of],
  );
  return <DayFigure symbol={pair.symbol} textOf={price} />;
});

/** What was traded in the last 24 hours, in the base coin or, as turnover, in the quote coin. */
export const DayAmount = memo(function DayAmount({
  pair,
  of,
}: OfPair & { readonly of: 'volume' | 'turnover' }) {
  const amount = useCallback(
    (ticker: Ticker, locale: string) => formatCompact(ticker[of], locale, { ticks: true }),
    [of],
  );
  return <DayFigure symbol={pair.symbol} textOf={amount} />;
});

/** The index price. */
export const IndexPrice = memo(function IndexPrice({ pair }: OfPair) {
  const locale = useLocale();
  const { symbol, priceDigits } = pair;
  const write = useCallback(
    (element: HTMLElement) =>
      followIndexPrice(symbol, (price) => {
        writeText(element, price === undefined ? UNKNOWN : formatPrice(price, locale, priceDigits));
      }),
    [symbol, priceDigits, locale],
  );
  return <span ref={write} className={classes.figure} />;
});

type Way = 'up' | 'down' | 'flat' | 'none';

interface DayFigureProps {
  readonly symbol: string;
  readonly textOf: (ticker: Ticker, locale: string) => string;
  readonly wayOf?: (ticker: Ticker) => Way;
  readonly arrow?: 'before' | 'after' | undefined;
}

const wayOfLast = ({ direction }: Ticker): Way => direction;
const textOfChange = ({ change }: Ticker, locale: string) => formatPercent(change, locale, { signed: true });
const wayOfChange = ({ change }: Ticker): Way => wayOfPercent(change);

/** One figure of a ticker. */
function DayFigure({ symbol, textOf, wayOf, arrow }: DayFigureProps) {
  const locale = useLocale();
  const write = useCallback(
    (element: HTMLElement) => {
      const draw = (ticker: Ticker | undefined): void => {
        writeText(element, ticker === undefined ? UNKNOWN : textOf(ticker, locale));
        const way = ticker === undefined ? 'none' : wayOf?.(ticker);
        // The same again would have the browser work out the style anew.
        if (way !== undefined && element.dataset['way'] !== way) element.dataset['way'] = way;
      };
      // The figures of a list change together, those of the strip above the chart in a frame of their own.
      return followTicker(symbol, draw, element.closest('section, header') ?? undefined);
    },
    [symbol, textOf, wayOf, locale],
  );
  return <span ref={write} className={classes.figure} data-arrow={arrow} />;
}
