import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { ScrollText } from 'lucide-react';
import screen from '../style/screen.module.css';
import type { ProductName } from './use-product-text.ts';

interface RecordPageProps {
  readonly name: ProductName;
  /** The product's own page. */
  readonly list: string;
}

/** The records of a product that is not open: none, and why. */
export function RecordPage({ name, list }: RecordPageProps) {
  const t = useWords('products');
  const product = t(`${name}Title`);
  useTitle(`${product}: ${t('records')}`);
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>
          {product}: {t('records')}
        </h1>
      </header>
      <section className={screen.card}>
        <EmptyState
          icon={<ScrollText size={22} />}
          text={t('recordsNone')}
          action={
            <ButtonLink look="secondary" size="s" to={list}>
              {product}
            </ButtonLink>
          }
        />
      </section>
    </div>
  );
}
