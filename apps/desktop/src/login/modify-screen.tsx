import { ActForm } from '@exchange/web-kit/form/act-form.tsx';
import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { useSendCode, useUpdatePassword } from '@exchange/web-kit/user/actions.ts';
import { MailedCode } from '@exchange/web-kit/user/code-fields.tsx';
import { ChangedPasswords } from '@exchange/web-kit/user/password-fields.tsx';
import {
  INITIAL_PASSWORD,
  passwordProblems,
  type PasswordForm,
} from '@exchange/web-kit/user/password-form.ts';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** Changes the login password of the signed-in person. */
export default function ModifyScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const email = useSession(({ session }) => session?.email ?? '');
  const form = useForm<PasswordForm>(INITIAL_PASSWORD, (values) => passwordProblems(values, email));
  const sendCode = useSendCode('password');
  const update = useUpdatePassword();

  const finish = (): void => {
    notify.success(t('passwordChanged'));
    void navigate(paths.setting.security, { replace: true });
  };

  return (
    <LoginFrame title={t('modifyTitle')}>
      <ActForm
        className={classes.form}
        form={form}
        act={() => update.mutateAsync(form.values)}
        onDone={finish}
        isBusy={update.isPending}
        button={t('changeButton')}
      >
        <ChangedPasswords form={form} />
        <MailedCode form={form} send={() => sendCode.mutateAsync(email)} />
      </ActForm>
      <p className={classes.hint}>{t('modifyHint')}</p>
    </LoginFrame>
  );
}
