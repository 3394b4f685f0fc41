import { linkOf } from '@exchange/web-kit/market/pair.ts';
import { RECORDS_TABS, type PairView, type RecordsTab } from '../paths.ts';

/** What the trading screen shows besides the ticket. It stands in the address, so that coming back from an order finds it as it was left. */
export interface TradeView {
  /** Chart or information; undefined: the ticket. */
  readonly view: PairView | undefined;
  /** Which of the lists of orders. */
  readonly tab: RecordsTab;
  /** Whether that list holds the orders of this pair only. */
  readonly onlyThis: boolean;
}

/** Reads an address; what it does not say, or says wrongly, is as usual. */
export function tradeViewOf(query: URLSearchParams): TradeView {
  return {
    view: (['chart', 'info'] as const).find((view) => view === query.get('view')),
    tab: RECORDS_TABS.find((tab) => tab === query.get('orders')) ?? 'open',
    onlyThis: query.get('pairs') !== 'all',
  };
}

/** The same view of another pair. */
export function withPair(query: URLSearchParams, pair: { readonly base: string; readonly quote: string }) {
  const next = new URLSearchParams(query);
  next.set('symbol', linkOf(pair));
  return next;
}

/** Writes a change into an address; what is as usual does not stand in it, and the pair stays. */
export function withTradeView(query: URLSearchParams, change: Partial<TradeView>): URLSearchParams {
  const { view, tab, onlyThis } = { ...tradeViewOf(query), ...change };
  const said = { view: view ?? '', orders: tab === 'open' ? '' : tab, pairs: onlyThis ? '' : 'all' };
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(said)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
