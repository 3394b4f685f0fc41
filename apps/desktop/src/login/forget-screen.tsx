import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { useForgetPassword, useSendForgetCode } from '@exchange/web-kit/user/actions.ts';
import { forgetPayload, forgetProblems, initialForget } from '@exchange/web-kit/user/forget-form.ts';
import { Link, useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { EmailField, MailedCodeField, SecretField } from '../forms/fields.tsx';
import { useSentForm } from '../forms/use-sent-form.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** A new login password with a mailed code. */
export default function ForgetScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const lastEmail = useSession((state) => state.lastEmail);
  const sendCode = useSendForgetCode();
  const forget = useForgetPassword();

  const { form, field, checkField, submit } = useSentForm(
    initialForget(lastEmail),
    forgetProblems,
    (filled, fail) =>
      forget.mutate(forgetPayload(filled), {
        onSuccess: () => {
          notify.success(t('passwordReset'));
          void navigate(paths.login.login, { replace: true });
        },
        onError: fail,
      }),
  );

  return (
    <LoginFrame title={t('forgetTitle')}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <EmailField {...field('email')} />
        <MailedCodeField
          {...field('code')}
          isReady={() => checkField('email')}
          onSend={() => sendCode.mutateAsync(form.email)}
        />
        <SecretField label={t('newPassword')} hint={t('passwordHint')} isNew {...field('password')} />
        <SecretField label={t('confirmNewPassword')} isNew {...field('confirmPassword')} />
        <Button type="submit" size="l" wide busy={forget.isPending}>
          {t('resetButton')}
        </Button>
        <p className={classes.hint}>{t('resetHint')}</p>
      </form>
      <p className={classes.links}>
        <Link to={paths.login.login}>{t('back')}</Link>
      </p>
    </LoginFrame>
  );
}
