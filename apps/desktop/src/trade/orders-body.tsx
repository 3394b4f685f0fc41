import { type MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import { INITIAL_HISTORY, historyFilterOf, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import type { OrderFilter } from '@exchange/web-kit/spot/queries.ts';
import { useState } from 'react';
import { ExportButton } from '../orders/export-button.tsx';
import { FillsTable } from '../orders/fills-table.tsx';
import { FilterBar } from '../orders/filter-bar.tsx';
import { HistoryTable } from '../orders/history-table.tsx';
import { OpenOrdersTable } from '../orders/open-orders-table.tsx';
import { OrderDetailDialog } from '../orders/order-detail-dialog.tsx';
import { WaitingTable } from '../orders/waiting-table.tsx';
import classes from './orders-panel.module.css';
import { PairBalances } from './pair-balances.tsx';

export type OrdersView = 'open' | 'waiting' | 'history' | 'fills' | 'balances';

interface OrdersBodyProps {
  readonly view: OrdersView;
  readonly pair: MarketPair;
  /** Of this pair only, or of all. */
  readonly isNarrow: boolean;
}

/** The chosen table of the orders panel, and the details of the order that was clicked. */
export function OrdersBody({ view, pair, isNarrow }: OrdersBodyProps) {
  const digitsOf = useDigits();
  const [openId, setOpenId] = useState<string>();
  const filter: OrderFilter = isNarrow ? { baseCoin: pair.base, quoteCoin: pair.quote } : {};
  const shared = { digitsOf, onOpen: ({ id }: { readonly id: string }) => setOpenId(id) };
  return (
    <>
      {view === 'open' && <OpenOrdersTable filter={filter} {...shared} />}
      {view === 'waiting' && <WaitingTable filter={filter} {...shared} />}
      {(view === 'history' || view === 'fills') && (
        <PastRecords key={view} view={view} pair={isNarrow ? pair : undefined} onOpen={setOpenId} />
      )}
      {view === 'balances' && <PairBalances pair={pair} />}
      {openId !== undefined && <OrderDetailDialog id={openId} onClose={() => setOpenId(undefined)} />}
    </>
  );
}

interface PastRecordsProps {
  readonly view: 'history' | 'fills';
  readonly pair: MarketPair | undefined;
  readonly onOpen: (id: string) => void;
}

/** What is over, below its filters. */
function PastRecords({ view, pair, onOpen }: PastRecordsProps) {
  const digitsOf = useDigits();
  const [form, setForm] = useState<HistoryForm>(INITIAL_HISTORY);
  const named = pair === undefined ? form : { ...form, pair: `${pair.base}/${pair.quote}` };
  const filter = historyFilterOf(named);
  const isNarrowed = form !== INITIAL_HISTORY;
  return (
    <>
      <div className={classes.filters}>
        <FilterBar
          form={form}
          onChange={setForm}
          hasPair={pair === undefined}
          hasOutcome={view === 'history'}
        >
          <ExportButton kind={view === 'fills' ? 'fills' : 'orders'} form={named} />
        </FilterBar>
      </div>
      {view === 'history' ? (
        <HistoryTable
          filter={filter}
          isNarrowed={isNarrowed}
          digitsOf={digitsOf}
          onOpen={({ id }) => onOpen(id)}
        />
      ) : (
        <FillsTable filter={filter} isNarrowed={isNarrowed} digitsOf={digitsOf} onOpen={onOpen} />
      )}
    </>
  );
}
