import { EventList, SingleEvent } from '@exchange/web-kit/account/event-list.tsx';
import { WHOLE_HISTORY, type HistoryView } from '@exchange/web-kit/account/history-query.ts';
import { HistoryChoices } from '@exchange/web-kit/account/history-choices.tsx';
import { StatementList } from '@exchange/web-kit/account/statement-list.tsx';
import type { StatementFilter } from '@exchange/web-kit/account/statement.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { historyFilterOf, INITIAL_HISTORY, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { holdingPath } from '@exchange/web-kit/paths.ts';
import { useState } from 'react';
import { ExportButton } from '../orders/export-button.tsx';
import { FilterBar } from '../orders/filter-bar.tsx';
import screen from '../style/screen.module.css';
import classes from './trades.module.css';

interface StatementPanelProps {
  readonly view: HistoryView;
  readonly onView: (view: HistoryView) => void;
  /**
   * Account to which the ledger entries are restricted. Without an account, the ledger lists the entries of all the
   * user's balances that are not locked in products, and the user can filter it by group of accounts.
   */
  readonly account?: StatementFilter['account'];
}

/**
 * History of the user's accounts, as events or as single ledger entries; the user can filter it by kind, coin and
 * period, and export it as a file.
 */
export function StatementPanel({ view, onView, account }: StatementPanelProps) {
  const t = useWords('statement');
  const [form, setForm] = useState<HistoryForm>(INITIAL_HISTORY);
  const [coin, setCoin] = useState('');
  const { startTime, endTime } = historyFilterOf(form);
  const { group, event, isLedger } = view;
  const currency = coin === '' ? undefined : coin;
  const reset = (): void => {
    setForm(INITIAL_HISTORY);
    setCoin('');
    onView({ ...view, event: undefined, group: 'all' });
  };
  if (view.entry !== undefined)
    return (
      <div className={screen.scroll} role="region" aria-label={t('title')} tabIndex={0}>
        <SingleEvent
          entry={view.entry}
          look="table"
          holdingPath={holdingPath}
          onAll={() => onView(WHOLE_HISTORY)}
        />
      </div>
    );
  return (
    <>
      <div className={classes.filters}>
        <FilterBar
          form={form}
          onChange={setForm}
          hasOrderFields={false}
          first={
            <HistoryChoices
              view={view}
              onView={onView}
              coin={coin}
              onCoin={setCoin}
              account={account}
              classes={{ view: classes.view, select: classes.coin }}
            />
          }
        >
          <ExportButton kind={isLedger ? 'movements' : 'events'} form={form} coin={currency} />
        </FilterBar>
      </div>
      <div className={screen.scroll} role="region" aria-label={t('title')} tabIndex={0}>
        {isLedger ? (
          <StatementList
            filter={{
              group: account === undefined ? group : undefined,
              account,
              currency,
              startTime,
              endTime,
            }}
            look="table"
          />
        ) : (
          <EventList
            filter={{ event, currency, startTime, endTime }}
            look="table"
            holdingPath={holdingPath}
            reset={
              <Button look="secondary" onClick={reset}>
                {t('resetFilters')}
              </Button>
            }
          />
        )}
      </div>
    </>
  );
}
