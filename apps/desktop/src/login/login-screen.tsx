import { SubmitForm } from '@exchange/web-kit/form/submit-form.tsx';
import { AuthenticatorCode } from '@exchange/web-kit/form/authenticator-code.tsx';
import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { pathAfterLogin } from '@exchange/web-kit/shell/guard.ts';
import { useLogin, useSendCode } from '@exchange/web-kit/user/actions.ts';
import { EmailAndCode } from '@exchange/web-kit/user/code-fields.tsx';
import { initialLogin, loginPayload, loginProblems, SIGN_IN_DRAFT } from '@exchange/web-kit/user/forms.ts';
import { Password } from '@exchange/web-kit/user/password-fields.tsx';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { DemoLogin } from './demo-login.tsx';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** Login by email, mailed code and password; afterwards it opens the requested screen. */
export default function LoginScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const lastEmail = useSession((state) => state.lastEmail);
  const isDemo = useIsDemo();
  const form = useForm(initialLogin(lastEmail), loginProblems, SIGN_IN_DRAFT);
  const sendCode = useSendCode('login');
  const login = useLogin();

  const enter = (): void => {
    notify.success(t('welcome'));
    void navigate(pathAfterLogin(search.get('from'), paths.home), { replace: true });
  };

  return (
    <LoginFrame title={t('loginTitle')} aside={isDemo ? <DemoLogin onEntered={enter} /> : undefined}>
      <SubmitForm
        className={classes.form}
        form={form}
        act={() => login.mutateAsync(loginPayload(form.values))}
        onDone={enter}
        isBusy={login.isPending}
        button={t('loginButton')}
      >
        <EmailAndCode form={form} send={sendCode.mutateAsync} />
        <Password form={form} field="password" label={t('password')} />
        <AuthenticatorCode form={form} takesRecovery />
      </SubmitForm>
      <p className={classes.links}>
        <span>
          {t('noAccount')}{' '}
          <Link to={paths.register} replace>
            {t('registerButton')}
          </Link>
        </span>
        <Link to={paths.forget}>{t('forgot')}</Link>
      </p>
    </LoginFrame>
  );
}
