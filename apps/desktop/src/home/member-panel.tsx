import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useOverview } from '@exchange/web-kit/account/queries.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { LoadFailed } from '@exchange/web-kit/list/load-failed.tsx';
import { OpenOrderLinks } from '@exchange/web-kit/spot/open-order-links.tsx';
import { useFills, useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { StartNote } from '@exchange/web-kit/start/guided-start.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { Link } from 'react-router';
import { orderPath } from '../paths.ts';
import classes from './member-panel.module.css';

const ORDERS_SHOWN = 3;

/**
 * The overview of a signed-in user's account on the home page, shown in place of the introduction: balance, first steps
 * that are still to do, and open orders.
 */
export default function MemberPanel() {
  const t = useWords('home');
  const tShell = useWords('shell');
  const overview = useOverview();
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const account = { overview, fills: useFills(), info: useUserInfo() };
  return (
    <div className={classes.member}>
      <div>
        <h1 className={classes.label}>
          {t('welcome')} <EyeButton className={classes.eye} />
        </h1>
        {overview.error === null ? (
          <p className={classes.total}>
            {overview.data === undefined ? (
              <Skeleton width={220} height={40} />
            ) : (
              <Amount value={overview.data.total} kind="worth" coin="USDT" hidden={!isVisible} />
            )}
          </p>
        ) : (
          <LoadFailed error={overview.error} onRetry={() => void overview.refetch()} />
        )}
      </div>
      <div className={classes.actions}>
        <ButtonLink to={paths.trade}>{t('start')}</ButtonLink>
        <ButtonLink to={paths.deposit} look="secondary">
          {t('deposit')}
        </ButtonLink>
        <ButtonLink to={paths.assets} look="secondary">
          {tShell('navAssets')}
        </ButtonLink>
      </div>
      <StartNote account={account} to={paths.start} />
      <OpenOrders />
    </div>
  );
}

function OpenOrders() {
  const t = useWords('home');
  const orders = useOpenOrders();
  const openOrders = orders.data ?? [];
  return (
    <section>
      <header className={classes.head}>
        <h2>
          {openOrders.length === 0 ? t('openOrders') : t('openOrdersCount', { count: openOrders.length })}
        </h2>
        <Link to={paths.records}>{t('allOrders')}</Link>
      </header>
      <ListBody
        isLoading={orders.isPending}
        error={orders.error}
        onRetry={() => void orders.refetch()}
        skeletonRows={2}
      >
        {openOrders.length === 0 ? <p className={classes.none}>{t('noOpenOrders')}</p> : null}
        <OpenOrderLinks orders={openOrders.slice(0, ORDERS_SHOWN)} orderPath={orderPath} look="line" />
      </ListBody>
    </section>
  );
}
