import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { ASSET_DIGITS } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useBalances } from '@exchange/web-kit/balance/balances.ts';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';

/** Both coins of the pair: available, in orders, and their worth. */
export function PairBalances({ pair }: { readonly pair: MarketPair }) {
  const tOrders = useWords('orders');
  const tAssets = useWords('assets');
  const balances = useBalances();
  const hidden = !useBalancesVisible((state) => state.isVisible);
  const all = balances.data?.list ?? [];
  const rows = [pair.base, pair.quote].flatMap((coin) => all.filter(({ currency }) => currency === coin));
  return (
    <ListBody
      isLoading={balances.isPending}
      error={balances.error}
      onRetry={() => void balances.refetch()}
      isEmpty={rows.length === 0}
      empty={tAssets('none')}
    >
      <DataTable
        dense
        caption={tOrders('balances')}
        rows={rows}
        rowKey={({ currency }) => currency}
        columns={[
          { key: 'coin', title: tAssets('coin'), cell: ({ currency }) => currency },
          {
            key: 'available',
            title: tAssets('available'),
            align: 'end',
            cell: ({ availableCurrency }) => (
              <Amount value={availableCurrency} digits={ASSET_DIGITS} hidden={hidden} />
            ),
          },
          {
            key: 'frozen',
            title: tAssets('frozen'),
            align: 'end',
            cell: ({ frozenCurrency }) => (
              <Amount value={frozenCurrency} digits={ASSET_DIGITS} hidden={hidden} />
            ),
          },
          {
            key: 'worth',
            title: tAssets('value'),
            align: 'end',
            cell: ({ total }) => <Amount value={total} digits={2} hidden={hidden} />,
          },
        ]}
      />
    </ListBody>
  );
}
