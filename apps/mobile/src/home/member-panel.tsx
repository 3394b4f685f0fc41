import { useOverview } from '@exchange/web-kit/account/queries.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { OpenOrderLinks } from '@exchange/web-kit/spot/open-order-links.tsx';
import { useFills, useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { StartNote } from '@exchange/web-kit/start/guided-start.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { Link } from 'react-router';
import { orderPath, recordsPath } from '../paths.ts';
import css from './member-panel.module.css';

const ORDERS_SHOWN = 3;

/**
 * Panel of the home screen for signed-in users: a link to the first steps while the user still has to do some, and up
 * to three open orders. Empty if there are neither.
 */
export default function MemberPanel() {
  const t = useWords('home');
  const account = { overview: useOverview(), fills: useFills(), info: useUserInfo() };
  const open = useOpenOrders();
  const orders = open.data ?? [];
  // The page hides the content below this panel until the panel has loaded, so that loading does not move that content.
  const isLoading =
    account.fills.isLoading ||
    [open, account.overview, account.info].some(({ isPending, error }) => isPending && error === null);
  return (
    <div className={css.member} aria-busy={isLoading || undefined}>
      <StartNote account={account} to={paths.start} />
      {orders.length === 0 ? null : (
        <section>
          <header className={css.head}>
            <h2>{t('openOrdersCount', { count: orders.length })}</h2>
            <Link to={recordsPath('open')}>{t('allOrders')}</Link>
          </header>
          <OpenOrderLinks orders={orders.slice(0, ORDERS_SHOWN)} orderPath={orderPath} look="stacked" />
        </section>
      )}
    </div>
  );
}
