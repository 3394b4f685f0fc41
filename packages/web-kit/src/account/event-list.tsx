import { useMemo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { ListEnd } from '../api/list-state.tsx';
import { signOf } from '../format/format.ts';
import { Amount, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { useEvents, viewOfEvent, type EventFilter, type EventRow } from './events.ts';
import { useAccountNames } from './accounts.ts';
import css from './statement.module.css';
import { useCauseNames } from './statement.ts';

interface EventListProps {
  readonly filter: EventFilter;
  /** Layout of the list: `table` for wide screens, `cards` for phones. */
  readonly look: 'table' | 'cards';
  /** A button that resets the filters. It is shown if the filters leave the list empty. */
  readonly reset?: ReactNode;
  /**
   * Returns the URL of an order of a fixed-term (`finance`) or mining product. An event about such an order is shown as
   * a link to this URL.
   */
  readonly holdingPath?: ((id: string, part: 'finance' | 'mining') => string) | undefined;
}

/** Lists the user's account events that match the filter, newest first, one row for each event. */
export function EventList({ filter, look, reset, holdingPath }: EventListProps) {
  const t = useWords('statement');
  const events = useEvents(filter);
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <ListBody
      look={look === 'cards' ? 'cards' : 'lines'}
      isLoading={events.isLoading}
      error={events.error}
      onRetry={() => void events.reload()}
      isEmpty={events.rows.length === 0}
      empty={t(isNarrowed ? 'noneMatch' : 'noEvents')}
      action={isNarrowed ? reset : undefined}
      skeletonRows={8}
    >
      {look === 'table' ? (
        <Table rows={events.rows} holdingPath={holdingPath} />
      ) : (
        <Cards rows={events.rows} holdingPath={holdingPath} />
      )}
      <ListEnd list={events} />
    </ListBody>
  );
}

interface SingleEventProps extends Pick<EventListProps, 'look' | 'holdingPath'> {
  /** Number of the ledger entry that the displayed event made. */
  readonly entry: string;
  /** Called when the user presses the button that shows the whole history. */
  readonly onAll: () => void;
}

/** Shows the event of one ledger entry, to which other screens link, with a button that shows the whole history. */
export function SingleEvent({ entry, look, holdingPath, onAll }: SingleEventProps) {
  const t = useWords('statement');
  const filter = useMemo(() => ({ entry }), [entry]);
  const all = (
    <Button look="secondary" onClick={onAll}>
      {t('showAll')}
    </Button>
  );
  return (
    <section className={css.single} aria-label={t('oneRecord', { number: entry })}>
      <div className={css.singleHead}>
        <h2>{t('oneRecord', { number: entry })}</h2>
        {all}
      </div>
      <EventList filter={filter} look={look} holdingPath={holdingPath} />
    </section>
  );
}

interface RowsProps {
  readonly rows: readonly EventRow[];
  readonly holdingPath: EventListProps['holdingPath'];
}

function Table({ rows, holdingPath }: RowsProps) {
  const t = useWords('statement');
  const columns: readonly Column<EventRow>[] = [
    { key: 'time', title: t('time'), cell: ({ createTime }) => <When at={createTime} look="dated" /> },
    {
      key: 'cause',
      title: t('cause'),
      cell: (row) => <EventName row={row} holdingPath={holdingPath} />,
    },
    {
      key: 'account',
      title: t('account'),
      cell: (row) => <Accounts row={row} />,
    },
    { key: 'fee', title: t('fee'), align: 'end', cell: ({ fees }) => <Fees fees={fees} /> },
    { key: 'change', title: t('change'), align: 'end', cell: ({ changes }) => <Changes changes={changes} /> },
  ];
  return <DataTable caption={t('title')} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

function Cards({ rows, holdingPath }: RowsProps) {
  const t = useWords('statement');
  return (
    <ul className={css.cards}>
      {rows.map((row) => (
        <li key={row.id}>
          <EventName row={row} holdingPath={holdingPath} />
          <Changes changes={row.changes} />
          <span className={css.quiet}>
            <When at={row.createTime} look="dated" /> <Accounts row={row} />
          </span>
          <span className={css.quiet}>
            {row.fees.length === 0 ? null : (
              <>
                {t('fee')} <Fees fees={row.fees} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface CauseProps {
  readonly row: EventRow;
  readonly holdingPath: EventListProps['holdingPath'];
}

/**
 * Shows the name of an account event. The name of an event about an order of a fixed-term or mining product
 * is a link to the order if `holdingPath` is given.
 */
function EventName({ row: { event, kind, refId }, holdingPath }: CauseProps) {
  const name = useCauseNames()(kind);
  const part = event === 'finance' || event === 'mining' ? event : undefined;
  if (part === undefined || refId === '' || holdingPath === undefined) return <span>{name}</span>;
  return (
    <Link to={holdingPath(refId, part)} data-touch>
      {name}
    </Link>
  );
}

/** Shows the credited and debited amounts of an account event on its main account, one line each. */
function Changes({ changes }: Pick<EventRow, 'changes'>) {
  return (
    <span className={css.changes}>
      {viewOfEvent(changes).main.map(({ currency, amount }) => (
        <span key={currency} className={css.moved} data-in={signOf(amount) > 0 || undefined}>
          <Amount value={amount} signed coin={currency} />
        </span>
      ))}
    </span>
  );
}

/**
 * Shows the accounts of an event. A transfer between two accounts: source → target. Any other event: the name of the
 * sub-account if the event belongs to one, the main account, and for each other account its name and its balance
 * changes.
 */
function Accounts({ row: { changes, subAccount } }: { readonly row: EventRow }) {
  const nameOf = useAccountNames();
  const { main, route, others } = viewOfEvent(changes);
  if (route !== undefined) return `${nameOf(route.from)} → ${nameOf(route.to)}`;
  return (
    <>
      {subAccount === '' ? null : `${subAccount} · `}
      {main[0] === undefined ? null : nameOf(main[0].account)}
      {others.map(({ account, currency, amount }) => (
        <span key={`${account} ${currency}`} className={css.other}>
          {nameOf(account)} <Amount value={amount} signed coin={currency} />
        </span>
      ))}
    </>
  );
}

function Fees({ fees }: Pick<EventRow, 'fees'>) {
  if (fees.length === 0) return '–';
  return fees.map(({ currency, amount }) => <Amount key={currency} value={amount} coin={currency} />);
}
