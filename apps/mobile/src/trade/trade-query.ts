import { linkOf } from '@exchange/web-kit/market/pair.ts';
import { RECORDS_TABS, type PairView, type RecordsTab } from '../paths.ts';

/**
 * State of the trading screen apart from the ticket's input. It is part of the URL, so that it is restored when the
 * user returns from the screen of an order.
 */
export interface TradeView {
  /** `chart` shows the pair's chart and `info` information about the pair; undefined shows the ticket. */
  readonly view: PairView | undefined;
  readonly tab: RecordsTab;
  /** True restricts the order lists below the ticket to the displayed pair; false lists the orders of all pairs. */
  readonly onlyThisPair: boolean;
}

/**
 * Parses the state of the trading screen from the URL parameters; a missing or invalid parameter yields the default.
 */
export function tradeViewOf(query: URLSearchParams): TradeView {
  return {
    view: (['chart', 'info'] as const).find((view) => view === query.get('view')),
    tab: RECORDS_TABS.find((tab) => tab === query.get('orders')) ?? 'open',
    onlyThisPair: query.get('pairs') !== 'all',
  };
}

/** Returns the URL parameters of the trading screen with another pair; all other parameters stay. */
export function withPair(query: URLSearchParams, pair: { readonly base: string; readonly quote: string }) {
  const parameters = new URLSearchParams(query);
  parameters.set('symbol', linkOf(pair));
  return parameters;
}

/**
 * Returns the URL parameters of the trading screen after a change of its state; default values have no
 * parameter, and the pair stays.
 */
export function withTradeView(query: URLSearchParams, change: Partial<TradeView>): URLSearchParams {
  const { view, tab, onlyThisPair } = { ...tradeViewOf(query), ...change };
  const values = { view: view ?? '', orders: tab === 'open' ? '' : tab, pairs: onlyThisPair ? '' : 'all' };
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  return parameters;
}
