import { AccountShares, type Account } from '@exchange/web-kit/account/account-shares.tsx';
import {
  assetsShown,
  INITIAL_ASSET_VIEW,
  type AssetOrder,
  type AssetView,
} from '@exchange/web-kit/account/asset-list.ts';
import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useOverview } from '@exchange/web-kit/account/queries.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useBalances, type SpotBalance } from '@exchange/web-kit/balance/balances.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { ArrowDownToLine, ArrowUpFromLine, ReceiptText, Repeat, Wallet } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { PullToRefresh } from '../shell/pull-to-refresh.tsx';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { TabBar } from '../shell/top-bar.tsx';
import { AssetRow } from './asset-row.tsx';
import css from './assets.module.css';
import { ClaimButton } from './claim-button.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { Total } from './total.tsx';

/** What the person has: the total, the ways in and out, and every coin. */
export default function AssetsScreen() {
  const t = useWords('assets');
  const balances = useBalances();
  const overview = useOverview();
  const isDemo = useIsDemo();
  const refresh = () => Promise.all([balances.refetch(), overview.refetch()]);
  return (
    <PullToRefresh onRefresh={refresh}>
      <TabBar title={t('title')} />
      <main className={css.page}>
        <Total overview={overview} />
        <Actions />
        <Accounts />
        {isDemo ? (
          <div className={css.claim}>
            <p>{t('claimText')}</p>
            <ClaimButton />
          </div>
        ) : null}
        <ListBody
          look="cards"
          isLoading={balances.isPending}
          error={balances.error}
          onRetry={() => void refresh()}
        >
          <List balances={balances.data?.list ?? []} />
        </ListBody>
      </main>
    </PullToRefresh>
  );
}

const ACCOUNT_PATHS: Readonly<Record<Account, string>> = {
  coin: paths.trade,
  contract: paths.seconds,
  finance: paths.financeRecord,
  pool: paths.mining,
  subscribe: paths.subscribe,
};

/** What each account holds, with the way to it. */
function Accounts() {
  const isVisible = useBalancesVisible((state) => state.isVisible);
  return (
    <section className={css.accounts}>
      <AccountShares
        hidden={!isVisible}
        link={(account, name) => <Link to={ACCOUNT_PATHS[account]}>{name}</Link>}
      />
    </section>
  );
}

const ACTIONS = [
  { to: paths.deposit, word: 'deposit', Icon: ArrowDownToLine },
  { to: paths.withdraw, word: 'withdraw', Icon: ArrowUpFromLine },
  { to: paths.convert, word: 'convert', Icon: Repeat },
  { to: paths.records, word: 'records', Icon: ReceiptText },
] as const;

function Actions() {
  const t = useWords('assets');
  return (
    <nav className={css.actions} aria-label={t('action')}>
      {ACTIONS.map(({ to, word, Icon }) => (
        <Link key={to} to={to} className={css.action}>
          <span className={css.actionIcon}>
            <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
          </span>
          {t(word)}
        </Link>
      ))}
    </nav>
  );
}

function List({ balances }: { balances: readonly SpotBalance[] }) {
  const t = useWords('assets');
  const isDemo = useIsDemo();
  const { isVisible } = useBalancesVisible();
  const [view, setView] = useState<AssetView>(INITIAL_ASSET_VIEW);
  if (balances.length === 0) {
    return (
      <EmptyState
        icon={<Wallet size={22} />}
        text={t(isDemo ? 'noneDemo' : 'none')}
        action={isDemo ? undefined : <ButtonLink to={paths.deposit}>{t('deposit')}</ButtonLink>}
      />
    );
  }
  const shown = assetsShown(balances, view);
  return (
    <>
      <Tools view={view} onView={setView} />
      {shown.map((balance) => (
        <AssetRow key={balance.currency} balance={balance} isVisible={isVisible} />
      ))}
      {shown.length > 0 ? null : view.search === '' ? (
        <EmptyState
          text={t('onlySmall')}
          action={
            <Button look="secondary" size="s" onClick={() => setView({ ...view, hideSmall: false })}>
              {t('showSmall')}
            </Button>
          }
        />
      ) : (
        <EmptyState text={t('noMatch')} />
      )}
    </>
  );
}

function Tools({ view, onView }: { view: AssetView; onView: (view: AssetView) => void }) {
  const t = useWords('assets');
  return (
    <>
      <SearchBox label={t('search')} value={view.search} onChange={(search) => onView({ ...view, search })} />
      <div className={css.tools}>
        <Checkbox
          label={t('hideSmall')}
          checked={view.hideSmall}
          onChange={(hideSmall) => onView({ ...view, hideSmall })}
        />
        <Select<AssetOrder>
          label={t('sortBy')}
          value={view.order}
          onChange={(order) => onView({ ...view, order })}
          options={[
            { value: 'value', label: t('sortValue') },
            { value: 'available', label: t('sortAvailable') },
            { value: 'name', label: t('sortName') },
          ]}
        />
      </div>
    </>
  );
}
