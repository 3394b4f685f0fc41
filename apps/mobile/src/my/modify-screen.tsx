import { ActForm } from '@exchange/web-kit/form/act-form.tsx';
import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useSendCode, useUpdatePassword } from '@exchange/web-kit/user/actions.ts';
import { MailedCode } from '@exchange/web-kit/user/code-fields.tsx';
import {
  INITIAL_PASSWORD,
  passwordProblems,
  type PasswordForm,
} from '@exchange/web-kit/user/password-form.ts';
import { ChangedPasswords } from '@exchange/web-kit/user/password-fields.tsx';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from '../user/form.module.css';

/** Changes the login password. */
export default function ModifyScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const email = useSession(({ session }) => session?.email ?? '');
  const form = useForm<PasswordForm>(INITIAL_PASSWORD, (values) => passwordProblems(values, email));
  const update = useUpdatePassword();
  const sendCode = useSendCode('password');
  const finish = () => {
    notify.success(t('passwordChanged'));
    void navigate(paths.security, { replace: true });
  };
  return (
    <Screen title={t('modifyTitle')} parent={paths.security}>
      <p className={css.lead}>{t('modifyHint')}</p>
      <ActForm
        className={css.form}
        form={form}
        act={() => update.mutateAsync(form.values)}
        onDone={finish}
        isBusy={update.isPending}
        button={t('changeButton')}
      >
        <ChangedPasswords form={form} />
        <MailedCode form={form} send={() => sendCode.mutateAsync(email)} />
      </ActForm>
    </Screen>
  );
}
