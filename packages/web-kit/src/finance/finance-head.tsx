import type { ReactNode } from 'react';
import { useRead } from '../api/query-client.ts';
import { Amount } from '../format/numbers.tsx';
import { useSession } from '../session/session-store.ts';
import { useEarnWords, useEarnKey, useLiveEarn } from './earn.ts';
import css from './finance.module.css';

const USDT_DIGITS = 2;

/**
 * Three totals of the signed-in user's earn orders of the displayed kind, in USDT at current prices: the locked
 * principal, the interest earned so far, paid or not, and the principal and interest that will be paid within the next
 * seven days.
 */
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

/**
 * The totals that `FinanceFigures` shows, in USDT, rounded down; coins without a price count as 0. Undefined for
 * visitors and until loaded.
 */
function useFinanceTotals() {
  const earn = useLiveEarn();
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: useEarnKey('totals'),
    queryFn: async ({ signal }) => (await earn.orders({ pageSize: 1 }, signal)).totals,
    enabled: isSignedIn,
  }).data;
}
