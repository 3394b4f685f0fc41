import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { useSendCode, useUpdatePassword } from '@exchange/web-kit/user/actions.ts';
import { INITIAL_PASSWORD, passwordProblems } from '@exchange/web-kit/user/password-form.ts';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { MailedCodeField, SecretField } from '../forms/fields.tsx';
import { useSentForm } from '../forms/use-sent-form.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** Changes the login password of the signed-in person. */
export default function ModifyScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const email = useSession(({ session }) => session?.email ?? '');
  const sendCode = useSendCode('password');
  const update = useUpdatePassword();

  const { field, submit } = useSentForm(
    INITIAL_PASSWORD,
    (filled) => passwordProblems(filled, email),
    (filled, fail) =>
      update.mutate(
        { ...filled },
        {
          onSuccess: () => {
            notify.success(t('passwordChanged'));
            void navigate(paths.setting.security, { replace: true });
          },
          onError: fail,
        },
      ),
  );

  return (
    <LoginFrame title={t('modifyTitle')}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <SecretField label={t('oldPassword')} {...field('oldPassword')} />
        <SecretField label={t('newPassword')} hint={t('passwordHint')} isNew {...field('newPassword')} />
        <SecretField label={t('confirmNewPassword')} isNew {...field('confirmPassword')} />
        <MailedCodeField {...field('code')} onSend={() => sendCode.mutateAsync(email)} />
        <Button type="submit" size="l" wide busy={update.isPending}>
          {t('changeButton')}
        </Button>
        <p className={classes.hint}>{t('modifyHint')}</p>
      </form>
    </LoginFrame>
  );
}
