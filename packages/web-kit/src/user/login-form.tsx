import { useState } from 'react';
import { AuthenticatorCode } from '../form/authenticator-code.tsx';
import { MailedCode } from '../form/mailed-code.tsx';
import { SubmitForm } from '../form/submit-form.tsx';
import { useForm } from '../form/use-form.ts';
import { useWords } from '../i18n/words.ts';
import { VisitorsPasskeyOrCodes } from '../form/passkey-or-codes.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { useSession } from '../session/session-store.ts';
import { newPasskeyAnswer, useLogin, useSendCode } from './actions.ts';
import { EmailField } from './code-fields.tsx';
import { initialLogin, loginPayload, loginProblems, SIGN_IN_DRAFT, withoutCodeProblem } from './forms.ts';
import { Password } from './password-fields.tsx';

interface LoginFormProps {
  readonly className: string | undefined;
  /** Called when the user has been signed in. */
  readonly onEnter: () => void;
}

/**
 * Login form with email address, password and codes; a passkey can replace the codes, or is enough without the form.
 * The screens of both sites contain it.
 */
export function LoginForm({ className, onEnter }: LoginFormProps) {
  const t = useWords('user');
  const lastEmail = useSession((state) => state.lastEmail);
  const [isByPasskey, setByPasskey] = useState(false);
  const form = useForm(
    initialLogin(lastEmail),
    (values) => (isByPasskey ? withoutCodeProblem(loginProblems(values)) : loginProblems(values)),
    SIGN_IN_DRAFT,
  );
  const sendCode = useSendCode('login');
  const login = useLogin();
  const [isAsking, setAsking] = useState(false);
  const act = async () => {
    setAsking(true);
    try {
      const passkey = isByPasskey ? await newPasskeyAnswer() : undefined;
      await login.mutateAsync(loginPayload(form.values, passkey));
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      <SubmitForm
        className={className}
        form={form}
        act={act}
        onDone={onEnter}
        isBusy={isAsking}
        button={t('loginButton')}
      >
        <EmailField form={form} offersPasskeys />
        <VisitorsPasskeyOrCodes isByPasskey={isByPasskey} onChange={setByPasskey}>
          <MailedCode
            form={form}
            send={(observer) => sendCode.mutateAsync({ email: form.values.email, ...observer })}
            isReady={() => form.checkField('email')}
          />
        </VisitorsPasskeyOrCodes>
        <Password form={form} field="password" label={t('password')} />
        {isByPasskey ? null : <AuthenticatorCode form={form} takesRecovery />}
      </SubmitForm>
      <PasskeySignIn onEnter={onEnter} />
    </>
  );
}
