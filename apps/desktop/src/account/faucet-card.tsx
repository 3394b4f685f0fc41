import { useFaucet } from '@exchange/web-kit/account/use-faucet.ts';
import { formatMoment } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Droplets } from 'lucide-react';
import classes from './assets.module.css';

/** Demo mode: play money once a day, and when there is more. */
export function FaucetCard() {
  const t = useWords('assets');
  const locale = useLocale();
  const { claim, isBusy, waitsUntil } = useFaucet();
  return (
    <section className={classes.faucet}>
      <Droplets size={22} aria-hidden="true" />
      <div>
        <h2>{t('claim')}</h2>
        <p>
          {waitsUntil === undefined
            ? t('claimText')
            : t('nextClaim', { time: formatMoment(waitsUntil, locale, 'minute') })}
        </p>
      </div>
      <Button busy={isBusy} disabled={waitsUntil !== undefined} onClick={() => void claim()}>
        {t('claim')}
      </Button>
    </section>
  );
}
