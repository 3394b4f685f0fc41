import type { ReactNode } from 'react';
import { Amount, Percent } from '../format/numbers.tsx';
import { useEarnWords } from './earn.ts';
import css from './product-card.module.css';
import { FixedRate, ProductLeft, ProductName, ProductStatus } from './product-parts.tsx';
import type { Product } from './shapes.ts';

interface ProductCardProps {
  readonly product: Product;
  /** The button that buys it. */
  readonly action?: ReactNode;
}

/** One product: what it brings, what it asks, and what is left of it. */
export function ProductCard({ product, action }: ProductCardProps) {
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
        {action}
      </div>
    </article>
  );
}
