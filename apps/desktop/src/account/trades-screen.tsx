import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Select, Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { useId, useState } from 'react';
import { FillsTable } from '../orders/fills-table.tsx';
import { HistoryTable } from '../orders/history-table.tsx';
import { OpenOrdersTable } from '../orders/open-orders-table.tsx';
import { useDigits } from '../orders/use-digits.ts';
import screen from '../style/screen.module.css';
import { INITIAL_RECORDS, orderFilterOf, type RecordsFilter } from './records-filter.ts';
import classes from './trades.module.css';

type View = 'open' | 'history' | 'fills';

/** Spot orders and trades of all pairs, narrowed by pair, side, outcome and days, ten at a time. */
export default function TradesScreen() {
  const t = useWords('records');
  const tOrders = useWords('orders');
  const panelId = useId();
  useTitle(t('title'));
  const [view, setView] = useState<View>('history');
  const [filter, setFilter] = useState(INITIAL_RECORDS);
  const digitsOf = useDigits();
  const sent = orderFilterOf(filter);

  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
      </header>
      <section className={classes.records}>
        <Tabs
          label={t('title')}
          value={view}
          onChange={setView}
          panelId={panelId}
          options={[
            { value: 'open', label: tOrders('open') },
            { value: 'history', label: tOrders('history') },
            { value: 'fills', label: tOrders('fills') },
          ]}
        />
        <Filters filter={filter} onChange={setFilter} hasOutcome={view === 'history'} />
        <div id={panelId} role="tabpanel" aria-label={tOrders(view)} className={screen.scroll} tabIndex={0}>
          {view === 'open' && <OpenOrdersTable filter={sent} digitsOf={digitsOf} />}
          {view === 'history' && (
            <HistoryTable
              filter={filter.ended === 'all' ? sent : { ...sent, status: filter.ended }}
              digitsOf={digitsOf}
              dense={false}
            />
          )}
          {view === 'fills' && <FillsTable filter={sent} digitsOf={digitsOf} dense={false} />}
        </div>
      </section>
    </div>
  );
}

interface FiltersProps {
  readonly filter: RecordsFilter;
  readonly onChange: (filter: RecordsFilter) => void;
  readonly hasOutcome: boolean;
}

function Filters({ filter, onChange, hasOutcome }: FiltersProps) {
  const t = useWords('records');
  const tOrders = useWords('orders');
  const tTrade = useWords('trade');
  const pairs = usePairs().data ?? [];
  const any = (name: string): string => `${name}: ${t('all')}`;
  return (
    <div className={classes.filters}>
      <Select
        label={tOrders('pair')}
        value={filter.pair}
        onChange={(pair) => onChange({ ...filter, pair })}
        options={[
          { value: '', label: any(tOrders('pair')) },
          ...pairs.map(({ base, quote }) => ({ value: `${base}/${quote}`, label: `${base}/${quote}` })),
        ]}
      />
      <Select
        label={tOrders('side')}
        value={filter.side}
        onChange={(side) => onChange({ ...filter, side })}
        options={[
          { value: '', label: any(tOrders('side')) },
          { value: '1', label: tTrade('buy') },
          { value: '2', label: tTrade('sell') },
        ]}
      />
      {hasOutcome && (
        <Select
          label={tOrders('status')}
          value={filter.ended}
          onChange={(ended) => onChange({ ...filter, ended })}
          options={[
            { value: 'all', label: any(tOrders('status')) },
            { value: 'finished', label: tOrders('finished') },
            { value: 'cancelled', label: tOrders('cancelled') },
          ]}
        />
      )}
      <label>
        {t('from')}
        <input
          type="date"
          value={filter.from}
          max={filter.to}
          onChange={(event) => onChange({ ...filter, from: event.target.value })}
        />
      </label>
      <label>
        {t('to')}
        <input
          type="date"
          value={filter.to}
          min={filter.from}
          onChange={(event) => onChange({ ...filter, to: event.target.value })}
        />
      </label>
      <Button look="quiet" size="s" onClick={() => onChange(INITIAL_RECORDS)}>
        {t('reset')}
      </Button>
    </div>
  );
}
