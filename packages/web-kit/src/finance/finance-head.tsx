import type { ReactNode } from 'react';
import { Amount } from '../format/numbers.tsx';
import { useEarnWords } from './earn.ts';
import css from './finance.module.css';
import { useFinanceTotals } from './totals.ts';

const USDT_DIGITS = 2;

/** The three figures of the person who is signed in, in USDT. */
export function FinanceFigures({ hidden, eye }: { readonly hidden: boolean; readonly eye: ReactNode }) {
  const t = useEarnWords();
  const totals = useFinanceTotals();
  return (
    <section className={css.figures} aria-label={t('head')}>
      <dl>
        {(['locked', 'earned', 'arriving'] as const).map((figure) => (
          <div key={figure}>
            <dt title={t(HINTS[figure])}>
              {t(NAMES[figure])} {figure === 'locked' ? eye : null}
            </dt>
            <dd>
              <Amount value={totals?.[figure]} digits={USDT_DIGITS} coin="USDT" hidden={hidden} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const NAMES = { locked: 'inProducts', earned: 'earned', arriving: 'arriving' } as const;
const HINTS = { locked: 'inProductsHint', earned: 'earnedHint', arriving: 'arrivingHint' } as const;
