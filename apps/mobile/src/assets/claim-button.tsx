import { useClaimFaucet } from '@exchange/web-kit/account/queries.ts';
import { CallRefused } from '@exchange/web-kit/api/call-error.ts';
import { formatDecimal, formatMoment } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import css from './assets.module.css';
import { useNextClaim } from './use-next-claim.ts';

/** Demo mode: claims play money; once claimed, says when there is more. */
export function ClaimButton() {
  const t = useWords('assets');
  const locale = useLocale();
  const claim = useClaimFaucet();
  const { waitsUntil, keep } = useNextClaim();
  const press = async () => {
    try {
      const { credited, nextTime } = await claim.mutateAsync();
      const list = credited
        .map(({ currency, amount }) => `${formatDecimal(amount, locale)} ${currency}`)
        .join(', ');
      keep(nextTime);
      notify.success(t('claimed', { list }));
    } catch (error) {
      // Reason: claimed on another device within a day, or the call did not come through; the sentence says which.
      if (error instanceof CallRefused && error.errKey === 'l.faucet_wait')
        keep(Number(error.data['nextTime']));
      notify.failure(error);
    }
  };
  return (
    <div className={css.claimAct}>
      <Button
        size="s"
        busy={claim.isPending}
        disabled={waitsUntil !== undefined}
        onClick={() => void press()}
      >
        {t('claim')}
      </Button>
      {waitsUntil === undefined ? null : (
        <small>{t('nextClaim', { time: formatMoment(waitsUntil, locale, 'minute') })}</small>
      )}
    </div>
  );
}
