import { filterAssets, INITIAL_ASSET_VIEW } from '@exchange/web-kit/account/asset-list.ts';
import { holdingsPath } from '@exchange/web-kit/account/accounts.ts';
import { ProfitFigure, ProfitTitle } from '@exchange/web-kit/account/coin-profit.tsx';
import { eventOfGroup } from '@exchange/web-kit/account/events.ts';
import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { WHOLE_HISTORY, type HistoryView } from '@exchange/web-kit/account/history-query.ts';
import { HoldingsList } from '@exchange/web-kit/account/holdings-list.tsx';
import { useCoinProfits, useValuedBalances } from '@exchange/web-kit/account/portfolio.ts';
import type { Holding } from '@exchange/web-kit/account/queries.ts';
import type { SpotBalance } from '@exchange/web-kit/balance/balances.ts';
import { useCoinNames } from '@exchange/web-kit/balance/use-coin-names.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { type Column, DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { SearchBox } from '../search/search-box.tsx';
import classes from './assets.module.css';
import { StatementPanel } from './statement-panel.tsx';

interface AccountPanelProps {
  readonly account: 'spot' | 'seconds' | 'products';
  readonly onTransfer: () => void;
}

/** The coins in one account of the user, and below them the account's history. */
export function AccountPanel({ account, onTransfer }: AccountPanelProps) {
  const t = useWords('assets');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const [view, setView] = useState(INITIAL_ASSET_VIEW);
  // The history of the spot account starts without a filter, because nearly every account event involves the spot
  // account; other accounts start with their own kind of event.
  const [history, setHistory] = useState<HistoryView>({
    ...WHOLE_HISTORY,
    event: account === 'spot' ? undefined : eventOfGroup(account),
  });
  return (
    <>
      <header className={classes.head}>
        <SearchBox
          label={t('search')}
          value={view.search}
          onChange={(search) => setView({ ...view, search })}
        />
        <span title={t('hideSmallHint')}>
          <Checkbox
            label={t('hideSmall')}
            checked={view.hideSmall}
            onChange={(hideSmall) => setView({ ...view, hideSmall })}
          />
        </span>
      </header>
      {account === 'spot' ? (
        <SpotCoins view={view} hidden={!isVisible} />
      ) : (
        <HoldingsList
          listedAccount={account}
          look="table"
          view={view}
          hidden={!isVisible}
          action={(holding) => <HoldingAction holding={holding} onTransfer={onTransfer} />}
          fill={
            account === 'seconds' ? (
              <Button onClick={onTransfer}>{t('transfer')}</Button>
            ) : (
              <ButtonLink to={paths.finance}>{t('explore')}</ButtonLink>
            )
          }
        />
      )}
      <section className={classes.history}>
        <h2>{t('history')}</h2>
        <StatementPanel account={account} view={history} onView={setHistory} />
      </section>
    </>
  );
}

function SpotCoins({ view, hidden }: { readonly view: typeof INITIAL_ASSET_VIEW; readonly hidden: boolean }) {
  const t = useWords('assets');
  const isDemo = useIsDemo();
  const balances = useValuedBalances();
  const shown = filterAssets(balances.data ?? [], view, useCoinNames(view.search !== ''));
  const emptyText = view.hideSmall ? t('onlySmall') : t(isDemo ? 'noneDemo' : 'none');
  return (
    <ListBody
      isLoading={balances.isPending}
      error={balances.error}
      onRetry={() => void balances.refetch()}
      isEmpty={shown.length === 0}
      empty={view.search === '' ? emptyText : t('noMatch')}
      skeletonRows={8}
    >
      <AssetTable assets={shown} hidden={hidden} />
    </ListBody>
  );
}

interface ActionProps {
  readonly holding: Holding;
  readonly onTransfer: () => void;
}

function HoldingAction({ holding: { account }, onTransfer }: ActionProps) {
  const t = useWords('assets');
  if (account !== 'seconds' && account !== 'spot') {
    return (
      <span className={classes.actions}>
        <Link to={holdingsPath(account)}>{t('details')}</Link>
      </span>
    );
  }
  return (
    <span className={classes.actions}>
      <button type="button" onClick={onTransfer}>
        {t('transfer')}
      </button>
      <Link to={paths.seconds}>{t('trade')}</Link>
    </span>
  );
}

const QUOTE = 'USDT';

interface AssetTableProps {
  readonly assets: readonly SpotBalance[];
  readonly hidden: boolean;
}

/** Table of the coins with balances, worth, average cost and profit, and the actions of each coin. */
function AssetTable({ assets, hidden }: AssetTableProps) {
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
      cell: ({ availableCurrency, currency }) => (
        <Amount value={availableCurrency} kind="sum" figureCoin={currency} hidden={hidden} />
      ),
    },
    {
      key: 'frozen',
      title: t('frozen'),
      align: 'end',
      cell: ({ frozenCurrency, currency }) => (
        <Amount value={frozenCurrency} kind="sum" figureCoin={currency} hidden={hidden} />
      ),
    },
    {
      key: 'value',
      title: t('value'),
      align: 'end',
      cell: ({ total }) => <Amount value={total} kind="worth" hidden={hidden} />,
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
      title: <ProfitTitle text={t('profit')} />,
      align: 'end',
      cell: ({ currency }) => <ProfitFigure coinProfit={profits.get(currency)} hidden={hidden} />,
    },
    {
      key: 'action',
      title: t('action'),
      align: 'end',
      width: 240,
      cell: ({ currency }) => <CoinActions coin={currency} />,
    },
  ];
  return (
    <DataTable caption={t('title')} columns={columns} rows={assets} rowKey={({ currency }) => currency} />
  );
}

/**
 * Links for a coin, such as deposit, convert and trade. A coin without a USDT pair has no links to convert or trade it;
 * for USDT itself the trade link leads to BTC/USDT.
 */
function CoinActions({ coin }: { readonly coin: string }) {
  const t = useWords('assets');
  const pairs = usePairs().data;
  const labelled = (label: string): string => `${label} ${coin}`;
  const base = coin === QUOTE ? 'BTC' : coin;
  const isListed = pairs === undefined || pairs.some((pair) => pair.base === base && pair.quote === QUOTE);
  return (
    <span className={classes.actions}>
      <Link to={`${paths.deposit}?coin=${coin}`} aria-label={labelled(t('deposit'))}>
        {t('deposit')}
      </Link>
      <Link to={`${paths.withdraw}?coin=${coin}`} aria-label={labelled(t('withdraw'))}>
        {t('withdraw')}
      </Link>
      {isListed ? (
        <>
          <Link to={`${paths.convert}?from=${coin}`} aria-label={labelled(t('convert'))}>
            {t('convert')}
          </Link>
          <Link to={tradePath({ base, quote: QUOTE })} aria-label={labelled(t('trade'))}>
            {t('trade')}
          </Link>
        </>
      ) : (
        <small>{t('notListed')}</small>
      )}
    </span>
  );
}
