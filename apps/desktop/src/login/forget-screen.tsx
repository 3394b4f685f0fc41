import { ActForm } from '@exchange/web-kit/form/act-form.tsx';
import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { useForgetPassword, useSendForgetCode } from '@exchange/web-kit/user/actions.ts';
import { EmailAndCode } from '@exchange/web-kit/user/code-fields.tsx';
import { forgetPayload, forgetProblems, initialForget } from '@exchange/web-kit/user/forget-form.ts';
import { FirstPasswords } from '@exchange/web-kit/user/password-fields.tsx';
import { Link, useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** A new login password with a mailed code. */
export default function ForgetScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const lastEmail = useSession((state) => state.lastEmail);
  const form = useForm(initialForget(lastEmail), forgetProblems);
  const sendCode = useSendForgetCode();
  const forget = useForgetPassword();

  const finish = (): void => {
    notify.success(t('passwordReset'));
    void navigate(paths.login.login, { replace: true });
  };

  return (
    <LoginFrame title={t('forgetTitle')}>
      <ActForm
        className={classes.form}
        form={form}
        act={() => forget.mutateAsync(forgetPayload(form.values))}
        onDone={finish}
        isBusy={forget.isPending}
        button={t('resetButton')}
      >
        <EmailAndCode form={form} send={sendCode.mutateAsync} />
        <FirstPasswords form={form} replaces />
      </ActForm>
      <p className={classes.hint}>{t('resetHint')}</p>
      <p className={classes.links}>
        <Link to={paths.login.login}>{t('back')}</Link>
      </p>
    </LoginFrame>
  );
}
