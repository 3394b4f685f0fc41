import { EVENT_FILTERS } from '@exchange/wire/portfolio.ts';
import { useBalances } from '../balance/balances.ts';
import { useWords } from '../i18n/words.ts';
import { SegmentedControl, Select } from '../ui/choice.tsx';
import { parseEventFilter, type EventFilterName } from './events.ts';
import { type HistoryView, WHOLE_HISTORY } from './history-query.ts';
import { STATEMENT_GROUPS, type StatementFilter, type StatementGroup } from './statement.ts';

interface HistoryChoicesProps {
  readonly view: HistoryView;
  readonly onView: (view: HistoryView) => void;
  readonly coin: string;
  readonly onCoin: (coin: string) => void;
  /**
   * If set, the ledger lists only entries of this account, and the menu with the groups of ledger entries is not shown.
   */
  readonly account?: StatementFilter['account'];
  readonly classes: {
    readonly view: string | undefined;
    readonly select: string | undefined;
  };
}

/**
 * The filters above the account history: events or ledger, the kind of event or the group of ledger entries, and the
 * coin. With `account`, the ledger has no filter by group. `classes` are CSS classes that fit the fields into the
 * surrounding layout.
 */
export function HistoryChoices({ view, onView, coin, onCoin, account, classes }: HistoryChoicesProps) {
  const { event, group, isLedger } = view;
  return (
    <>
      <ViewChoice
        className={classes.view}
        isLedger={isLedger}
        onChange={(next) => onView({ ...view, isLedger: next })}
      />
      {!isLedger ? (
        <EventChoice
          className={classes.select}
          event={event}
          onChange={(next) => onView({ ...WHOLE_HISTORY, event: next })}
        />
      ) : account === undefined ? (
        <GroupChoice
          className={classes.select}
          group={group}
          onChange={(next) => onView({ ...WHOLE_HISTORY, group: next, isLedger: true })}
        />
      ) : null}
      <CoinFilter className={classes.select} coin={coin} onChange={onCoin} />
    </>
  );
}

interface ViewChoiceProps {
  readonly isLedger: boolean;
  readonly onChange: (isLedger: boolean) => void;
  readonly className?: string | undefined;
}

/** Switches the account history between a list with one row per event and the list of all ledger entries. */
function ViewChoice({ isLedger, onChange, className }: ViewChoiceProps) {
  const t = useWords('statement');
  return (
    <SegmentedControl<'events' | 'ledger'>
      label={t('view')}
      className={className}
      value={isLedger ? 'ledger' : 'events'}
      onChange={(view) => onChange(view === 'ledger')}
      options={[
        { value: 'events', label: t('events') },
        { value: 'ledger', label: t('ledger') },
      ]}
    />
  );
}

interface EventChoiceProps {
  readonly event: EventFilterName | undefined;
  readonly onChange: (event: EventFilterName | undefined) => void;
  readonly className?: string | undefined;
}

/**
 * Select with the kinds of events, by which the account history is filtered: it shows only events of the
 * selected kind, or all events.
 */
function EventChoice({ event, onChange, className }: EventChoiceProps) {
  const t = useWords('statement');
  return (
    <Select<string>
      label={t('cause')}
      className={className}
      value={event ?? ''}
      onChange={(name) => onChange(parseEventFilter(name))}
      options={[
        { value: '', label: t('allEvents') },
        ...EVENT_FILTERS.map((value) => ({ value, label: t(`event_${value}`) })),
      ]}
    />
  );
}

interface GroupChoiceProps {
  readonly group: StatementGroup;
  readonly onChange: (group: StatementGroup) => void;
  readonly className?: string | undefined;
}

/**
 * Select with the groups of ledger entries, by which the ledger in the account history is filtered: it shows
 * only entries of the selected group.
 */
function GroupChoice({ group, onChange, className }: GroupChoiceProps) {
  const t = useWords('statement');
  return (
    <Select<StatementGroup>
      label={t('cause')}
      className={className}
      value={group}
      onChange={onChange}
      options={STATEMENT_GROUPS.map((value) => ({
        value,
        label: t(value === 'all' ? 'allEvents' : value),
      }))}
    />
  );
}

interface CoinFilterProps {
  readonly coin: string;
  readonly onChange: (coin: string) => void;
  readonly className?: string | undefined;
}

/**
 * Select with all coins, by which the account history is filtered: it shows the entries of the selected coin,
 * or of all coins.
 */
function CoinFilter({ coin, onChange, className }: CoinFilterProps) {
  const t = useWords('statement');
  const tAssets = useWords('assets');
  const coins = (useBalances().data?.list ?? []).map(({ currency }) => currency);
  return (
    <Select
      label={t('coin')}
      className={className}
      value={coin}
      onChange={onChange}
      options={[
        { value: '', label: tAssets('allCoins') },
        ...coins.map((value) => ({ value, label: value })),
      ]}
    />
  );
}
