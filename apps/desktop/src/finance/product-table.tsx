import { useEarn, useEarnWords } from '@exchange/web-kit/finance/earn.ts';
import {
  ProductLeft,
  ProductName,
  ProductRate,
  ProductStatus,
} from '@exchange/web-kit/finance/product-parts.tsx';
import type { Product } from '@exchange/web-kit/finance/queries.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { DataTable, type Column } from '@exchange/web-kit/ui/data-table.tsx';
import screen from '../style/screen.module.css';
import css from './finance.module.css';

interface ProductTableProps {
  readonly products: readonly Product[];
  readonly onBuy: (product: Product) => void;
}

/** The products line by line: what they bring, what they ask, what is left of them, and the button. */
export function ProductTable({ products, onBuy }: ProductTableProps) {
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
    // All of mining is paid daily, as its lead says.
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
