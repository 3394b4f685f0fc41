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
import { ValueCurve, TodaysChange } from '@exchange/web-kit/account/value-curve.tsx';
import { formatTime, formatPrice } from '@exchange/web-kit/format/format.ts';
import { Amount, HIDDEN_AMOUNT } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { TransferForm } from '@exchange/web-kit/seconds/transfer-form.tsx';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { Droplets } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import screen from '../style/screen.module.css';
import { AccountPanel } from './account-panel.tsx';
import classes from './assets.module.css';

const SubAccountLine = lazyPart(
  'sub-account line',
  () => import('@exchange/web-kit/user/sub-account-line.tsx'),
  { whenMissing: 'nothing' },
);

/** The coin of the balance that users stake in seconds contracts. */
const STAKED_COIN = 'USDT';

/**
 * The portfolio screen: the total worth of the user's assets with its history and its distribution among coins, and in
 * tabs the worth of each account and the coins of each account.
 */
export default function AssetsScreen() {
  const t = useWords('assets');
  const tShell = useWords('shell');
  const panelId = useId();
  useTitle(t('title'));
  const navigate = useNavigate();
  const tab = accountTabOf(useParams()['account']);
  const isDemo = useIsDemo();
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const [isTransferring, setTransferring] = useState(false);
  const close = () => setTransferring(false);
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
        <ButtonLink look="secondary" size="s" to={paths.taxReport}>
          {t('taxReport')}
        </ButtonLink>
      </header>
      <DebtsNote />
      <div className={classes.top}>
        <section className={classes.worth}>
          <TotalCard onTransfer={() => setTransferring(true)} />
          <ValueCurve hidden={!isVisible} />
        </section>
        <section className={classes.coins}>
          <h2>{t('share')}</h2>
          <CoinDonut hidden={!isVisible} />
          {isDemo && <FaucetCard />}
        </section>
      </div>
      <section className={classes.list}>
        <Tabs<AccountTab>
          label={t('accounts')}
          value={tab}
          onChange={(next) => void navigate(accountPath(next), { replace: true, preventScrollReset: true })}
          panelId={panelId}
          options={ACCOUNT_TABS.map((value) => ({ value, label: t(`tab_${value}`) }))}
        />
        <div id={panelId} role="tabpanel" aria-label={t(`tab_${tab}`)}>
          {tab === 'overview' ? (
            <div className={classes.accounts}>
              <AccountShares
                hidden={!isVisible}
                link={(account, name) => <Link to={holdingsPath(account)}>{name}</Link>}
              />
            </div>
          ) : (
            <AccountPanel key={tab} account={tab} onTransfer={() => setTransferring(true)} />
          )}
        </div>
      </section>
      <Dialog isOpen={isTransferring} onClose={close} title={t('transferTitle')} closeLabel={tShell('close')}>
        <TransferForm coin={STAKED_COIN} onDone={close} />
      </Dialog>
    </div>
  );
}

/**
 * Card with the total worth of the user's assets in USDT and BTC and its change since the last UTC midnight; the user
 * can hide the amounts. Links lead to deposits, withdrawals and conversions, and a button opens the transfer form.
 */
function TotalCard({ onTransfer }: { readonly onTransfer: () => void }) {
  const t = useWords('assets');
  const locale = useLocale();
  const overview = useOverview();
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const btc = overview.data === undefined ? '–' : formatPrice(overview.data.totalBtc, locale, 8);
  return (
    <div className={classes.total}>
      <div>
        <p className={classes.label}>
          {t('total')} ({t('inUsdt')})
          <EyeButton />
        </p>
        {overview.isPending ? (
          <Skeleton width={240} height={44} />
        ) : (
          <p className={classes.sum}>
            <Amount value={overview.data?.total} kind="worth" hidden={!isVisible} />
          </p>
        )}
        <p className={classes.approx}>
          {t('approxBtc', { amount: isVisible ? btc : HIDDEN_AMOUNT })}
          <TodaysChange hidden={!isVisible} />
        </p>
        <SubAccountLine hidden={!isVisible} />
      </div>
      <nav className={classes.ways} aria-label={t('action')}>
        <ButtonLink to={paths.deposit}>{t('deposit')}</ButtonLink>
        <ButtonLink look="secondary" to={paths.withdraw}>
          {t('withdraw')}
        </ButtonLink>
        <ButtonLink look="secondary" to={paths.convert}>
          {t('convert')}
        </ButtonLink>
        <Button look="secondary" onClick={onTransfer}>
          {t('transfer')}
        </Button>
      </nav>
    </div>
  );
}

/**
 * Card for demo mode: a button that credits demo funds, at most once in 24 hours, and the time from which the
 * user can claim them again.
 */
function FaucetCard() {
  const t = useWords('assets');
  const locale = useLocale();
  const { claim, isBusy, nextClaimAt } = useFaucet();
  return (
    <section className={classes.faucet}>
      <Droplets size={22} aria-hidden="true" />
      <div>
        <h2>{t('claim')}</h2>
        <p>
          {nextClaimAt === undefined
            ? t('claimText')
            : t('nextClaim', { time: formatTime(nextClaimAt, locale, 'minute') })}
        </p>
      </div>
      <Button busy={isBusy} disabled={nextClaimAt !== undefined} onClick={() => void claim()}>
        {t('claim')}
      </Button>
    </section>
  );
}
