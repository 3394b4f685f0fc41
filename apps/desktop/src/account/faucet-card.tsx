import { useClaimFaucet } from '@exchange/web-kit/account/queries.ts';
import { serverNow } from '@exchange/web-kit/clock.ts';
import { formatDecimal, formatMoment } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { recall, remember } from '@exchange/web-kit/storage.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Droplets } from 'lucide-react';
import { useState } from 'react';
import classes from './assets.module.css';

const NEXT_CLAIM = 'faucet-next';

/** Demo mode: play money once a day, and when there is more. */
export function FaucetCard() {
  const t = useWords('assets');
  const locale = useLocale();
  const claim = useClaimFaucet();
  const [nextMs, setNext] = useState(() => Number(recall(NEXT_CLAIM) ?? '0'));
  const isWaiting = nextMs > serverNow();

  const press = (): void =>
    claim.mutate(undefined, {
      onSuccess: ({ credited, nextTime }) => {
        const list = credited.map(({ amount, currency }) => `${formatDecimal(amount, locale)} ${currency}`);
        notify.success(t('claimed', { list: list.join(', ') }));
        remember(NEXT_CLAIM, String(nextTime));
        setNext(nextTime);
      },
      onError: notify.failure,
    });

  return (
    <section className={classes.faucet}>
      <Droplets size={22} aria-hidden="true" />
      <div>
        <h2>{t('claim')}</h2>
        <p>{isWaiting ? t('nextClaim', { time: formatMoment(nextMs, locale, 'minute') }) : t('claimText')}</p>
      </div>
      <Button busy={claim.isPending} disabled={isWaiting} onClick={press}>
        {t('claim')}
      </Button>
    </section>
  );
}
