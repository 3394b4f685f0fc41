import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { ASSET_DIGITS } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ProfitFigure } from '@exchange/web-kit/account/coin-profit.tsx';
import { useCoinProfits } from '@exchange/web-kit/account/portfolio.ts';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import type { SpotBalance } from '@exchange/web-kit/balance/balances.ts';
import { DataTable, type Column } from '@exchange/web-kit/ui/data-table.tsx';
import { Link } from 'react-router';
import { paths, tradePath } from '../paths.ts';
import classes from './assets.module.css';

const QUOTE = 'USDT';

interface AssetTableProps {
  readonly assets: readonly SpotBalance[];
  readonly hidden: boolean;
}

/** The coins with what is available, frozen and what all of it is worth, and where to go from each. */
export function AssetTable({ assets, hidden }: AssetTableProps) {
  const t = useWords('assets');
  const profits = useCoinProfits(assets);
  const digitsOfPair = useDigits();
  const digitsOf = (coin: string) => digitsOfPair(`${coin}${QUOTE}`.toLowerCase()).price;
  const columns: Column<SpotBalance>[] = [
    {
      key: 'coin',
      title: t('coin'),
      cell: ({ currency, currencyName }) => (
        <span className={classes.coin}>
          <CoinIcon coin={currency} size={28} />
          <b>{currency}</b>
          {currencyName !== currency && <small>{currencyName}</small>}
        </span>
      ),
    },
    {
      key: 'available',
      title: t('available'),
      align: 'end',
      cell: ({ availableCurrency }) => (
        <Amount value={availableCurrency} digits={ASSET_DIGITS} hidden={hidden} />
      ),
    },
    {
      key: 'frozen',
      title: t('frozen'),
      align: 'end',
      cell: ({ frozenCurrency }) => <Amount value={frozenCurrency} digits={ASSET_DIGITS} hidden={hidden} />,
    },
    {
      key: 'value',
      title: t('value'),
      align: 'end',
      cell: ({ total }) => <Amount value={total} digits={2} hidden={hidden} />,
    },
    {
      key: 'cost',
      title: <span title={t('averageCostHint')}>{t('averageCost')}</span>,
      align: 'end',
      cell: ({ currency }) => (
        <Amount
          value={profits.get(currency)?.average?.toString()}
          digits={digitsOf(currency)}
          hidden={hidden}
        />
      ),
    },
    {
      key: 'profit',
      title: <span title={t('averageCostHint')}>{t('profit')}</span>,
      align: 'end',
      cell: ({ currency }) => <ProfitFigure of={profits.get(currency)} hidden={hidden} />,
    },
    {
      key: 'action',
      title: t('action'),
      align: 'end',
      width: 240,
      cell: ({ currency }) => <Actions coin={currency} />,
    },
  ];
  return (
    <DataTable caption={t('title')} columns={columns} rows={assets} rowKey={({ currency }) => currency} />
  );
}

function Actions({ coin }: { readonly coin: string }) {
  const t = useWords('assets');
  const about = (label: string): string => `${label} ${coin}`;
  const base = coin === QUOTE ? 'BTC' : coin;
  return (
    <span className={classes.actions}>
      <Link to={`${paths.account.deposit}?coin=${coin}`} aria-label={about(t('deposit'))}>
        {t('deposit')}
      </Link>
      <Link to={`${paths.account.withdraw}?coin=${coin}`} aria-label={about(t('withdraw'))}>
        {t('withdraw')}
      </Link>
      <Link to={`${paths.account.convert}?from=${coin}`} aria-label={about(t('convert'))}>
        {t('convert')}
      </Link>
      <Link to={tradePath({ base, quote: QUOTE })} aria-label={about(t('trade'))}>
        {t('trade')}
      </Link>
    </span>
  );
}
