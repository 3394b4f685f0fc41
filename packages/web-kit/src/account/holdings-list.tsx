import type { ReactNode } from 'react';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount } from '../format/numbers.tsx';
import { useCoinNames } from '../balance/use-coin-names.ts';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { filterAssets, type AssetView } from './asset-list.ts';
import css from './holdings-list.module.css';
import { useAccountNames } from './accounts.ts';
import { useHoldings, type Holding } from './queries.ts';

interface HoldingsListProps {
  readonly listedAccount: 'seconds' | 'products';
  /** Layout of the list: `table` for wide screens, `cards` for phones. */
  readonly look: 'table' | 'cards';
  readonly view: AssetView;
  readonly hidden: boolean;
  readonly action: (holding: Holding) => ReactNode;
  /** A button or link that is shown if the user holds no coin in the listed accounts. */
  readonly fill: ReactNode;
}

/**
 * Lists the coins of the seconds account, or of all accounts other than the coin account and the seconds account, with
 * their amounts and values. `view` filters and sorts the coins. Only the table has a column for stakes of seconds
 * contracts.
 */
export function HoldingsList({ listedAccount, look, view, hidden, action, fill }: HoldingsListProps) {
  const t = useWords('assets');
  const nameOf = useAccountNames();
  const { data, isPending, error, refetch } = useHoldings();
  const holdings = (data ?? []).filter(({ account }) =>
    listedAccount === 'seconds' ? account === 'seconds' : account !== 'spot' && account !== 'seconds',
  );
  const rows = filterAssets(
    holdings.map((holding) => ({
      ...holding,
      availableCurrency: holding.available,
      frozenCurrency: holding.frozen,
    })),
    view,
    useCoinNames(view.search !== ''),
  );
  return (
    <ListBody
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      isEmpty={rows.length === 0}
      empty={
        holdings.length > 0
          ? t(view.search === '' ? 'onlySmall' : 'noMatch')
          : t(listedAccount === 'seconds' ? 'noneSeconds' : 'noneProducts')
      }
      action={holdings.length > 0 ? undefined : fill}
      skeletonRows={3}
    >
      {look === 'table' ? (
        <Table listedAccount={listedAccount} rows={rows} hidden={hidden} action={action} />
      ) : (
        <ul className={css.cards}>
          {rows.map((row) => (
            <li key={`${row.account} ${row.currency}`}>
              <CoinIcon coin={row.currency} size={36} />
              <span className={css.name}>
                <b>{row.currency}</b>
                <small>{listedAccount === 'seconds' ? row.currencyName : nameOf(row.account)}</small>
              </span>
              <span className={css.figures}>
                <Amount
                  value={listedAccount === 'seconds' ? row.available : row.frozen}
                  kind="sum"
                  figureCoin={row.currency}
                  hidden={hidden}
                />
                <small>
                  ≈ <Amount value={row.total} kind="worth" coin="USDT" hidden={hidden} />
                </small>
              </span>
              {action(row)}
            </li>
          ))}
        </ul>
      )}
    </ListBody>
  );
}

type TableProps = Pick<HoldingsListProps, 'listedAccount' | 'hidden' | 'action'> & {
  readonly rows: readonly Holding[];
};

function Table({ listedAccount, rows, hidden, action }: TableProps) {
  const t = useWords('assets');
  const nameOf = useAccountNames();
  const columns: Column<Holding>[] = [
    {
      key: 'coin',
      title: t('coin'),
      cell: ({ currency, currencyName }) => (
        <span className={css.coin}>
          <CoinIcon coin={currency} size={28} />
          <b>{currency}</b>
          <small>{currencyName}</small>
        </span>
      ),
    },
    listedAccount === 'seconds'
      ? {
          key: 'available',
          title: t('available'),
          align: 'end',
          cell: ({ available, currency }) => (
            <Amount value={available} kind="sum" figureCoin={currency} hidden={hidden} />
          ),
        }
      : { key: 'product', title: t('product'), cell: ({ account }) => nameOf(account) },
    {
      key: 'frozen',
      title: t(listedAccount === 'seconds' ? 'inUseSeconds' : 'amount'),
      align: 'end',
      cell: ({ frozen, currency }) => (
        <Amount value={frozen} kind="sum" figureCoin={currency} hidden={hidden} />
      ),
    },
    {
      key: 'value',
      title: t('value'),
      align: 'end',
      cell: ({ total }) => <Amount value={total} kind="worth" hidden={hidden} />,
    },
    { key: 'action', title: t('action'), align: 'end', width: 200, cell: action },
  ];
  return (
    <DataTable
      caption={t('accounts')}
      columns={columns}
      rows={rows}
      rowKey={({ account, currency }) => `${account} ${currency}`}
    />
  );
}
