import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { TickerMessage } from '@exchange/wire/feed.ts';

const STABLE_COIN = 'USDT';

/** 24-hour statistics of one pair. */
export interface Ticker {
  readonly symbol: string;
  readonly last: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  /** Volume of the last 24 hours, in the base coin. */
  readonly volume: string;
  readonly turnover: string;
  readonly change: string;
  /**
   * Hourly closing prices of the last 24 hours, oldest first, from the last message that contained them. The last entry
   * is the last price at the time of that message, because the current hour is not complete.
   */
  readonly spark: readonly string[];
  /** Direction of the last price change that the page has received; `none` before the first one. */
  readonly direction: 'up' | 'down' | 'none';
}

export type Tickers = ReadonlyMap<string, Ticker>;

/**
 * Comparator of pairs by a field of their tickers; `sign` 1 sorts ascending, -1 descending. Prices and turnovers are
 * compared by their USDT value at the quote coin's last price, changes directly. Unknown values are last in both
 * directions.
 */
export function compareTickers(
  tickers: Tickers,
  field: 'last' | 'high' | 'low' | 'turnover' | 'change',
  sign: 1 | -1,
): (left: Pick<Pair, 'symbol' | 'quote'>, right: Pick<Pair, 'symbol' | 'quote'>) => number {
  const valueOf = ({ symbol, quote }: Pick<Pair, 'symbol' | 'quote'>): Decimal | undefined => {
    const text = tickers.get(symbol)?.[field];
    if (text === undefined) return undefined;
    if (field === 'change' || quote === STABLE_COIN) return Decimal.parse(text);
    const rate = tickers.get(`${quote}${STABLE_COIN}`.toLowerCase())?.last;
    return rate === undefined ? undefined : Decimal.parse(text).times(Decimal.parse(rate), 'down');
  };
  return (left, right) => {
    const [leftValue, rightValue] = [valueOf(left), valueOf(right)];
    if (leftValue === undefined || rightValue === undefined)
      return Number(leftValue === undefined) - Number(rightValue === undefined);
    return sign * leftValue.compare(rightValue);
  };
}

/**
 * Returns the tickers after the given feed messages; with `replaces`, as for a snapshot, tickers without a
 * message are discarded.
 */
export function tickersAfter(
  previous: Tickers,
  messages: readonly TickerMessage[],
  replaces: boolean,
): Tickers {
  const next = new Map(replaces ? [] : previous);
  for (const message of messages)
    next.set(message.symbol, tickerAfter(previous.get(message.symbol), message));
  return next;
}

/** Returns a ticker after a feed message; a message without a sparkline does not change the sparkline. */
export function tickerAfter(previous: Ticker | undefined, message: TickerMessage): Ticker {
  const last = Decimal.parse(message.close);
  return {
    symbol: message.symbol,
    last: message.close,
    open: message.open,
    high: message.high,
    low: message.low,
    volume: message.vol,
    turnover: message.amount,
    change: changeOf(Decimal.parse(message.open), last),
    spark: message.spark ?? previous?.spark ?? [],
    direction: directionOf(previous, last),
  };
}

/**
 * Returns the tickers with the price of a pair's newest trade, which the feed delivers before the new ticker;
 * the same map if there is nothing to change.
 */
export function withNewestPrice(tickers: Tickers, symbol: string, price: string | undefined): Tickers {
  const ticker = tickers.get(symbol);
  if (ticker === undefined || price === undefined || price === ticker.last) return tickers;
  const last = Decimal.parse(price);
  return new Map(tickers).set(symbol, {
    ...ticker,
    last: price,
    change: changeOf(Decimal.parse(ticker.open), last),
    direction: directionOf(ticker, last),
  });
}

function directionOf(previous: Ticker | undefined, last: Decimal): Ticker['direction'] {
  if (previous === undefined) return 'none';
  const comparison = last.compare(Decimal.parse(previous.last));
  return comparison > 0 ? 'up' : comparison < 0 ? 'down' : previous.direction;
}

function changeOf(open: Decimal, last: Decimal): string {
  return open.isPositive() ? last.minus(open).over(open, 'down', 6).toString() : '0';
}
