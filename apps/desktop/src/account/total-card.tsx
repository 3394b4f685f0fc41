import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { TodaysChange } from '@exchange/web-kit/account/todays-change.tsx';
import { useOverview } from '@exchange/web-kit/account/queries.ts';
import { formatPrice } from '@exchange/web-kit/format/format.ts';
import { Amount, HIDDEN_AMOUNT } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { paths } from '../paths.ts';
import classes from './assets.module.css';

/** The worth of everything in USDT and BTC, behind the eye if one likes. */
export function TotalCard({ onTransfer }: { readonly onTransfer: () => void }) {
  const t = useWords('assets');
  const locale = useLocale();
  const overview = useOverview();
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const btc = overview.data === undefined ? '–' : formatPrice(overview.data.totalBtc, locale, 8);
  return (
    <div className={classes.total}>
      <div>
        <p className={classes.label}>
          {t('total')} ({t('inUsdt')})
          <EyeButton />
        </p>
        {overview.isPending ? (
          <Skeleton width={240} height={44} />
        ) : (
          <p className={classes.sum}>
            <Amount value={overview.data?.total} digits={2} hidden={!isVisible} />
          </p>
        )}
        <p className={classes.approx}>
          {t('approxBtc', { amount: isVisible ? btc : HIDDEN_AMOUNT })}
          <TodaysChange hidden={!isVisible} />
        </p>
      </div>
      <nav className={classes.ways} aria-label={t('action')}>
        <ButtonLink to={paths.account.deposit}>{t('deposit')}</ButtonLink>
        <ButtonLink look="secondary" to={paths.account.withdraw}>
          {t('withdraw')}
        </ButtonLink>
        <ButtonLink look="secondary" to={paths.account.convert}>
          {t('convert')}
        </ButtonLink>
        <Button look="secondary" onClick={onTransfer}>
          {t('transfer')}
        </Button>
      </nav>
    </div>
  );
}
