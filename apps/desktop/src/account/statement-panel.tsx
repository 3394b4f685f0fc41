import { StatementList } from '@exchange/web-kit/account/statement-list.tsx';
import type { StatementFilter } from '@exchange/web-kit/account/statement.ts';
import { useBalances } from '@exchange/web-kit/balance/balances.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { historyFilterOf, INITIAL_HISTORY, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { useState } from 'react';
import { ExportButton } from '../orders/export-button.tsx';
import { FilterBar } from '../orders/filter-bar.tsx';
import screen from '../style/screen.module.css';
import classes from './trades.module.css';

/** What moved on an account, or by what: narrowed by coin and days, and as a file. */
export function StatementPanel({ group, account }: Pick<StatementFilter, 'group' | 'account'>) {
  const t = useWords('statement');
  const tAssets = useWords('assets');
  const [form, setForm] = useState<HistoryForm>(INITIAL_HISTORY);
  const [coin, setCoin] = useState('');
  const coins = (useBalances().data?.list ?? []).map(({ currency }) => currency);
  const { startTime, endTime } = historyFilterOf(form);
  const currency = coin === '' ? undefined : coin;
  return (
    <>
      <div className={classes.filters}>
        <FilterBar
          form={form}
          onChange={setForm}
          hasOrderFields={false}
          first={
            <Select
              label={t('coin')}
              className={classes.coin}
              value={coin}
              onChange={setCoin}
              options={[
                { value: '', label: tAssets('allCoins') },
                ...coins.map((value) => ({ value, label: value })),
              ]}
            />
          }
        >
          <ExportButton kind="movements" form={form} coin={currency} />
        </FilterBar>
      </div>
      <div className={screen.scroll} role="region" aria-label={t('title')} tabIndex={0}>
        <StatementList filter={{ group, account, currency, startTime, endTime }} look="table" />
      </div>
    </>
  );
}
