import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { FillList, HistoryList, OpenList } from '../trade/order-lists.tsx';

type Tab = 'open' | 'history' | 'fills';
const TABS: readonly Tab[] = ['open', 'history', 'fills'];
const EVERYTHING = {};

/** Orders and fills of every pair. */
export default function RecordsScreen() {
  const t = useWords('records');
  const orders = useWords('orders');
  const [query] = useSearchParams();
  const [tab, setTab] = useState<Tab>(() => TABS.find((known) => known === query.get('tab')) ?? 'history');
  return (
    <Screen title={t('title')} parent={paths.assets}>
      <Tabs<Tab>
        label={t('title')}
        value={tab}
        onChange={setTab}
        options={TABS.map((value) => ({ value, label: orders(value) }))}
      />
      {tab === 'open' ? <OpenList filter={EVERYTHING} /> : null}
      {tab === 'history' ? <HistoryList filter={EVERYTHING} /> : null}
      {tab === 'fills' ? <FillList filter={EVERYTHING} /> : null}
    </Screen>
  );
}
