import { useMemo } from 'react';
import { usePairs } from '../market/queries.ts';
import { symbolOfLink } from '../market/pair.ts';
import { useIndexPrice } from '../market/live.ts';
import { useSession } from '../session/session-store.ts';
import type { EntryMark } from './index-chart.tsx';
import { useIndexLine } from './index-line.ts';
import { digitsOf } from './positions.tsx';
import { useSecondsOrders, useSecondsTerms } from './queries.ts';
import { useTicket } from './use-seconds.ts';

const DEFAULT = { base: 'BTC', quote: 'USDT', symbol: 'btcusdt' };

/** What both screens show of the pair that their address names. */
export function useSecondsScreen(link: string | null) {
  const terms = useSecondsTerms();
  const pairs = usePairs().data;
  const offered = useMemo(
    () => (pairs ?? []).filter(({ symbol }) => terms.data?.symbols.includes(symbol) === true),
    [pairs, terms.data],
  );
  const wanted = symbolOfLink(link);
  const pair = offered.find(({ symbol }) => symbol === wanted) ?? offered[0] ?? DEFAULT;
  const control = useTicket(pair);
  const points = useIndexLine(pair.symbol);
  const index = useIndexPrice(pair.symbol);
  const orders = useSecondsOrders('open');
  const isSignedIn = useSession(({ session }) => session !== null);
  const marks: EntryMark[] = orders.rows.flatMap(({ id, symbol, buyPrice, tradeType }) =>
    symbol === pair.symbol && buyPrice !== undefined ? [{ id, price: buyPrice, isUp: tradeType === 1 }] : [],
  );
  const listed = offered.find(({ symbol }) => symbol === pair.symbol);
  const digits = listed === undefined ? digitsOf(index) : listed.priceDigits + 2;
  const isRegional = control?.limits?.allowed === 0;
  return {
    terms,
    offered,
    pair,
    control,
    points,
    index,
    marks,
    digits,
    isSignedIn,
    isRegional,
    openCount: orders.rows.length,
  };
}
