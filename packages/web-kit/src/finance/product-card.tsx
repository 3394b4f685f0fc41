import type { ReactNode } from 'react';
import { Amount, Percent } from '../format/numbers.tsx';
import { useEarnWords } from './earn.ts';
import css from './product-card.module.css';
import { FixedRate, ProductLeft, ProductStatus, ProductName } from './product-parts.tsx';
import type { Product } from './shapes.ts';

interface ProductCardProps {
  readonly product: Product;
  readonly action?: ReactNode;
}

/** Card of one earn product with its terms, its sale status and its remaining supply. */
export function ProductCard({ product, action }: ProductCardProps) {
  const t = useEarnWords();
  const { currency } = product;
  return (
    <EarnCard
      item={product}
      aside={<ProductStatus product={product} />}
      facts={[
        [t('dailyRate'), <Percent key="rate" value={product.dailyRate} digits={4} />],
        [t('payMode'), t(`payMode${product.payMode}`)],
        [t('minimum'), <Amount key="minimum" value={product.startAmount} coin={currency} />],
        [t('maximum'), <Amount key="maximum" value={product.maxAmount} coin={currency} />],
      ]}
      end={
        <div className={css.cardEnd}>
          <ProductLeft product={product} />
          {action}
        </div>
      }
    >
      <div className={css.rates}>
        <div>
          <Percent value={product.apr} className={css.apr} />
          <small title={t('aprHint')}>{t('apr')}</small>
          <FixedRate />
        </div>
        <div className={css.term}>
          <b>{t('days', { count: product.period })}</b>
          <small>{t('term')}</small>
        </div>
      </div>
    </EarnCard>
  );
}

interface EarnCardProps {
  readonly item: Pick<Product, 'name' | 'currency'>;
  readonly aside: ReactNode;
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  readonly children?: ReactNode;
  readonly end?: ReactNode;
  /** Makes the whole card clickable; `label` is the accessible name of the action. */
  readonly open?: { readonly label: string; readonly act: () => void };
}

/** Card that shows an earn product or an earn order. */
export function EarnCard({ item, aside, facts, children, end, open }: EarnCardProps) {
  return (
    <article className={css.card} aria-label={item.name}>
      {open === undefined ? null : (
        <button type="button" className={css.whole} onClick={open.act}>
          <span className="visually-hidden">{open.label}</span>
        </button>
      )}
      <header className={css.top}>
        <ProductName product={item} />
        {aside}
      </header>
      {children}
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {end}
    </article>
  );
}
