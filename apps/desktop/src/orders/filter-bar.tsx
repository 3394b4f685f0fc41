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

/**
 * The filter by order type has no choice OCO, because the two orders of an OCO are recorded as a limit order and a stop
 * order.
 */
const ORDER_TYPES = TICKET_KINDS.filter((kind) => kind !== 'oco');

interface FilterBarProps {
  readonly form: HistoryForm;
  readonly onChange: (form: HistoryForm) => void;
  /**
   * True adds an input for the pair; by default the filter has no such input, and the code that renders the filter
   * determines the pair.
   */
  readonly hasPair?: boolean;
  /** True adds the filter by outcome (filled or cancelled); by default the filter has none. */
  readonly hasOutcome?: boolean;
  /**
   * False hides the filters by pair, side, type and outcome, so that only the filter by period remains; true by
   * default.
   */
  readonly hasOrderFields?: boolean;
  readonly hasReset?: boolean;
  readonly first?: ReactNode;
  readonly children?: ReactNode;
}

/**
 * Inputs that filter records by period and, unless `hasOrderFields` is false, by the properties of orders, with a
 * button that resets the filters.
 */
export function FilterBar(props: FilterBarProps) {
  const { form, onChange, hasOrderFields = true, hasReset = true, first, children } = props;
  const tOrders = useWords('orders');
  const isNarrowed = Object.entries(form).some(
    ([field, value]) => value !== INITIAL_HISTORY[field as keyof HistoryForm],
  );
  // The filter contains the dates of the period but not its name. A reset of the filter therefore also remounts the
  // period picker, so that the picker forgets the selected name.
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

/** Inputs that filter orders, and fills by the properties of their orders. */
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

/** Menu that selects a predefined period, or two dates chosen by the user. */
function PeriodPicker({ form, onChange }: Pick<FilterBarProps, 'form' | 'onChange'>) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const [period, setPeriod] = useState<Period>(form.from === '' && form.to === '' ? 'all' : 'own');
  const choose = (nextPeriod: Period): void => {
    setPeriod(nextPeriod);
    onChange(withPeriod(form, nextPeriod, serverNow()));
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

/**
 * Inputs for the first and the last day. When the last day is before the first, both inputs are marked invalid, and the
 * list of records shows the error message.
 */
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
