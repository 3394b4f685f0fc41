import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useAlerts } from '@exchange/web-kit/market/alerts.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Bell, BellRing } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const AlertDialog = lazyPart(
  'alert-dialog',
  async () => ({ default: (await import('./alert-dialogs.tsx')).AlertDialog }),
  { whenMissing: 'dialog' },
);
const AlertsDialog = lazyPart(
  'alerts-dialog',
  async () => ({ default: (await import('./alert-dialogs.tsx')).AlertsDialog }),
  { whenMissing: 'dialog' },
);

interface AlertButtonProps {
  readonly pair: MarketPair;
  readonly className: string | undefined;
  readonly size: number;
}

/** Button that opens the price alerts of a pair; the bell icon is shown ringing while the pair has active alerts. */
export function AlertButton({ pair, className, size }: AlertButtonProps) {
  const t = useWords('desktop-market');
  const [isOpen, setOpen] = useState(false);
  const isWatched = (useAlerts(pair.symbol).data?.list.length ?? 0) > 0;
  const Icon = isWatched ? BellRing : Bell;
  const label = t('alert.open', { pair: `${pair.base}/${pair.quote}` });
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        title={label}
        data-on={isWatched || undefined}
        onClick={() => setOpen(true)}
      >
        <Icon size={size} aria-hidden="true" />
      </button>
      {isOpen && <AlertDialog pair={pair} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Button that opens the list of all the user's price alerts; it shows their number if there are any. */
export function AllAlertsButton() {
  const t = useWords('alerts');
  const [isOpen, setOpen] = useState(false);
  const count = useAlerts().data?.list.length ?? 0;
  return (
    <>
      <Button look="secondary" icon={<Bell size={16} aria-hidden="true" />} onClick={() => setOpen(true)}>
        {count > 0 ? t('titleCount', { count }) : t('title')}
      </Button>
      {isOpen && <AlertsDialog onClose={() => setOpen(false)} />}
    </>
  );
}
