import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { notify } from '@exchange/web-kit/shell/notify.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { useCancelAllOrders } from '@exchange/web-kit/spot/actions.ts';
import { useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { FillList, HistoryList, OpenList } from './order-lists.tsx';
import css from './orders.module.css';

type Tab = 'open' | 'history' | 'fills';

/** The person's orders below the ticket: open, past, fills. */
export function OrdersPanel({ pair }: { pair: MarketPair }) {
  const t = useWords('orders');
  const isSignedIn = useSession(({ session }) => session !== null);
  const [tab, setTab] = useState<Tab>('open');
  const [onlyThis, setOnlyThis] = useState(true);
  const filter = onlyThis ? { baseCoin: pair.base, quoteCoin: pair.quote } : {};
  const openCount = useOpenOrders(filter).data?.length ?? 0;
  return (
    <section className={css.panel} aria-label={t('title')}>
      <Tabs<Tab>
        label={t('title')}
        value={tab}
        onChange={setTab}
        options={[
          { value: 'open', label: t('openCount', { count: openCount }) },
          { value: 'history', label: t('history') },
          { value: 'fills', label: t('fills') },
        ]}
      />
      {isSignedIn ? (
        <>
          <div className={css.tools}>
            <Checkbox label={t('hideOthers')} checked={onlyThis} onChange={setOnlyThis} />
            {tab === 'open' && openCount > 0 ? <CancelAll filter={filter} /> : null}
          </div>
          {tab === 'open' ? <OpenList filter={filter} /> : null}
          {tab === 'history' ? <HistoryList filter={filter} /> : null}
          {tab === 'fills' ? <FillList filter={filter} /> : null}
        </>
      ) : (
        <LoginToSee />
      )}
    </section>
  );
}

function LoginToSee() {
  const t = useWords('orders');
  const shell = useWords('shell');
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      text={t('loginToSee')}
      action={
        <ButtonLink to={loginPathFor(pathname + search)} size="s" look="secondary">
          {shell('login')}
        </ButtonLink>
      }
    />
  );
}

function CancelAll({ filter }: { filter: { baseCoin?: string; quoteCoin?: string } }) {
  const t = useWords('orders');
  const cancelAll = useCancelAllOrders();
  const cancel = async () => {
    try {
      const { count } = await cancelAll.mutateAsync(filter);
      notify.success(t('allCancelled', { count }));
    } catch (error) {
      // Reason: refused or not come through; the list shows what is still open.
      notify.failure(error);
    }
  };
  return (
    <Button look="quiet" size="s" busy={cancelAll.isPending} onClick={() => void cancel()}>
      {t('cancelAll')}
    </Button>
  );
}
