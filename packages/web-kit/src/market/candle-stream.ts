import type { CandleTimer } from '@exchange/core/candle.ts';
import type { CandleMessage } from '@exchange/wire/feed.ts';
import { feed, feedState } from '../feed/feed.ts';
import { onRefresh } from '../refresh.ts';
import { loadCandles, type Candle } from './queries.ts';

/**
 * Follows the current candle of a pair; gives the way to stop. While the feed is cut, the latest two are
 * asked for at every heartbeat (two, because the last one may have closed meanwhile).
 */
export function followCandle(
  symbol: string,
  timer: CandleTimer,
  listener: (candle: Candle) => void,
): () => void {
  const unlisten = feed.listen(`kline.${symbol}.${timer}`, ({ data }) => {
    const candle = (Array.isArray(data) ? data.at(-1) : data) as CandleMessage | null | undefined;
    if (candle) listener(candleOf(candle));
  });
  const unrefresh = onRefresh(() => {
    if (feedState() === 'live') return;
    // Reason for dropping the failure: the next heartbeat asks again.
    loadCandles(symbol, timer, 2).then(
      (candles) => candles.forEach(listener),
      () => undefined,
    );
  });
  return () => {
    unlisten();
    unrefresh();
  };
}

function candleOf(message: CandleMessage): Candle {
  return {
    id: message.id,
    open: Number(message.open),
    close: Number(message.close),
    high: Number(message.high),
    low: Number(message.low),
    vol: Number(message.vol),
    amount: Number(message.amount),
    isSeeded: false,
  };
}

/** Where charts get their candles from: history and the current one. */
export const candleSource = { load: loadCandles, follow: followCandle } as const;
