import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useOverview } from '@exchange/web-kit/account/queries.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { LoadFailed } from '@exchange/web-kit/list/load-failed.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { paths } from '../paths.ts';
import css from './home.module.css';

/** What the signed-in person has, in one line. */
export function Balance() {
  const t = useWords('home');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const { data, error, refetch } = useOverview();
  return (
    <section className={css.balance}>
      <div>
        <h1 className={css.balanceLabel}>
          {t('welcome')}
          <EyeButton className={css.eye} />
        </h1>
        {error === null ? (
          <p className={css.total}>
            {data === undefined ? (
              <Skeleton width={160} height={32} />
            ) : (
              <Amount value={data.total} digits={2} coin="USDT" hidden={!isVisible} />
            )}
          </p>
        ) : (
          <LoadFailed error={error} onRetry={() => void refetch()} />
        )}
      </div>
      <ButtonLink to={paths.assets} size="m">
        {t('deposit')}
      </ButtonLink>
    </section>
  );
}
