import { AccountShares } from '@exchange/web-kit/account/account-shares.tsx';
import { holdingsPath } from '@exchange/web-kit/account/accounts.ts';
import { DebtsNote } from '@exchange/web-kit/account/debts-note.tsx';
import {
  ACCOUNT_TABS,
  accountPath,
  type AccountTab,
  accountTabOf,
} from '@exchange/web-kit/account/account-tabs.ts';
import { CoinDonut } from '@exchange/web-kit/account/coin-donut.tsx';
import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useOverview } from '@exchange/web-kit/account/queries.ts';
import { useFaucet } from '@exchange/web-kit/account/use-faucet.ts';
import { TodaysChange, ValueCurve } from '@exchange/web-kit/account/value-curve.tsx';
import type { Read } from '@exchange/web-kit/api/query-client.ts';
import { useBalances } from '@exchange/web-kit/balance/balances.ts';
import { formatTime } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { LoadFailed } from '@exchange/web-kit/list/load-failed.tsx';
import { TransferForm } from '@exchange/web-kit/seconds/transfer-form.tsx';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { useIsDemo, useIsModeKnown } from '@exchange/web-kit/server/server-info.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { ArrowDownToLine, ArrowLeftRight, ArrowUpFromLine, ReceiptText, Repeat } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { PullToRefresh } from '../shell/pull-to-refresh.tsx';
import { SupportButton } from '../shell/support-button.tsx';
import { TabBar } from '../shell/screen.tsx';
import { AccountPanel } from './account-panel.tsx';
import css from './assets.module.css';

const SubAccountLine = lazyPart(
  'sub-account line',
  () => import('@exchange/web-kit/user/sub-account-line.tsx'),
  { whenMissing: 'nothing' },
);

/** The coin of the balance that users stake in seconds contracts. */
const STAKED_COIN = 'USDT';

/**
 * The portfolio screen: the total worth of the user's assets, actions such as deposit and withdrawal, and in tabs an
 * overview and the coins of each account.
 */
export default function AssetsScreen() {
  const t = useWords('assets');
  const tShell = useWords('shell');
  const panelId = useId();
  const navigate = useNavigate();
  const tab = accountTabOf(useParams()['account']);
  const balances = useBalances();
  const overview = useOverview();
  const isDemo = useIsDemo();
  const isModeKnown = useIsModeKnown();
  const [isTransferring, setTransferring] = useState(false);
  const transfer = () => setTransferring(true);
  const close = () => setTransferring(false);
  return (
    <PullToRefresh onRefresh={() => Promise.all([balances.refetch(), overview.refetch()])}>
      <TabBar title={t('title')} end={<SupportButton />} />
      <main className={css.page}>
        <Total overview={overview} />
        <Actions onTransfer={transfer} />
        <DebtsNote />
        <div className={css.inOrder} data-in-order>
          {isModeKnown ? null : <div aria-busy="true" />}
          {isDemo ? (
            <div className={css.claim}>
              <p>{t('claimText')}</p>
              <ClaimButton />
            </div>
          ) : null}
          <Tabs<AccountTab>
            label={t('accounts')}
            className={css.tabs}
            value={tab}
            onChange={(next) => void navigate(accountPath(next), { replace: true, preventScrollReset: true })}
            panelId={panelId}
            options={ACCOUNT_TABS.map((value) => ({ value, label: t(`tab_${value}`) }))}
          />
          <div id={panelId} role="tabpanel" aria-label={t(`tab_${tab}`)}>
            {tab === 'overview' ? (
              <Overview />
            ) : (
              <AccountPanel key={tab} account={tab} onTransfer={transfer} />
            )}
          </div>
        </div>
      </main>
      <Sheet isOpen={isTransferring} onClose={close} title={t('transferTitle')} closeLabel={tShell('close')}>
        <TransferForm coin={STAKED_COIN} onDone={close} />
      </Sheet>
    </PullToRefresh>
  );
}

/**
 * The history of the total worth of the user's assets, and the shares of the coins and accounts in that
 * worth.
 */
function Overview() {
  const t = useWords('assets');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  return (
    <>
      <section className={css.card}>
        <ValueCurve hidden={!isVisible} />
        <ButtonLink look="secondary" wide to={paths.taxReport}>
          {t('taxReport')}
        </ButtonLink>
      </section>
      <section className={css.card}>
        <h2>{t('share')}</h2>
        <CoinDonut hidden={!isVisible} />
      </section>
      <section className={css.card}>
        <h2>{t('accounts')}</h2>
        <AccountShares
          hidden={!isVisible}
          link={(account, name) => <Link to={holdingsPath(account)}>{name}</Link>}
        />
      </section>
    </>
  );
}

const LINKS = [
  { to: paths.deposit, word: 'deposit', Icon: ArrowDownToLine },
  { to: paths.withdraw, word: 'withdraw', Icon: ArrowUpFromLine },
  { to: paths.convert, word: 'convert', Icon: Repeat },
  { to: `${paths.records}?type=4`, word: 'records', Icon: ReceiptText },
] as const;

function Actions({ onTransfer }: { onTransfer: () => void }) {
  const t = useWords('assets');
  return (
    <nav className={css.actions} aria-label={t('action')}>
      {LINKS.map(({ to, word, Icon }) => (
        <Link key={to} to={to} className={css.action}>
          <span className={css.actionIcon}>
            <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
          </span>
          {t(word)}
        </Link>
      ))}
      <button type="button" className={css.action} onClick={onTransfer}>
        <span className={css.actionIcon}>
          <ArrowLeftRight size={20} strokeWidth={1.75} aria-hidden="true" />
        </span>
        {t('transfer')}
      </button>
    </nav>
  );
}

interface Worth {
  readonly total: string;
  readonly totalBtc: string;
}

/**
 * The total worth of the user's assets in USDT and BTC, and its change since the last UTC midnight; the user can hide
 * the amounts.
 */
export function Total({ overview }: { overview: Read<Worth> }) {
  const t = useWords('assets');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  return (
    <section className={css.total}>
      <h2 className={css.totalLabel}>
        {t('total')}
        <EyeButton className={css.eye} />
      </h2>
      {overview.error !== null ? (
        <LoadFailed error={overview.error} onRetry={() => void overview.refetch()} />
      ) : overview.data === undefined ? (
        <div className={css.totalAwaited}>
          <Skeleton width={200} height={32} />
        </div>
      ) : (
        <>
          <p className={css.totalValue}>
            <Amount value={overview.data.total} kind="worth" coin="USDT" hidden={!isVisible} />
          </p>
          <p className={css.totalBtc}>
            ≈ <Amount value={overview.data.totalBtc} kind="sum" coin="BTC" hidden={!isVisible} />
          </p>
          <p className={css.totalToday}>
            <TodaysChange hidden={!isVisible} />
          </p>
          <SubAccountLine hidden={!isVisible} />
        </>
      )}
    </section>
  );
}

/**
 * For demo mode: a button that credits demo funds, at most once in 24 hours, and the time from which the user
 * can claim them again.
 */
export function ClaimButton() {
  const t = useWords('assets');
  const locale = useLocale();
  const { claim, isBusy, nextClaimAt } = useFaucet();
  return (
    <div className={css.claimAct}>
      <Button size="s" busy={isBusy} disabled={nextClaimAt !== undefined} onClick={() => void claim()}>
        {t('claim')}
      </Button>
      {nextClaimAt === undefined ? null : (
        <small>{t('nextClaim', { time: formatTime(nextClaimAt, locale, 'minute') })}</small>
      )}
    </div>
  );
}
