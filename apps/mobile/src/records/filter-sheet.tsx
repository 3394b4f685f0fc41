import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { daysProblem, type HistoryForm, INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { SegmentedControl, Select } from '@exchange/web-kit/ui/choice.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { useState } from 'react';
import type { RecordsTab } from '../paths.ts';
import { PeriodFields } from './period-fields.tsx';
import { ORDER_TYPES } from './records-query.ts';
import css from './records.module.css';

interface FilterSheetProps {
  tab: RecordsTab;
  form: HistoryForm;
  onApply: (form: HistoryForm) => void;
  onClose: () => void;
}

/**
 * Sheet in which the user edits the filters of orders or fills; they take effect when the user presses the button to
 * apply or to reset them.
 */
export default function FilterSheet({ tab, form: appliedForm, onApply, onClose }: FilterSheetProps) {
  const t = useWords('mobile-orders');
  const orders = useWords('orders');
  const shell = useWords('shell');
  const [form, setForm] = useState(appliedForm);
  const change = (part: Partial<HistoryForm>) => setForm({ ...form, ...part });
  const apply = (nextForm: HistoryForm) => {
    onApply(nextForm);
    onClose();
  };
  return (
    <Sheet isOpen onClose={onClose} title={t('filters')} closeLabel={shell('close')}>
      <div className={css.filters}>
        <PairAndType form={form} onChange={change} />
        <SegmentedControl
          label={orders('side')}
          className={css.segments}
          value={form.side}
          onChange={(side) => change({ side })}
          options={[
            { value: '', label: orders('all') },
            { value: '1', label: t('cancelBuys') },
            { value: '2', label: t('cancelSells') },
          ]}
        />
        {tab === 'history' ? (
          <SegmentedControl
            label={orders('status')}
            className={css.segments}
            value={form.ended}
            onChange={(ended) => change({ ended })}
            options={[
              { value: 'all', label: orders('all') },
              { value: 'finished', label: orders('finished') },
              { value: 'cancelled', label: orders('cancelled') },
            ]}
          />
        ) : null}
        <PeriodFields days={form} onChange={change} />
        <div className={css.filterButtons}>
          <Button look="secondary" size="l" onClick={() => apply(INITIAL_HISTORY)}>
            {orders('reset')}
          </Button>
          <Button size="l" disabled={daysProblem(form) !== undefined} onClick={() => apply(form)}>
            {t('apply')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

interface PartProps {
  form: HistoryForm;
  onChange: (part: Partial<HistoryForm>) => void;
}

function PairAndType({ form, onChange }: PartProps) {
  const orders = useWords('orders');
  const trade = useWords('trade');
  const pairs = usePairs().data ?? [];
  const names = pairs.map(({ base, quote }) => `${base}/${quote}`);
  return (
    <div className={css.twice}>
      <Select
        label={orders('pair')}
        className={css.select}
        value={form.pair}
        onChange={(pair) => onChange({ pair })}
        options={[
          { value: '', label: orders('allPairs') },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
      />
      <Select<HistoryForm['type']>
        label={orders('type')}
        className={css.select}
        value={form.type}
        onChange={(type) => onChange({ type })}
        options={[
          { value: '', label: orders('allTypes') },
          ...ORDER_TYPES.map((type) => ({ value: type, label: trade(type) })),
        ]}
      />
    </div>
  );
}
