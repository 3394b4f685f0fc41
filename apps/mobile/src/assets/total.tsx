import { useBalancesVisible } from '@exchange/web-kit/account/balances-visible.ts';
import { EyeButton } from '@exchange/web-kit/account/eye-button.tsx';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import css from './assets.module.css';

interface Worth {
  readonly total: string;
  readonly totalBtc: string;
}

/** The worth of everything, in USDT and BTC, behind the eye. */
export function Total({ overview }: { overview: Worth | undefined }) {
  const t = useWords('assets');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  return (
    <section className={css.total}>
      <h2 className={css.totalLabel}>
        {t('total')}
        <EyeButton className={css.eye} />
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
