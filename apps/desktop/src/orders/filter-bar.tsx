import { serverNow } from '@exchange/web-kit/clock.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { daysProblem, type HistoryForm, INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import { TICKET_KINDS } from '@exchange/web-kit/spot/order-kinds.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { type ReactNode, useState } from 'react';
import classes from './filter-bar.module.css';
import { type Period, PERIODS, withPeriod } from './period.ts';

/** An OCO is recorded as the two orders it is. */
const ORDER_TYPES = TICKET_KINDS.filter((kind) => kind !== 'oco');

interface FilterBarProps {
  readonly form: HistoryForm;
  readonly onChange: (form: HistoryForm) => void;
  /** Without it, the pair is decided elsewhere. */
  readonly hasPair?: boolean;
  /** Whether the list has orders that ended in different ways. */
  readonly hasOutcome?: boolean;
  /** Without them only the period is left to choose. */
  readonly hasOrderFields?: boolean;
  readonly hasReset?: boolean;
  /** Stands before the rest. */
  readonly first?: ReactNode;
  /** Stands at the end, such as the export. */
  readonly children?: ReactNode;
}

/** Narrows records by pair, side, type, outcome and days. */
export function FilterBar(props: FilterBarProps) {
  const { form, onChange, hasOrderFields = true, hasReset = true, first, children } = props;
  const tOrders = useWords('orders');
  const isNarrowed = Object.entries(form).some(
    ([field, value]) => value !== INITIAL_HISTORY[field as keyof HistoryForm],
  );
  // The period's name is not part of the filter, so clearing has to bring it back too.
  const [clearings, setClearings] = useState(0);
  return (
    <div className={classes.bar}>
      {first}
      {hasOrderFields && <OrderFields {...props} />}
      <PeriodPicker key={clearings} form={form} onChange={onChange} />
      {hasReset && isNarrowed && (
        <Button
          look="quiet"
          size="s"
          onClick={() => {
            setClearings(clearings + 1);
            onChange(INITIAL_HISTORY);
          }}
        >
          {tOrders('reset')}
        </Button>
      )}
      {children !== undefined && <div className={classes.end}>{children}</div>}
    </div>
  );
}

/** What narrows orders, and fills by their orders. */
function OrderFields({ form, onChange, hasPair = false, hasOutcome = false }: FilterBarProps) {
  const tOrders = useWords('orders');
  const tTrade = useWords('trade');
  const tDesk = useWords('desktop-orders');
  return (
    <>
      {hasPair && <PairSelect value={form.pair} onChange={(pair) => onChange({ ...form, pair })} />}
      <Select
        label={tOrders('side')}
        className={classes.select}
        value={form.side}
        onChange={(side) => onChange({ ...form, side })}
        options={[
          { value: '', label: tOrders('allSides') },
          { value: '1', label: tTrade('buy') },
          { value: '2', label: tTrade('sell') },
        ]}
      />
      <Select
        label={tOrders('type')}
        className={classes.select}
        value={form.type}
        onChange={(type) => onChange({ ...form, type })}
        options={[
          { value: '', label: tOrders('allTypes') },
          ...ORDER_TYPES.map((type) => ({ value: type, label: tTrade(type) })),
        ]}
      />
      {hasOutcome && (
        <Select
          label={tOrders('status')}
          className={classes.select}
          value={form.ended}
          onChange={(ended) => onChange({ ...form, ended })}
          options={[
            { value: 'all', label: tDesk('allOutcomes') },
            { value: 'finished', label: tOrders('finished') },
            { value: 'cancelled', label: tOrders('cancelled') },
          ]}
        />
      )}
    </>
  );
}

interface PairSelectProps {
  readonly value: string;
  readonly onChange: (pair: string) => void;
}

function PairSelect({ value, onChange }: PairSelectProps) {
  const tOrders = useWords('orders');
  const names = (usePairs().data ?? []).map(({ base, quote }) => `${base}/${quote}`);
  return (
    <Select
      label={tOrders('pair')}
      className={classes.select}
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: tOrders('allPairs') },
        ...names.map((name) => ({ value: name, label: name })),
      ]}
    />
  );
}

/** The usual periods by name; days of one's own with two dates. */
function PeriodPicker({ form, onChange }: Pick<FilterBarProps, 'form' | 'onChange'>) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const [period, setPeriod] = useState<Period>(form.from === '' && form.to === '' ? 'all' : 'own');
  const choose = (chosen: Period): void => {
    setPeriod(chosen);
    onChange(withPeriod(form, chosen, serverNow()));
  };
  return (
    <>
      <Select
        label={tOrders('period')}
        className={classes.select}
        value={period}
        onChange={choose}
        options={PERIODS.map((value) => ({ value, label: tDesk(`period.${value}`) }))}
      />
      {period === 'own' && <Days form={form} onChange={onChange} />}
    </>
  );
}

/** Two dates. Where the last lies before the first, both say so; the list below says it in words. */
function Days({ form, onChange }: Pick<FilterBarProps, 'form' | 'onChange'>) {
  const tOrders = useWords('orders');
  const isBackwards = daysProblem(form) !== undefined;
  const day = (end: 'from' | 'to') => (
    <input
      type="date"
      className={classes.day}
      aria-label={tOrders(end)}
      aria-invalid={isBackwards}
      value={form[end]}
      min={end === 'to' ? form.from : undefined}
      max={end === 'from' ? form.to : undefined}
      onChange={(event) => onChange({ ...form, [end]: event.target.value })}
    />
  );
  return (
    <span className={classes.days}>
      {day('from')}
      <span aria-hidden="true">–</span>
      {day('to')}
    </span>
  );
}
