import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { HistoryFilter, OrderFilter } from '@exchange/web-kit/spot/queries.ts';
import { FillsTable } from '../orders/fills-table.tsx';
import { HistoryTable } from '../orders/history-table.tsx';
import { OpenOrdersTable } from '../orders/open-orders-table.tsx';
import { useDigits } from '../orders/use-digits.ts';
import { PairBalances } from './pair-balances.tsx';

export type OrdersView = 'open' | 'history' | 'fills' | 'balances';
export type Ended = 'all' | 'finished' | 'cancelled';

interface OrdersBodyProps {
  readonly view: OrdersView;
  readonly pair: MarketPair;
  readonly filter: OrderFilter;
  readonly ended: Ended;
}

/** The chosen table of the orders panel. */
export function OrdersBody({ view, pair, filter, ended }: OrdersBodyProps) {
  const digitsOf = useDigits();
  if (view === 'open') return <OpenOrdersTable filter={filter} digitsOf={digitsOf} />;
  if (view === 'fills') return <FillsTable filter={filter} digitsOf={digitsOf} />;
  if (view === 'balances') return <PairBalances pair={pair} />;
  const past: HistoryFilter = ended === 'all' ? filter : { ...filter, status: ended };
  return <HistoryTable filter={past} digitsOf={digitsOf} />;
}
