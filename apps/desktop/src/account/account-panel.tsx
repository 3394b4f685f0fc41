import { assetsShown, INITIAL_ASSET_VIEW } from '@exchange/web-kit/account/asset-list.ts';
import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { HoldingsList } from '@exchange/web-kit/account/holdings-list.tsx';
import type { Holding } from '@exchange/web-kit/account/portfolio.ts';
import { useBalances } from '@exchange/web-kit/balance/balances.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { SearchBox } from '../search/search-box.tsx';
import { AssetTable } from './asset-table.tsx';
import classes from './assets.module.css';
import { StatementPanel } from './statement-panel.tsx';

const RECORDS: Readonly<Record<Exclude<Holding['account'], 'spot' | 'seconds'>, string>> = {
  finance: paths.finance.record,
  mining: paths.mining.record,
  fund: paths.fund.record,
  subscription: paths.subscribe.record,
};

interface AccountPanelProps {
  readonly account: 'spot' | 'seconds' | 'products';
  readonly onTransfer: () => void;
}

/** The coins of one account, and below them everything that moved on it. */
export function AccountPanel({ account, onTransfer }: AccountPanelProps) {
  const t = useWords('assets');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const [view, setView] = useState(INITIAL_ASSET_VIEW);
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
          of={account}
          look="table"
          view={view}
          hidden={!isVisible}
          action={(holding) => <Action holding={holding} onTransfer={onTransfer} />}
          fill={
            account === 'seconds' ? (
              <Button onClick={onTransfer}>{t('transfer')}</Button>
            ) : (
              <ButtonLink to={paths.finance.list}>{t('explore')}</ButtonLink>
            )
          }
        />
      )}
      <section className={classes.history}>
        <h2>{t('history')}</h2>
        <StatementPanel account={account} />
      </section>
    </>
  );
}

function SpotCoins({ view, hidden }: { readonly view: typeof INITIAL_ASSET_VIEW; readonly hidden: boolean }) {
  const t = useWords('assets');
  const isDemo = useIsDemo();
  const balances = useBalances();
  const shown = assetsShown(balances.data?.list ?? [], view);
  const none = view.hideSmall ? t('onlySmall') : t(isDemo ? 'noneDemo' : 'none');
  return (
    <ListBody
      isLoading={balances.isPending}
      error={balances.error}
      onRetry={() => void balances.refetch()}
      isEmpty={shown.length === 0}
      empty={view.search === '' ? none : t('noMatch')}
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

function Action({ holding: { account }, onTransfer }: ActionProps) {
  const t = useWords('assets');
  if (account !== 'seconds' && account !== 'spot') {
    return (
      <span className={classes.actions}>
        <Link to={RECORDS[account]}>{t('details')}</Link>
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
