import { memo } from 'react';
import { Change, Compact, Price } from '../format/numbers.tsx';
import { useIndexPrice, useTickerPart } from './live.ts';
import type { MarketPair } from './pair.ts';

/*
 * Figures of a pair that follow the feed by themselves: a tick renders the figure that it changes, and nothing of
 * what stands around it.
 */

interface OfPair {
  readonly pair: MarketPair;
}

/** The price of the last trade in the colour of its last step. */
export const LastPrice = memo(function LastPrice({ pair }: OfPair) {
  const last = useTickerPart(pair.symbol, (ticker) => ticker?.last);
  const direction = useTickerPart(pair.symbol, (ticker) => ticker?.direction);
  return <Price value={last} digits={pair.priceDigits} direction={direction} />;
});

/** The change of the last 24 hours. */
export const DayChange = memo(function DayChange({
  pair,
  arrow,
}: OfPair & { readonly arrow?: boolean | undefined }) {
  const change = useTickerPart(pair.symbol, (ticker) => ticker?.change);
  return <Change value={change} arrow={arrow} />;
});

/** The highest or the lowest price of the last 24 hours. */
export const DayPrice = memo(function DayPrice({ pair, of }: OfPair & { readonly of: 'high' | 'low' }) {
  const price = useTickerPart(pair.symbol, (ticker) => ticker?.[of]);
  return <Price value={price} digits={pair.priceDigits} />;
});

/** What was traded in the last 24 hours, in the base coin or, as turnover, in the quote coin. */
export const DayAmount = memo(function DayAmount({
  pair,
  of,
}: OfPair & { readonly of: 'volume' | 'turnover' }) {
  const amount = useTickerPart(pair.symbol, (ticker) => ticker?.[of]);
  return <Compact value={amount} />;
});

/** The index price. */
export const IndexPrice = memo(function IndexPrice({ pair }: OfPair) {
  return <Price value={useIndexPrice(pair.symbol)} digits={pair.priceDigits} />;
});
