import { SubmitForm } from '../form/submit-form.tsx';
import { AuthenticatorCode } from '../form/authenticator-code.tsx';
import { MailedCode } from '../form/mailed-code.tsx';
import { useForm } from '../form/use-form.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useSession } from '../session/session-store.ts';
import { useSendCode, useUpdatePassword } from './actions.ts';
import { ChangedPasswords } from './password-fields.tsx';
import { INITIAL_PASSWORD, passwordProblems, type PasswordForm } from './forms.ts';

interface ChangePasswordProps {
  readonly className: string | undefined;
  readonly onDone: () => void;
}

/** Changes the login password of the signed-in user. */
export function ChangePassword({ className, onDone }: ChangePasswordProps) {
  const t = useWords('user');
  const email = useSession(({ session }) => session?.email ?? '');
  const form = useForm<PasswordForm>(INITIAL_PASSWORD, (values) => passwordProblems(values, email));
  const sendCode = useSendCode('password');
  const update = useUpdatePassword();
  const finish = () => {
    notify.success(t('passwordChanged'));
    onDone();
  };
  return (
    <SubmitForm
      className={className}
      form={form}
      act={() => update.mutateAsync(form.values)}
      onDone={finish}
      isBusy={update.isPending}
      button={t('changeButton')}
    >
      <ChangedPasswords form={form} />
      <MailedCode form={form} send={() => sendCode.mutateAsync({ email })} />
      <AuthenticatorCode form={form} />
    </SubmitForm>
  );
}
