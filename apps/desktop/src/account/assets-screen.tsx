import { AccountShares, type Account } from '@exchange/web-kit/account/account-shares.tsx';
import { assetsShown, INITIAL_ASSET_VIEW } from '@exchange/web-kit/account/asset-list.ts';
import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { useBalances } from '@exchange/web-kit/balance/balances.ts';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { useState } from 'react';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { SearchBox } from '../search/search-box.tsx';
import screen from '../style/screen.module.css';
import { AssetTable } from './asset-table.tsx';
import classes from './assets.module.css';
import { FaucetCard } from './faucet-card.tsx';
import { TotalCard } from './total-card.tsx';

const ACCOUNT_PATHS: Readonly<Record<Account, string>> = {
  coin: paths.trade,
  contract: paths.seconds,
  finance: paths.finance.record,
  pool: paths.mining.record,
  subscribe: paths.subscribe.record,
};

/** Everything one has: the total, and the coins one by one. */
export default function AssetsScreen() {
  const t = useWords('assets');
  const tStatement = useWords('statement');
  useTitle(t('title'));
  const isDemo = useIsDemo();
  const balances = useBalances();
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const [view, setView] = useState(INITIAL_ASSET_VIEW);
  const shown = assetsShown(balances.data?.list ?? [], view);

  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
      </header>
      <div className={classes.top} data-demo={isDemo || undefined}>
        <TotalCard />
        {isDemo && <FaucetCard />}
      </div>
      <section className={classes.accounts}>
        <header>
          <h2>{t('accounts')}</h2>
          <Link to={paths.account.allTrades}>{tStatement('title')}</Link>
        </header>
        <AccountShares
          hidden={!isVisible}
          link={(account, name) => <Link to={ACCOUNT_PATHS[account]}>{name}</Link>}
        />
      </section>
      <section className={classes.list}>
        <header className={classes.head}>
          <h2>{t('spotAccount')}</h2>
          <div className={screen.tools}>
            <span title={t('hideSmallHint')}>
              <Checkbox
                label={t('hideSmall')}
                checked={view.hideSmall}
                onChange={(hideSmall) => setView({ ...view, hideSmall })}
              />
            </span>
            <SearchBox
              label={t('search')}
              value={view.search}
              onChange={(search) => setView({ ...view, search })}
            />
          </div>
        </header>
        <ListBody
          isLoading={balances.isPending}
          error={balances.error}
          onRetry={() => void balances.refetch()}
          isEmpty={shown.length === 0}
          empty={
            view.search !== ''
              ? t('noMatch')
              : view.hideSmall
                ? t('onlySmall')
                : t(isDemo ? 'noneDemo' : 'none')
          }
          skeletonRows={8}
        >
          <AssetTable assets={shown} hidden={!isVisible} />
        </ListBody>
      </section>
    </div>
  );
}
