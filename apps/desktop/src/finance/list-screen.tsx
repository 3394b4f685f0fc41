import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useBalances } from '@exchange/web-kit/balance/balances.ts';
import { useEarn, useEarnWords, useEarnPaths } from '@exchange/web-kit/finance/earn.ts';
import { FinanceFigures } from '@exchange/web-kit/finance/finance-head.tsx';
import {
  ProductLeft,
  ProductName,
  ProductRate,
  ProductStatus,
} from '@exchange/web-kit/finance/product-parts.tsx';
import {
  choicesIn,
  EVERY_PRODUCT,
  hasFilter,
  filterProducts,
  type ProductView,
  queryOf,
  viewOf,
} from '@exchange/web-kit/finance/product-view.ts';
import { type Product, useProducts } from '@exchange/web-kit/finance/queries.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { type Column, DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import screen from '../style/screen.module.css';
import css from './finance.module.css';
import { PurchaseDialog } from './purchase-dialog.tsx';

/** Screen with the products on which users earn interest, the user's key figures, and the purchase dialog. */
export default function FinanceListScreen() {
  const t = useEarnWords();
  const shell = useWords('shell');
  useTitle(t('title'));
  const isSignedIn = useSession(({ session }) => session !== null);
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const { pathname, search } = useLocation();
  const { record } = useEarnPaths();
  return (
    <div className={screen.screen}>
      <header className={css.head}>
        <div>
          <h1>{t('title')}</h1>
          <p>{t('lead')}</p>
        </div>
        {isSignedIn ? (
          <Link className={css.toOrders} to={record}>
            {t('myOrders')}
          </Link>
        ) : null}
      </header>
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
      <Products />
    </div>
  );
}

function Products() {
  const t = useEarnWords();
  const [query, setQuery] = useSearchParams();
  const view = viewOf(query);
  const show = (nextView: ProductView) => setQuery(queryOf(nextView), { replace: true });
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
    <section className={screen.card}>
      <Filters view={view} onChange={show} choices={choicesIn(data ?? [])} />
      <ListBody
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
        skeletonRows={7}
      >
        <ProductTable products={shown} onBuy={({ id }) => setOpenId(id)} />
      </ListBody>
      {opened === undefined ? null : <PurchaseDialog product={opened} onClose={() => setOpenId(undefined)} />}
    </section>
  );
}

interface FiltersProps {
  readonly view: ProductView;
  readonly onChange: (view: ProductView) => void;
  readonly choices: ReturnType<typeof choicesIn>;
}

function Filters({ view, onChange, choices }: FiltersProps) {
  const t = useEarnWords();
  const isSignedIn = useSession(({ session }) => session !== null);
  return (
    <div className={css.filters} role="group" aria-label={t('filters')}>
      <Select
        label={t('coin')}
        value={view.coin}
        onChange={(coin) => onChange({ ...view, coin })}
        options={[
          { value: '', label: t('allCoins') },
          ...choices.coins.map((coin) => ({ value: coin, label: coin })),
        ]}
      />
      <Select
        label={t('term')}
        value={view.term}
        onChange={(term) => onChange({ ...view, term })}
        options={[
          { value: '', label: t('allTerms') },
          ...choices.terms.map((term) => ({ value: term, label: t('days', { count: term }) })),
        ]}
      />
      {isSignedIn ? (
        <Switch
          label={t('affordable')}
          checked={view.isAffordable}
          onChange={(isAffordable) => onChange({ ...view, isAffordable })}
        />
      ) : null}
    </div>
  );
}

interface ProductTableProps {
  readonly products: readonly Product[];
  readonly onBuy: (product: Product) => void;
}

/** Table of the earn products with yield, term, limits, remaining supply, sale status, and a button to buy. */
function ProductTable({ products, onBuy }: ProductTableProps) {
  const t = useEarnWords();
  const { part } = useEarn();
  const columns: Column<Product>[] = [
    { key: 'product', title: t('product'), cell: (product) => <ProductName product={product} /> },
    {
      key: 'rate',
      title: <abbr title={t('aprHint')}>{t('apr')}</abbr>,
      cell: (product) => <ProductRate product={product} />,
    },
    { key: 'term', title: t('term'), cell: ({ period }) => t('days', { count: period }) },
    // Only the table of other products shows when interest is paid: all mining products pay daily, as the introduction
    // of their screen states.
    ...(part === 'mining'
      ? []
      : [{ key: 'payMode', title: t('payMode'), cell: ({ payMode }: Product) => t(`payMode${payMode}`) }]),
    {
      key: 'minimum',
      title: t('minimum'),
      align: 'end',
      cell: ({ startAmount, currency }) => <Amount value={startAmount} coin={currency} />,
    },
    {
      key: 'maximum',
      title: t('maximum'),
      align: 'end',
      cell: ({ maxAmount, currency }) => <Amount value={maxAmount} coin={currency} />,
    },
    { key: 'left', title: t('left'), cell: (product) => <ProductLeft product={product} /> },
    { key: 'status', title: t('status'), cell: (product) => <ProductStatus product={product} /> },
    {
      key: 'action',
      title: <span className="visually-hidden">{t('action')}</span>,
      align: 'end',
      cell: (product) => (
        <Button
          size="s"
          aria-label={t('buyNamed', { name: product.name })}
          disabled={product.status !== 1 || product.selling === 0}
          onClick={() => onBuy(product)}
        >
          {t('buy')}
        </Button>
      ),
    },
  ];
  return (
    <div className={`${screen.scroll} ${css.table}`} tabIndex={0} role="region" aria-label={t('products')}>
      <DataTable caption={t('products')} columns={columns} rows={products} rowKey={({ id }) => id} />
    </div>
  );
}
