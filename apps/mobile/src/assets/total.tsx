import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import type { Read } from '@exchange/web-kit/api/query-client.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { LoadFailed } from '@exchange/web-kit/list/load-failed.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import css from './assets.module.css';

interface Worth {
  readonly total: string;
  readonly totalBtc: string;
}

/** The worth of everything, in USDT and BTC, behind the eye. */
export function Total({ overview }: { overview: Read<Worth> }) {
  const t = useWords('assets');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  return (
    <section className={css.total}>
      <h2 className={css.totalLabel}>
        {t('total')}
        <EyeButton className={css.eye} />
      </h2>
      {overview.error !== null ? (
        <LoadFailed error={overview.error} onRetry={() => void overview.refetch()} />
      ) : overview.data === undefined ? (
        <Skeleton width={200} height={40} />
      ) : (
        <>
          <p className={css.totalValue}>
            <Amount value={overview.data.total} digits={2} coin="USDT" hidden={!isVisible} />
          </p>
          <p className={css.totalBtc}>
            ≈ <Amount value={overview.data.totalBtc} digits={8} coin="BTC" hidden={!isVisible} />
          </p>
        </>
      )}
    </section>
  );
}
