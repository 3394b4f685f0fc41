import { ACCOUNT_TABS, accountTabOf, type AccountTab } from '@exchange/web-kit/account/account-tabs.ts';
import { AccountShares, type Account } from '@exchange/web-kit/account/account-shares.tsx';
import { CoinDonut } from '@exchange/web-kit/account/coin-donut.tsx';
import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { ValueCurve } from '@exchange/web-kit/account/value-curve.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { TransferForm } from '@exchange/web-kit/seconds/transfer-form.tsx';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { useId, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { accountPath, paths } from '../paths.ts';
import screen from '../style/screen.module.css';
import { AccountPanel } from './account-panel.tsx';
import classes from './assets.module.css';
import { FaucetCard } from './faucet-card.tsx';
import { TotalCard } from './total-card.tsx';

/** The coin that positions are staked in. */
const STAKED_COIN = 'USDT';
const ACCOUNT_PATHS: Readonly<Record<Account, string>> = {
  coin: accountPath('spot'),
  contract: accountPath('seconds'),
  finance: paths.finance.record,
  pool: paths.mining.record,
  fund: paths.fund.record,
  subscribe: paths.subscribe.record,
};

/** Everything one has: its worth and how that went, then account by account. */
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
      </header>
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
                link={(account, name) => <Link to={ACCOUNT_PATHS[account]}>{name}</Link>}
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
