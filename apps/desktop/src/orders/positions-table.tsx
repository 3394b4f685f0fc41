import { OpenProfit, ProfitTitle, Signed } from '@exchange/web-kit/account/coin-profit.tsx';
import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useCoinProfits, useValuedBalances } from '@exchange/web-kit/account/portfolio.ts';
import type { SpotBalance } from '@exchange/web-kit/balance/balances.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { type Column, DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { Decimal } from '@exchange/core/decimal.ts';
import { Link } from 'react-router';
import classes from './orders.module.css';

/** The coin in which costs and profits are counted; it is not listed as a position itself. */
const COST_COIN = 'USDT';

/**
 * The coins that the user holds in the spot account, except USDT, with their average cost, value and profits
 * net of fees.
 */
export function PositionsTable() {
  const t = useWords('orders');
  const balances = useValuedBalances();
  const rows = (balances.data ?? []).filter(isPosition);
  return (
    <ListBody
      isLoading={balances.isPending}
      error={balances.error}
      onRetry={() => void balances.refetch()}
      isEmpty={rows.length === 0}
      empty={t('positionsNone')}
    >
      <Table rows={rows} />
    </ListBody>
  );
}

function isPosition(balance: SpotBalance): boolean {
  return balance.currency !== COST_COIN && heldOf(balance).isPositive();
}

function heldOf({ availableCurrency, frozenCurrency }: SpotBalance): Decimal {
  return Decimal.parse(availableCurrency).plus(Decimal.parse(frozenCurrency));
}

function Table({ rows }: { readonly rows: readonly SpotBalance[] }) {
  const t = useWords('assets');
  const tOrders = useWords('orders');
  const profits = useCoinProfits(rows);
  const digitsOf = useDigits();
  const hidden = !useBalancesVisible((state) => state.isVisible);
  const columns: Column<SpotBalance>[] = [
    { key: 'coin', title: t('coin'), cell: ({ currency }) => <CoinLink coin={currency} /> },
    {
      key: 'amount',
      title: t('amount'),
      align: 'end',
      cell: (balance) => (
        <Amount value={heldOf(balance).toString()} kind="sum" figureCoin={balance.currency} hidden={hidden} />
      ),
    },
    {
      key: 'cost',
      title: <span title={t('averageCostHint')}>{t('averageCost')}</span>,
      align: 'end',
      cell: ({ currency }) => (
        <Amount
          value={profits.get(currency)?.average?.toString()}
          digits={digitsOf(`${currency}${COST_COIN}`.toLowerCase()).price}
          hidden={hidden}
        />
      ),
    },
    {
      key: 'value',
      title: t('value'),
      align: 'end',
      cell: ({ total }) => <Amount value={total} kind="worth" hidden={hidden} />,
    },
    {
      key: 'unrealized',
      title: <ProfitTitle text={t('unrealized')} />,
      align: 'end',
      cell: ({ currency }) => <OpenProfit open={profits.get(currency)?.open} hidden={hidden} />,
    },
    {
      key: 'realized',
      title: <span title={t('realizedHint')}>{t('realized')}</span>,
      align: 'end',
      cell: ({ currency }) => {
        const realized = profits.get(currency)?.realized;
        return realized === undefined || realized.isZero() ? (
          <Amount value={undefined} hidden={hidden} />
        ) : (
          <Signed value={realized.toString()} hidden={hidden} />
        );
      },
    },
  ];
  return (
    <DataTable
      dense
      caption={tOrders('positions')}
      columns={columns}
      rows={rows}
      rowKey={({ currency }) => currency}
    />
  );
}

/** The coin, as a link to its pair with `COST_COIN` if there is one. */
function CoinLink({ coin }: { readonly coin: string }) {
  const pair = usePairs().data?.find(({ base, quote }) => base === coin && quote === COST_COIN);
  if (pair === undefined) return <b>{coin}</b>;
  return (
    <Link className={classes.coin} to={tradePath(pair)}>
      {coin}
    </Link>
  );
}
