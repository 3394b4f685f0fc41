import { useEarnWords } from '@exchange/web-kit/finance/earn.ts';
import {
  FixedRate,
  ProductLeft,
  ProductName,
  ProductStatus,
} from '@exchange/web-kit/finance/product-parts.tsx';
import type { Product } from '@exchange/web-kit/finance/queries.ts';
import { Amount, Percent } from '@exchange/web-kit/format/numbers.tsx';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import css from './finance.module.css';

/** One product: what it brings, what it asks, what is left of it, and the button. */
export function ProductCard({ product, onBuy }: { product: Product; onBuy: () => void }) {
  const t = useEarnWords();
  const { currency } = product;
  return (
    <article className={css.card} aria-label={product.name}>
      <header className={css.cardTop}>
        <ProductName product={product} />
        <ProductStatus product={product} />
      </header>
      <div className={css.rates}>
        <div>
          <Percent value={product.apr} className={css.apr} />
          <small title={t('aprHint')}>
            {t('apr')} · {t('dailyRate')} <Percent value={product.dailyRate} digits={4} />
          </small>
          <FixedRate />
        </div>
        <div className={css.term}>
          <b>{t('days', { count: product.period })}</b>
          <small>{t(`payMode${product.payMode}`)}</small>
        </div>
      </div>
      <dl className={css.facts}>
        <div>
          <dt>{t('minimum')}</dt>
          <dd>
            <Amount value={product.startAmount} coin={currency} />
          </dd>
        </div>
        <div>
          <dt>{t('maximum')}</dt>
          <dd>
            <Amount value={product.maxAmount} coin={currency} />
          </dd>
        </div>
      </dl>
      <div className={css.cardEnd}>
        <ProductLeft product={product} />
        <Button
          aria-label={t('buyNamed', { name: product.name })}
          disabled={product.status !== 1 || product.selling === 0}
          onClick={onBuy}
        >
          {t('buy')}
        </Button>
      </div>
    </article>
  );
}
