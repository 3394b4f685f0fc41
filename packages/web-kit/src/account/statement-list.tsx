import { ListEnd } from '../api/list-state.tsx';
import { signOf } from '../format/format.ts';
import { Amount, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import css from './statement.module.css';
import { useCauseNames, useStatement, type StatementFilter, type StatementRow } from './statement.ts';

interface StatementListProps {
  readonly filter: StatementFilter;
  /** Layout of the list: `table` for wide screens, `cards` for phones. */
  readonly look: 'table' | 'cards';
}

/** Lists the user's ledger entries, each with its cause and the balance after it. */
export function StatementList({ filter, look }: StatementListProps) {
  const t = useWords('statement');
  const statement = useStatement(filter);
  return (
    <ListBody
      isLoading={statement.isLoading}
      error={statement.error}
      onRetry={() => void statement.reload()}
      isEmpty={statement.rows.length === 0}
      empty={t('none')}
      skeletonRows={8}
    >
      {look === 'table' ? <Table rows={statement.rows} /> : <Cards rows={statement.rows} />}
      <ListEnd list={statement} />
    </ListBody>
  );
}

interface RowsProps {
  readonly rows: readonly StatementRow[];
}

function Table({ rows }: RowsProps) {
  const t = useWords('statement');
  const columns: readonly Column<StatementRow>[] = [
    { key: 'time', title: t('time'), cell: ({ createTime }) => <When at={createTime} look="dated" /> },
    { key: 'cause', title: t('cause'), cell: (row) => <Cause row={row} /> },
    { key: 'coin', title: t('coin'), cell: ({ currency }) => currency },
    { key: 'change', title: t('change'), align: 'end', cell: (row) => <SignedAmount row={row} /> },
    { key: 'balance', title: t('balance'), align: 'end', cell: (row) => <Balance row={row} /> },
  ];
  return <DataTable caption={t('title')} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

function Cards({ rows }: RowsProps) {
  return (
    <ul className={css.cards}>
      {rows.map((row) => (
        <li key={row.id}>
          <span>
            <Cause row={row} />
          </span>
          <SignedAmount row={row} hasCoin />
          <When className={css.quiet} at={row.createTime} look="dated" />
          <span className={css.quiet}>
            <Balance row={row} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Shows the cause of a ledger entry. For a row that sums up entries of a month it also shows their number. */
function Cause({ row: { kind, entries } }: { readonly row: StatementRow }) {
  const t = useWords('statement');
  const causeOf = useCauseNames();
  return (
    <>
      {causeOf(kind)}
      {entries === 1 ? null : <span className={css.quiet}> · {t('sumOf', { count: entries })}</span>}
    </>
  );
}

/** Shows the amount of a ledger entry with its sign. */
function SignedAmount({ row, hasCoin = false }: { readonly row: StatementRow; readonly hasCoin?: boolean }) {
  const { amount, currency } = row;
  const isIn = signOf(amount) > 0;
  return (
    <span className={css.moved} data-in={isIn || undefined}>
      <Amount value={amount} signed coin={hasCoin ? currency : undefined} />
    </span>
  );
}

function Balance({ row }: { readonly row: StatementRow }) {
  const t = useWords('statement');
  return (
    <>
      <Amount value={row.balance} />
      {row.account === 'available' ? null : (
        <span className={css.quiet}> · {t(row.account === 'frozen' ? 'onHold' : 'inUse')}</span>
      )}
    </>
  );
}
