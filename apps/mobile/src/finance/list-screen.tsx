import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useBalances } from '@exchange/web-kit/balance/balances.ts';
import { useEarnWords, useEarnPaths } from '@exchange/web-kit/finance/earn.ts';
import { FinanceFigures } from '@exchange/web-kit/finance/finance-head.tsx';
import { ProductCard } from '@exchange/web-kit/finance/product-card.tsx';
import {
  choicesIn,
  EVERY_PRODUCT,
  hasFilter,
  filterProducts,
  type ProductView,
  queryOf,
  viewOf,
} from '@exchange/web-kit/finance/product-view.ts';
import { useProducts } from '@exchange/web-kit/finance/queries.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { PullToRefresh } from '../shell/pull-to-refresh.tsx';
import { Screen } from '../shell/screen.tsx';
import shellCss from '../shell/shell.module.css';
import css from './finance.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const PurchaseSheet = lazyPart('purchase-sheet', () => import('./purchase-sheet.tsx'), {
  whenMissing: 'dialog',
});

/**
 * Screen with a card for each product of the kind that `EarnContext` provides (fixed-term or mining), the
 * user's key figures, and the purchase sheet.
 */
export default function FinanceListScreen() {
  const t = useEarnWords();
  const isSignedIn = useSession(({ session }) => session !== null);
  const { refetch } = useProducts();
  const { record } = useEarnPaths();
  return (
    <Screen
      title={t('title')}
      parent={paths.home}
      end={
        isSignedIn ? (
          <Link to={record} className={shellCss.barLink}>
            {t('myOrders')}
          </Link>
        ) : null
      }
    >
      <PullToRefresh onRefresh={refetch}>
        <p className={shellCss.lead}>{t('lead')}</p>
        <UserFigures />
        <Products />
      </PullToRefresh>
    </Screen>
  );
}

function UserFigures() {
  const t = useEarnWords();
  const shell = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const { pathname, search } = useLocation();
  return (
    <section className={css.mine}>
      {isSignedIn ? (
        <FinanceFigures hidden={!isVisible} eye={<EyeButton className={css.eye} />} />
      ) : (
        <div className={css.visitor}>
          <p>{t('loginToSee')}</p>
          <ButtonLink size="s" to={loginPathFor(pathname + search)}>
            {shell('login')}
          </ButtonLink>
        </div>
      )}
    </section>
  );
}

function Products() {
  const t = useEarnWords();
  const [query, setQuery] = useSearchParams();
  const view = viewOf(query);
  const show = (nextView: ProductView) =>
    setQuery(queryOf(nextView), { replace: true, preventScrollReset: true });
  const { data, products, isPending, error, refetch } = useProducts();
  const balances = useBalances().data;
  const available = useMemo(
    () => balances && new Map(balances.list.map((coin) => [coin.currency, coin.availableCurrency])),
    [balances],
  );
  const shown = filterProducts(products, view, available);
  const [openId, setOpenId] = useState<string>();
  const opened = products.find(({ id }) => id === openId);
  const narrowed = hasFilter(view);
  return (
    <section aria-label={t('products')}>
      <Filters view={view} onChange={show} choices={choicesIn(data ?? [])} />
      <ListBody
        look="cards"
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        isEmpty={shown.length === 0}
        empty={t(view.isAffordable ? 'noneAffordable' : narrowed ? 'noneFiltered' : 'none')}
        action={
          narrowed ? (
            <Button look="secondary" size="s" onClick={() => show(EVERY_PRODUCT)}>
              {t('reset')}
            </Button>
          ) : undefined
        }
      >
        {shown.map((product) => (
          <ProductCard
            key={product.id}
            product={product}
            action={
              <Button
                aria-label={t('buyNamed', { name: product.name })}
                disabled={product.status !== 1 || product.selling === 0}
                onClick={() => setOpenId(product.id)}
              >
                {t('buy')}
              </Button>
            }
          />
        ))}
      </ListBody>
      {opened === undefined ? null : <PurchaseSheet product={opened} onClose={() => setOpenId(undefined)} />}
    </section>
  );
}

interface FiltersProps {
  view: ProductView;
  onChange: (view: ProductView) => void;
  choices: ReturnType<typeof choicesIn>;
}

function Filters({ view, onChange, choices }: FiltersProps) {
  const t = useEarnWords();
  const isSignedIn = useSession(({ session }) => session !== null);
  return (
    <div className={css.filters} role="group" aria-label={t('filters')}>
      <Select
        label={t('coin')}
        className={css.choice}
        value={view.coin}
        onChange={(coin) => onChange({ ...view, coin })}
        options={[
          { value: '', label: t('allCoins') },
          ...choices.coins.map((coin) => ({ value: coin, label: coin })),
        ]}
      />
      <Select
        label={t('term')}
        className={css.choice}
        value={view.term}
        onChange={(term) => onChange({ ...view, term })}
        options={[
          { value: '', label: t('allTerms') },
          ...choices.terms.map((term) => ({ value: term, label: t('days', { count: term }) })),
        ]}
      />
      {isSignedIn ? (
        <div className={css.switch}>
          <Switch
            label={t('affordable')}
            checked={view.isAffordable}
            onChange={(isAffordable) => onChange({ ...view, isAffordable })}
          />
        </div>
      ) : null}
    </div>
  );
}
