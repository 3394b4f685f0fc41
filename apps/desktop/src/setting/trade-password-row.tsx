import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { useSendTradePasswordCode, useSetTradePassword } from '@exchange/web-kit/user/actions.ts';
import {
  INITIAL_TRADE_PASSWORD,
  tradePasswordPayload,
  tradePasswordProblems,
} from '@exchange/web-kit/user/trade-password-form.ts';
import { lazy, Suspense, useState } from 'react';
import { MailedCodeField, SecretField } from '../forms/fields.tsx';
import { useSentForm } from '../forms/use-sent-form.ts';
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
  const sendCode = useSendTradePasswordCode();
  const set = useSetTradePassword();
  const { field, submit } = useSentForm(
    INITIAL_TRADE_PASSWORD,
    (filled) => tradePasswordProblems(filled, isChange),
    (filled, fail) =>
      set.mutate(tradePasswordPayload(filled, isChange), {
        onSuccess: () => {
          notify.success(t('tradePasswordSaved'));
          onSaved();
        },
        onError: fail,
      }),
  );
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {isChange && <SecretField label={t('oldTradePassword')} {...field('oldAssetsPwd')} />}
      <SecretField label={t('newTradePassword')} isNew {...field('assetsPwd')} />
      <SecretField label={t('confirmTradePassword')} isNew {...field('confirmAssetsPwd')} />
      <MailedCodeField {...field('code')} onSend={() => sendCode.mutateAsync()} />
      <Button type="submit" wide busy={set.isPending}>
        {tShell('save')}
      </Button>
    </form>
  );
}
