import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { TickerMessage } from '@exchange/wire/feed.ts';

const STABLE_COIN = 'USDT';

/** The rolling 24 hours of one pair. */
export interface Ticker {
  readonly symbol: string;
  readonly last: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  /** In the base coin. */
  readonly volume: string;
  /** In the quote coin. */
  readonly turnover: string;
  /** Since 24 hours ago, as a fraction: `-0.0123` is −1.23 %. */
  readonly change: string;
  /** Hourly closes, oldest first. */
  readonly spark: readonly string[];
  /** The way of the last price change, for the flash. */
  readonly direction: 'up' | 'down' | 'none';
}

export type Tickers = ReadonlyMap<string, Ticker>;

/**
 * How figures of two pairs compare whose quote coins may differ: prices and turnovers by what they are worth in USDT at
 * the last price of the quote coin, changes as they are. What is unknown comes last in either direction.
 */
export function compareTickers(
  tickers: Tickers,
  field: 'last' | 'high' | 'low' | 'turnover' | 'change',
  sign: 1 | -1,
): (one: Pick<Pair, 'symbol' | 'quote'>, other: Pick<Pair, 'symbol' | 'quote'>) => number {
  const valueOf = ({ symbol, quote }: Pick<Pair, 'symbol' | 'quote'>): Decimal | undefined => {
    const text = tickers.get(symbol)?.[field];
    if (text === undefined) return undefined;
    if (field === 'change' || quote === STABLE_COIN) return Decimal.parse(text);
    const rate = tickers.get(`${quote}${STABLE_COIN}`.toLowerCase())?.last;
    return rate === undefined ? undefined : Decimal.parse(text).times(Decimal.parse(rate), 'down');
  };
  return (one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * a.compare(b);
  };
}

/** The tickers after some have arrived; a snapshot replaces them all. */
export function tickersAfter(
  before: Tickers,
  messages: readonly TickerMessage[],
  replaces: boolean,
): Tickers {
  const after = new Map(replaces ? [] : before);
  for (const message of messages) after.set(message.symbol, tickerAfter(before.get(message.symbol), message));
  return after;
}

/** One ticker after a message; what the message leaves out (the sparkline) is kept. */
export function tickerAfter(before: Ticker | undefined, message: TickerMessage): Ticker {
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
    spark: message.spark ?? before?.spark ?? [],
    direction: directionOf(before, last),
  };
}

/** The tickers with the price of a pair's newest deal, which arrives sooner than its ticker. */
export function withNewest(tickers: Tickers, symbol: string, price: string | undefined): Tickers {
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

function directionOf(before: Ticker | undefined, last: Decimal): Ticker['direction'] {
  if (before === undefined) return 'none';
  const step = last.compare(Decimal.parse(before.last));
  return step > 0 ? 'up' : step < 0 ? 'down' : before.direction;
}

function changeOf(open: Decimal, last: Decimal): string {
  return open.isPositive() ? last.minus(open).over(open, 'down', 6).toString() : '0';
}
