import { useBalancesVisible } from '@exchange/web-kit/account/balances-visible.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { IconButton } from '@exchange/web-kit/ui/button.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { Eye, EyeOff } from 'lucide-react';
import css from './assets.module.css';

interface Worth {
  readonly total: string;
  readonly totalBtc: string;
}

/** The worth of everything, in USDT and BTC, behind the eye. */
export function Total({ overview }: { overview: Worth | undefined }) {
  const t = useWords('assets');
  const { isVisible, toggle } = useBalancesVisible();
  return (
    <section className={css.total}>
      <h2 className={css.totalLabel}>
        {t('total')}
        <IconButton
          label={t(isVisible ? 'hideBalances' : 'showBalances')}
          className={css.eye}
          onClick={toggle}
        >
          {isVisible ? <Eye size={18} aria-hidden="true" /> : <EyeOff size={18} aria-hidden="true" />}
        </IconButton>
      </h2>
      {overview === undefined ? (
        <Skeleton width={200} height={40} />
      ) : (
        <>
          <p className={css.totalValue}>
            <Amount value={overview.total} digits={2} coin="USDT" hidden={!isVisible} />
          </p>
          <p className={css.totalBtc}>
            ≈ <Amount value={overview.totalBtc} digits={8} coin="BTC" hidden={!isVisible} />
          </p>
        </>
      )}
    </section>
  );
}
