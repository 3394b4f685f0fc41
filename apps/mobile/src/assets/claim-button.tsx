import { useFaucet } from '@exchange/web-kit/account/use-faucet.ts';
import { formatMoment } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import css from './assets.module.css';

/** Demo mode: claims play money; once claimed, says when there is more. */
export function ClaimButton() {
  const t = useWords('assets');
  const locale = useLocale();
  const { claim, isBusy, waitsUntil } = useFaucet();
  return (
    <div className={css.claimAct}>
      <Button size="s" busy={isBusy} disabled={waitsUntil !== undefined} onClick={() => void claim()}>
        {t('claim')}
      </Button>
      {waitsUntil === undefined ? null : (
        <small>{t('nextClaim', { time: formatMoment(waitsUntil, locale, 'minute') })}</small>
      )}
    </div>
  );
}
