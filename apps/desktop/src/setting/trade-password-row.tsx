import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { SetTradePassword } from '@exchange/web-kit/user/set-trade-password.tsx';
import { lazy, Suspense, useState } from 'react';
import classes from './setting.module.css';
import { SettingRow } from './setting-row.tsx';

const Dialog = lazy(async () => ({ default: (await import('@exchange/web-kit/ui/overlay.tsx')).Dialog }));

/** The six digits that confirm withdrawals and purchases: whether they are set, and the dialog that sets, changes or resets them. */
export function TradePasswordRow({ isSet }: { readonly isSet: boolean }) {
  const t = useWords('settings');
  const tShell = useWords('shell');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <SettingRow
        name={t('tradePassword')}
        about={
          <>
            {t('tradePasswordText')}{' '}
            <Badge tone={isSet ? 'good' : 'warning'}>
              {t(isSet ? 'tradePasswordSet' : 'tradePasswordNotSet')}
            </Badge>
          </>
        }
        action={
          <Button
            look="secondary"
            size="s"
            aria-label={`${t(isSet ? 'change' : 'set')}: ${t('tradePassword')}`}
            onClick={() => setOpen(true)}
          >
            {t(isSet ? 'change' : 'set')}
          </Button>
        }
      />
      {isOpen && (
        <Suspense fallback={null}>
          <Dialog
            isOpen
            onClose={() => setOpen(false)}
            title={t('tradePassword')}
            closeLabel={tShell('close')}
          >
            <SetTradePassword isSet={isSet} className={classes.form} onDone={() => setOpen(false)} />
          </Dialog>
        </Suspense>
      )}
    </>
  );
}
