import { ActForm } from '@exchange/web-kit/form/act-form.tsx';
import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { useSendTradePasswordCode, useSetTradePassword } from '@exchange/web-kit/user/actions.ts';
import { MailedCode } from '@exchange/web-kit/form/mailed-code.tsx';
import { TradePasswords } from '@exchange/web-kit/user/password-fields.tsx';
import {
  INITIAL_TRADE_PASSWORD,
  tradePasswordPayload,
  tradePasswordProblems,
} from '@exchange/web-kit/user/trade-password-form.ts';
import { lazy, Suspense, useState } from 'react';
import classes from './setting.module.css';
import { SettingRow } from './setting-row.tsx';

const Dialog = lazy(async () => ({ default: (await import('@exchange/web-kit/ui/overlay.tsx')).Dialog }));

/** The six digits that confirm withdrawals and purchases: whether they are set, and the dialog that sets them. */
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
            <TradePasswordForm isChange={isSet} onSaved={() => setOpen(false)} />
          </Dialog>
        </Suspense>
      )}
    </>
  );
}

interface TradePasswordFormProps {
  readonly isChange: boolean;
  readonly onSaved: () => void;
}

function TradePasswordForm({ isChange, onSaved }: TradePasswordFormProps) {
  const t = useWords('settings');
  const tShell = useWords('shell');
  const form = useForm(INITIAL_TRADE_PASSWORD, (values) => tradePasswordProblems(values, isChange));
  const sendCode = useSendTradePasswordCode();
  const save = useSetTradePassword();
  const finish = (): void => {
    notify.success(t('tradePasswordSaved'));
    onSaved();
  };
  return (
    <ActForm
      className={classes.form}
      form={form}
      act={() => save.mutateAsync(tradePasswordPayload(form.values, isChange))}
      onDone={finish}
      isBusy={save.isPending}
      button={tShell('save')}
    >
      <TradePasswords form={form} isChange={isChange} />
      <MailedCode form={form} send={() => sendCode.mutateAsync()} />
    </ActForm>
  );
}
