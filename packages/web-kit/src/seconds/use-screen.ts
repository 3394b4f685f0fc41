import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { refetchActive } from '../api/query-client.ts';
import { serverNow } from '../clock.ts';
import { usePairs } from '../market/queries.ts';
import { symbolOfLink } from '../market/pair.ts';
import { useIndexPrice } from '../market/live.ts';
import { useSession } from '../session/session-store.ts';
import { useIndexLine } from './index-line.ts';
import { SPANS, type EntryMark, type Span } from './index-plot.ts';
import { SECONDS, useSecondsOrders, useSecondsTerms, type SecondsOrder } from './queries.ts';
import { useGeneratedPast } from './past-line.ts';
import { digitsOf } from './positions.tsx';
import { watchPositions } from './results.ts';
import { useTicket } from './use-seconds.ts';

const DEFAULT_SYMBOL = { base: 'BTC', quote: 'USDT', symbol: 'btcusdt' };

/**
 * State of the seconds contract's screen that is stored in the URL: the pair, and the position whose settlement record
 * is open.
 */
export function useSecondsAddress() {
  const [query, setQuery] = useSearchParams();
  const change = (name: 'symbol' | 'order', value: string | undefined) => {
    const parameters = new URLSearchParams(query);
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
    setQuery(parameters, { replace: true, preventScrollReset: true });
  };
  return { symbol: query.get('symbol'), order: query.get('order'), change };
}

/**
 * State of the seconds contract's screen for the pair that `link` names (the pair in the URL), or for the
 * first offered pair if `link` names no offered pair; for a default pair if no pair is offered, and while the
 * offered pairs are unknown.
 */
export function useSecondsScreen(link: string | null, isDemo: boolean) {
  const terms = useSecondsTerms();
  const pairs = usePairs().data;
  const offeredPairs = useMemo(
    () => (pairs ?? []).filter(({ symbol }) => terms.data?.symbols.includes(symbol) === true),
    [pairs, terms.data],
  );
  const linkedSymbol = symbolOfLink(link);
  const pair =
    offeredPairs.find(({ symbol }) => symbol === linkedSymbol) ?? offeredPairs[0] ?? DEFAULT_SYMBOL;
  const control = useTicket(pair);
  const [span, setSpan] = useState<Span>(SPANS[0]);
  const line = useIndexLine(pair.symbol, span);
  const past = useGeneratedPast({ symbol: pair.symbol, line, span, isDemo });
  const index = useIndexPrice(pair.symbol);
  const orders = useSecondsOrders('open');
  useEntryPrices(orders.rows);
  useEffect(() => watchPositions(orders.rows), [orders.rows]);
  const isSignedIn = useSession(({ session }) => session !== null);
  const marks = orders.rows
    .filter(({ symbol }) => symbol === pair.symbol)
    .flatMap(({ id, buyPrice: price, tradeType, entryTime: from, expireTime: until }): EntryMark[] =>
      price === undefined ? [] : [{ id, price, isUp: tradeType === 1, from, until }],
    );
  const listed = offeredPairs.find(({ symbol }) => symbol === pair.symbol);
  const digits = listed === undefined ? digitsOf(index) : listed.priceDigits + 2;
  const isRegional = control?.limits?.allowed === 0;
  return {
    terms,
    offered: offeredPairs,
    pair,
    control,
    points: line.points,
    past,
    span,
    setSpan,
    index,
    marks,
    digits,
    isSignedIn,
    isRegional,
    openCount: orders.rows.length,
  };
}

const RETRY_MS = 500;
const POINT_AFTER_MS = 300;
const RETRY_LIMIT_MS = 10_000;

/**
 * Refetches the open positions while an entry price is missing. Ends `RETRY_LIMIT_MS` after the latest entry without a
 * price, because a second without an index price never gets one later.
 */
function useEntryPrices(rows: readonly SecondsOrder[]): void {
  const entries = rows.filter(({ buyPrice }) => buyPrice === undefined).map(({ entryTime }) => entryTime);
  const lastEntry = entries.length === 0 ? undefined : Math.max(...entries);
  useEffect(() => {
    if (lastEntry === undefined) return undefined;
    const timer = setInterval(() => {
      const since = serverNow() - lastEntry;
      if (since > POINT_AFTER_MS && since < RETRY_LIMIT_MS)
        refetchActive(SECONDS.forCurrentUser('orders', 'open'));
    }, RETRY_MS);
    return () => clearInterval(timer);
  }, [lastEntry]);
}
