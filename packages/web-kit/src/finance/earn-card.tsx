import type { ReactNode } from 'react';
import css from './earn-card.module.css';
import { ProductName } from './product-parts.tsx';
import type { Product } from './shapes.ts';

interface EarnCardProps {
  readonly of: Pick<Product, 'name' | 'currency'>;
  /** What stands opposite the name. */
  readonly aside: ReactNode;
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  /** What stands between the name and the facts. */
  readonly children?: ReactNode;
  readonly end?: ReactNode;
  /** What pressing anywhere on the card does, and what that is called. */
  readonly open?: { readonly label: string; readonly act: () => void };
}

/** A product, or an order of one, on a card. */
export function EarnCard({ of, aside, facts, children, end, open }: EarnCardProps) {
  return (
    <article className={css.card} aria-label={of.name}>
      {open === undefined ? null : (
        <button type="button" className={css.whole} onClick={open.act}>
          <span className="visually-hidden">{open.label}</span>
        </button>
      )}
      <header className={css.top}>
        <ProductName product={of} />
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
