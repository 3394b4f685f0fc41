import { CheckCircle2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Amount } from '../format/numbers.tsx';
import { useEarnWords } from './earn.ts';
import css from './finance.module.css';
import { TimeInTwoZones } from './time-in-two-zones.tsx';
import type { Product } from './shapes.ts';
import type { PlacedPurchase } from './use-purchase.ts';

interface BoughtProps {
  readonly product: Product;
  readonly bought: PlacedPurchase;
  readonly actions: ReactNode;
}

/** Confirmation of a purchase with its dates and expected income. */
export function PurchaseResultView({ product, bought, actions }: BoughtProps) {
  const t = useEarnWords();
  return (
    <div className={css.bought}>
      <CheckCircle2 size={44} aria-hidden="true" />
      <h3>{t('boughtTitle')}</h3>
      <p role="status">
        {t('boughtText', { amount: bought.amount, coin: product.currency, name: product.name })}
      </p>
      <dl className={css.calculator}>
        <div className={css.line}>
          <dt>{t('interest')}</dt>
          <dd>
            <Amount value={bought.expectProfit} coin={product.currency} kind="fee" />
          </dd>
        </div>
        <div className={css.line}>
          <dt>{t('scheduleStart')}</dt>
          <dd>
            <TimeInTwoZones at={bought.startTime} />
          </dd>
        </div>
        <div className={css.line}>
          <dt>{t('scheduleEnd')}</dt>
          <dd>
            <TimeInTwoZones at={bought.endTime} />
          </dd>
        </div>
      </dl>
      <div className={css.boughtActions}>{actions}</div>
    </div>
  );
}
