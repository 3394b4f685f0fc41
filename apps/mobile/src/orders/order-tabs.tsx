import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import type { RecordsTab } from '../paths.ts';
import type { OpenEntries } from '@exchange/web-kit/spot/entries.ts';

interface OrderTabsProps {
  tab: RecordsTab;
  onChoose: (tab: RecordsTab) => void;
  /** How many are open and waiting. */
  entries: OpenEntries;
  className: string | undefined;
}

/** The lists of orders: those that live, with how many they are, and those that are over. */
export function OrderTabs({ tab, onChoose, entries, className }: OrderTabsProps) {
  const t = useWords('orders');
  const own = useWords('mobile-orders');
  return (
    <Tabs<RecordsTab>
      label={t('title')}
      className={className}
      value={tab}
      onChange={onChoose}
      options={[
        { value: 'open', label: own('open', { count: entries.open.length }) },
        { value: 'waiting', label: own('waiting', { count: entries.waiting.length }) },
        { value: 'history', label: own('history') },
        { value: 'fills', label: own('fills') },
      ]}
    />
  );
}
