import { updatePassword } from '@exchange/wire/user.ts';
import { useState } from 'react';
import { SubmitForm } from '../form/submit-form.tsx';
import { AuthenticatorCode } from '../form/authenticator-code.tsx';
import { MailedCode } from '../form/mailed-code.tsx';
import { useForm } from '../form/use-form.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { confirmByPasskey } from '../form/passkey-ceremony.ts';
import { PasskeyOrCodes } from '../form/passkey-or-codes.tsx';
import { useSession } from '../session/session-store.ts';
import { useSendCode, useUpdatePassword } from './actions.ts';
import { ChangedPasswords } from './password-fields.tsx';
import { INITIAL_PASSWORD, passwordProblems, withoutCodeProblem, type PasswordForm } from './forms.ts';

interface ChangePasswordProps {
  readonly className: string | undefined;
  readonly onDone: () => void;
}

/** Form that changes the login password of the signed-in user. */
export function ChangePassword({ className, onDone }: ChangePasswordProps) {
  const t = useWords('user');
  const email = useSession(({ session }) => session?.email ?? '');
  const [isByPasskey, setByPasskey] = useState(false);
  const form = useForm<PasswordForm>(INITIAL_PASSWORD, (values) => {
    const problems = passwordProblems(values, email);
    return isByPasskey ? withoutCodeProblem(problems) : problems;
  });
  const sendCode = useSendCode('password');
  const update = useUpdatePassword();
  const act = async () => {
    const { oldPassword, newPassword, confirmPassword, code, googleCode } = form.values;
    const proof = isByPasskey
      ? { passkey: await confirmByPasskey({ endpoint: updatePassword }) }
      : { code, googleCode };
    await update.mutateAsync({ oldPassword, newPassword, confirmPassword, ...proof });
  };
  const finish = () => {
    notify.success(t('passwordChanged'));
    onDone();
  };
  return (
    <SubmitForm
      className={className}
      form={form}
      act={act}
      onDone={finish}
      isBusy={update.isPending}
      button={t('changeButton')}
    >
      <ChangedPasswords form={form} />
      <PasskeyOrCodes isByPasskey={isByPasskey} onChange={setByPasskey}>
        <MailedCode form={form} send={() => sendCode.mutateAsync({ email })} />
        <AuthenticatorCode form={form} />
      </PasskeyOrCodes>
    </SubmitForm>
  );
}
