import { CANDLE_SECONDS, type CandleTimer } from '@exchange/core/candle.ts';
import type { CandleMessage, DealMessage } from '@exchange/wire/feed.ts';
import { serverNow } from '../clock.ts';
import { feed, feedState } from '../feed/feed.ts';
import { onRefresh } from '../refresh.ts';
import { chartSource } from './coarse-candles.ts';
import { loadCandles, type Candle } from './queries.ts';

/** More than this are not put in one by one: the chart is then loaded anew. */
const MOST_MISSED = 500;

/**
 * Follows the current candle of a pair; gives the way to stop. Candles come in their order and without a hole: after a
 * gap in the feed those from the last known one on are asked for before anything newer is handed on, and `onLost` is
 * called where they are too many. While the feed is cut, they are asked for at every heartbeat.
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
  /** The newest candle that waits for those before it; null while none has come. */
  let held: Candle | null | undefined;
  let isAsking = false;
  let current: Candle | undefined;
  let newest: DealMessage | undefined;

  const hand = (candle: Candle): void => {
    if (isStopped || candle.id < (lastId ?? 0)) return;
    lastId = candle.id;
    current = candle;
    listener(withDeal(candle, newest, timer));
  };
  const catchUp = async (): Promise<void> => {
    if (isAsking) return;
    const missed = lastId === undefined ? 1 : Math.floor((serverNow() / 1_000 - lastId) / seconds) + 1;
    if (missed > MOST_MISSED) {
      lastId = undefined;
      held = undefined;
      onLost();
      return;
    }
    isAsking = true;
    try {
      // One more, because a candle may begin while this is on its way.
      const candles = await loadCandles(symbol, timer, Math.max(1, missed) + 1);
      for (const candle of candles) hand(candle);
      if (held) hand(held);
      held = undefined;
    } catch {
      // Reason: the server is away; the next heartbeat asks again, and what is newer waits.
    } finally {
      isAsking = false;
    }
  };
  const unsubscribe = feed.subscribe(`kline.${symbol}.${timer}`, ({ type, data }) => {
    const message = (Array.isArray(data) ? data.at(-1) : data) as CandleMessage | null | undefined;
    if (!message) return;
    const candle = candleOf(message);
    if (type === 'snapshot' && lastId !== undefined && candle.id > lastId) held = null;
    if (held === undefined) {
      hand(candle);
      return;
    }
    held = candle;
    void catchUp();
  });
  const unlistenDeals = feed.subscribe(`trade.${symbol}`, ({ data }) => {
    newest = (data as DealMessage[])[0] ?? newest;
    if (current !== undefined && held === undefined) listener(withDeal(current, newest, timer));
  });
  const unrefresh = onRefresh(() => {
    if (feedState() !== 'live' || held !== undefined) void catchUp();
  });
  return () => {
    isStopped = true;
    unsubscribe();
    unlistenDeals();
    unrefresh();
  };
}

/** A candle that ends at the newest deal, where that falls into it: the price that stands everywhere else on the page. */
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

/** Where charts get their candles from: history and the current one. */
export const candleSource = chartSource({ load: loadCandles, follow: followCandle });
