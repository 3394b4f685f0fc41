import { resetTradePassword, setTradePassword } from '@exchange/wire/user.ts';
import { useState } from 'react';
import { SubmitForm } from '../form/submit-form.tsx';
import { AuthenticatorCode } from '../form/authenticator-code.tsx';
import { MailedCode } from '../form/mailed-code.tsx';
import { SixDigits } from '../form/six-digits.tsx';
import { useForm } from '../form/use-form.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { confirmByPasskey } from '../form/passkey-ceremony.ts';
import { PasskeyOrCodes } from '../form/passkey-or-codes.tsx';
import { Button } from '../ui/button.tsx';
import { useResetTradePassword, useSendTradePasswordCode, useSetTradePassword } from './actions.ts';
import { Password } from './password-fields.tsx';
import css from './set-trade-password.module.css';
import {
  INITIAL_TRADE_PASSWORD,
  resetTradePasswordFields,
  setTradePasswordFields,
  tradePasswordProblems,
  withoutCodeProblem,
  type TradePasswordAction,
} from './forms.ts';

interface SetTradePasswordProps {
  /**
   * True if the user has a trade password: the form then changes it with the old one, or resets it if the user has
   * forgotten it.
   */
  readonly isSet: boolean;
  readonly className: string | undefined;
  readonly onDone: () => void;
}

/** Form that sets, changes or resets the trade password. */
export function SetTradePassword({ isSet, ...rest }: SetTradePasswordProps) {
  const t = useWords('settings');
  const [isForgotten, setForgotten] = useState(false);
  if (!isSet) return <DeedForm deed="set" {...rest} />;
  return (
    <>
      {isForgotten ? <DeedForm key="reset" deed="reset" {...rest} /> : <DeedForm deed="change" {...rest} />}
      <p className={css.other}>
        <Button look="quiet" size="s" onClick={() => setForgotten(!isForgotten)}>
          {t(isForgotten ? 'rememberedTradePassword' : 'forgotTradePassword')}
        </Button>
      </p>
    </>
  );
}

interface DeedFormProps extends Omit<SetTradePasswordProps, 'isSet'> {
  readonly deed: TradePasswordAction;
}

function DeedForm({ deed, className, onDone }: DeedFormProps) {
  const t = useWords('settings');
  const tShell = useWords('shell');
  const [isByPasskey, setByPasskey] = useState(false);
  const form = useForm(INITIAL_TRADE_PASSWORD, (values) => {
    const problems = tradePasswordProblems(values, deed);
    return isByPasskey ? withoutCodeProblem(problems) : problems;
  });
  const sendCode = useSendTradePasswordCode(deed === 'reset');
  const save = useSetTradePassword();
  const reset = useResetTradePassword();
  const act = async () => {
    const endpoint = deed === 'reset' ? resetTradePassword : setTradePassword;
    const passkey = isByPasskey ? await confirmByPasskey({ endpoint }) : undefined;
    if (deed === 'reset') await reset.mutateAsync(resetTradePasswordFields(form.values, passkey));
    else await save.mutateAsync(setTradePasswordFields(form.values, deed, passkey));
  };
  const finish = () => {
    notify.success(t('tradePasswordSaved'));
    onDone();
  };
  return (
    <SubmitForm
      className={className}
      form={form}
      act={act}
      onDone={finish}
      isBusy={save.isPending || reset.isPending}
      button={tShell('save')}
    >
      {deed === 'set' ? null : <p className={css.note}>{t('tradePasswordHold')}</p>}
      {deed === 'change' ? (
        <SixDigits form={form} field="oldAssetsPwd" label={t('oldTradePassword')} />
      ) : null}
      {deed === 'reset' ? <Password form={form} field="password" label={t('loginPassword')} /> : null}
      <SixDigits form={form} field="assetsPwd" label={t('newTradePassword')} />
      <SixDigits form={form} field="confirmAssetsPwd" label={t('confirmTradePassword')} />
      <PasskeyOrCodes isByPasskey={isByPasskey} onChange={setByPasskey}>
        <MailedCode form={form} send={() => sendCode.mutateAsync()} />
        <AuthenticatorCode form={form} />
      </PasskeyOrCodes>
    </SubmitForm>
  );
}
