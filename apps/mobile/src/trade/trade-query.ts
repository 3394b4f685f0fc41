import { linkOf } from '@exchange/web-kit/market/pair.ts';
import { RECORDS_TABS, type PairView, type RecordsTab } from '../paths.ts';

/**
 * State of the trading screen besides the ticket. It is part of the URL, so that it is restored when the user
 * returns from an order.
 */
export interface TradeView {
  /** The chart or the pair's information; undefined shows the ticket. */
  readonly view: PairView | undefined;
  readonly tab: RecordsTab;
  /** True restricts the list to orders of the displayed pair. */
  readonly onlyThisPair: boolean;
}

/** Parses the URL; missing and invalid parameters use the defaults. */
export function tradeViewOf(query: URLSearchParams): TradeView {
  return {
    view: (['chart', 'info'] as const).find((view) => view === query.get('view')),
    tab: RECORDS_TABS.find((tab) => tab === query.get('orders')) ?? 'open',
    onlyThisPair: query.get('pairs') !== 'all',
  };
}

/** Query parameters that keep the view of the trading screen and select another pair. */
export function withPair(query: URLSearchParams, pair: { readonly base: string; readonly quote: string }) {
  const parameters = new URLSearchParams(query);
  parameters.set('symbol', linkOf(pair));
  return parameters;
}

/**
 * Query parameters of the trading screen after a change of its state; default values are left out, and the
 * pair stays.
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
