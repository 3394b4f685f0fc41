import { ShortCode } from '../form/copy-button.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { UNKNOWN, When } from '../format/numbers.tsx';
import { Remaining, useNow } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { Badge } from '../ui/parts.tsx';
import css from './address-book.module.css';
import type { AddressRow } from './queries.ts';

interface ListProps {
  readonly rows: readonly AddressRow[];
  readonly onRemove: (row: AddressRow) => void;
}

export function AddressTable({ rows, onRemove }: ListProps) {
  const t = useWords('transfer');
  const columns: readonly Column<AddressRow>[] = [
    { key: 'label', title: t('label'), cell: (row) => <Label row={row} /> },
    { key: 'coin', title: t('coin'), cell: (row) => <Coin row={row} /> },
    { key: 'network', title: t('network'), cell: ({ network }) => network },
    { key: 'address', title: t('address'), cell: (row) => <Address row={row} /> },
    { key: 'state', title: t('state'), cell: (row) => <State row={row} /> },
    { key: 'used', title: t('lastUsed'), cell: (row) => <LastUse row={row} /> },
    {
      key: 'action',
      title: <span className="visually-hidden">{t('remove')}</span>,
      align: 'end',
      cell: (row) => <Remove row={row} onRemove={onRemove} />,
    },
  ];
  return <DataTable caption={t('addressTitle')} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

export function AddressCards({ rows, onRemove }: ListProps) {
  return rows.map((row) => (
    <article key={row.id} className={css.card}>
      <div className={css.cardHead}>
        <Label row={row} />
        <Remove row={row} onRemove={onRemove} />
      </div>
      <div className={css.cardHead}>
        <span className={css.coin}>
          <Coin row={row} />
          <small>{row.network}</small>
        </span>
        <State row={row} />
      </div>
      <Address row={row} />
    </article>
  ));
}

interface CellProps {
  readonly row: AddressRow;
}

function Label({ row }: CellProps) {
  const label = row.remark ?? row.currency;
  return (
    <b className={css.name} title={label}>
      {label}
    </b>
  );
}

function Coin({ row }: CellProps) {
  return (
    <span className={css.coin}>
      <CoinIcon coin={row.currency} size={20} />
      {row.currency}
    </span>
  );
}

function Address({ row }: CellProps) {
  const t = useWords('transfer');
  return (
    <span className={css.address}>
      <ShortCode text={row.address} copyLabel={t('copyAddress')} />
      {row.memo === undefined ? null : (
        <small>
          {t('memo')} {row.memo}
        </small>
      )}
    </span>
  );
}

/** Whether withdrawals to a stored address are allowed; during its waiting period, the remaining time. */
function State({ row }: CellProps) {
  const t = useWords('transfer');
  const now = useNow();
  if (row.activeTime <= now) return <Badge tone="good">{t('usable')}</Badge>;
  return (
    <Badge tone="warning">
      {t('activeIn')}&nbsp;
      <Remaining until={row.activeTime} />
    </Badge>
  );
}

function LastUse({ row }: CellProps) {
  return row.lastTime === undefined ? UNKNOWN : <When at={row.lastTime} look="date" />;
}

function Remove({ row, onRemove }: CellProps & Pick<ListProps, 'onRemove'>) {
  const t = useWords('transfer');
  return (
    <Button look="quiet" size="s" onClick={() => onRemove(row)}>
      {t('remove')}
    </Button>
  );
}
