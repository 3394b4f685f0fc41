import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useAlerts } from '@exchange/web-kit/market/alerts.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Bell } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

const AlertsDialog = lazy(async () => ({ default: (await import('./alerts-dialog.tsx')).AlertsDialog }));

/** Opens the list of all price alerts, and says how many watch. */
export function AllAlertsButton() {
  const t = useWords('alerts');
  const [isOpen, setOpen] = useState(false);
  const count = useAlerts().data?.list.length ?? 0;
  return (
    <>
      <Button look="secondary" icon={<Bell size={16} aria-hidden="true" />} onClick={() => setOpen(true)}>
        {count > 0 ? t('titleCount', { count }) : t('title')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <AlertsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
