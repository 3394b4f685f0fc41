import { CANDLE_SECONDS, type CandleTimer } from '@exchange/core/candle.ts';
import type { CandleMessage, DealMessage } from '@exchange/wire/feed.ts';
import { serverNow } from '../clock.ts';
import { feed, feedState } from '../feed/feed.ts';
import { onRefresh } from '../refresh.ts';
import { chartSource } from './aggregated-candles.ts';
import { loadCandles, type Candle } from './queries.ts';

/** Maximum number of missed candles that are loaded; if more were missed, the chart is reloaded instead. */
const MOST_MISSED = 500;

/**
 * Calls `listener` with the current candle of a pair whenever that candle changes, in order and without gaps: after an
 * interruption of the feed, the missed candles are loaded and passed on before newer ones. If more than `MOST_MISSED`
 * were missed, `onLost` is called instead. While the feed is down, candles are loaded at every refresh interval.
 * Returns a function that ends the calls.
 */
export function followCandle(
  symbol: string,
  timer: CandleTimer,
  listener: (candle: Candle) => void,
  onLost: () => void = () => undefined,
): () => void {
  const seconds = CANDLE_SECONDS[timer];
  let isStopped = false;
  let lastId: number | undefined;
  /**
   * Undefined if no candle has been missed. While missed candles must be loaded: the newest candle of the feed, which
   * is passed on after them, or null if the feed has not sent any yet.
   */
  let waitingCandle: Candle | null | undefined;
  let isLoading = false;
  let current: Candle | undefined;
  let newestDeal: DealMessage | undefined;

  const emitCandle = (candle: Candle): void => {
    if (isStopped || candle.id < (lastId ?? 0)) return;
    lastId = candle.id;
    current = candle;
    listener(withDeal(candle, newestDeal, timer));
  };
  const loadMissed = async (): Promise<void> => {
    if (isLoading) return;
    const missed = lastId === undefined ? 1 : Math.floor((serverNow() / 1_000 - lastId) / seconds) + 1;
    if (missed > MOST_MISSED) {
      lastId = undefined;
      waitingCandle = undefined;
      onLost();
      return;
    }
    isLoading = true;
    try {
      // The number of missed candles plus one, because the next candle may open during the request.
      const candles = await loadCandles(symbol, timer, Math.max(1, missed) + 1);
      for (const candle of candles) emitCandle(candle);
      if (waitingCandle) emitCandle(waitingCandle);
      waitingCandle = undefined;
    } catch {
      // The request failed. It is repeated at the next refresh or feed message; newer candles are held back until it
      // succeeds.
    } finally {
      isLoading = false;
    }
  };
  const unsubscribe = feed.subscribe(`kline.${symbol}.${timer}`, ({ type, data }) => {
    const message = (Array.isArray(data) ? data.at(-1) : data) as CandleMessage | null | undefined;
    if (!message) return;
    const candle = candleOf(message);
    if (type === 'snapshot' && lastId !== undefined && candle.id > lastId) waitingCandle = null;
    if (waitingCandle === undefined) {
      emitCandle(candle);
      return;
    }
    waitingCandle = candle;
    void loadMissed();
  });
  const unsubscribeDeals = feed.subscribe(`trade.${symbol}`, ({ data }) => {
    newestDeal = (data as DealMessage[])[0] ?? newestDeal;
    if (current !== undefined && waitingCandle === undefined) listener(withDeal(current, newestDeal, timer));
  });
  const stopRefreshing = onRefresh(() => {
    if (feedState() !== 'live' || waitingCandle !== undefined) void loadMissed();
  });
  return () => {
    isStopped = true;
    unsubscribe();
    unsubscribeDeals();
    stopRefreshing();
  };
}

/**
 * Returns a candle whose close is the price of the newest trade, if that trade is within the candle's
 * interval, and whose high and low include this price; otherwise the unchanged candle. The rest of the page
 * shows this price as the last price.
 */
function withDeal(candle: Candle, deal: DealMessage | undefined, timer: CandleTimer): Candle {
  const opensMs = candle.id * 1_000;
  if (deal === undefined || deal.ts < opensMs || deal.ts >= opensMs + CANDLE_SECONDS[timer] * 1_000)
    return candle;
  const close = Number(deal.price);
  return { ...candle, close, high: Math.max(candle.high, close), low: Math.min(candle.low, close) };
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

/** Source of the candles of all charts: loads past candles and follows the current one. */
export const candleSource = chartSource({ load: loadCandles, follow: followCandle });
