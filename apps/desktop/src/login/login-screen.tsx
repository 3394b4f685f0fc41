import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { pathAfterLogin } from '@exchange/web-kit/shell/guard.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { useLogin, useSendCode } from '@exchange/web-kit/user/actions.ts';
import { initialLogin, loginPayload, loginProblems } from '@exchange/web-kit/user/login-form.ts';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { paths } from '../paths.ts';
import { DemoDoor } from './demo-door.tsx';
import { EmailField, MailedCodeField, SecretField } from '../forms/fields.tsx';
import { useSentForm } from '../forms/use-sent-form.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** E-mail, mailed code and password; afterwards one is where one wanted to go. */
export default function LoginScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const lastEmail = useSession((state) => state.lastEmail);
  const isDemo = useIsDemo();
  const sendCode = useSendCode('login');
  const login = useLogin();

  const enter = (): void => {
    notify.success(t('welcome'));
    void navigate(pathAfterLogin(search.get('from'), paths.home), { replace: true });
  };
  const { form, field, checkField, submit } = useSentForm(
    initialLogin(lastEmail),
    loginProblems,
    (filled, fail) => login.mutate(loginPayload(filled), { onSuccess: enter, onError: fail }),
  );

  return (
    <LoginFrame title={t('loginTitle')} aside={isDemo ? <DemoDoor onEntered={enter} /> : undefined}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <EmailField {...field('email')} />
        <MailedCodeField
          {...field('code')}
          isReady={() => checkField('email')}
          onSend={() => sendCode.mutateAsync(form.email)}
        />
        <SecretField label={t('password')} {...field('password')} />
        <Button type="submit" size="l" wide busy={login.isPending}>
          {t('loginButton')}
        </Button>
      </form>
      <p className={classes.links}>
        <span>
          {t('noAccount')} <Link to={paths.login.register}>{t('registerButton')}</Link>
        </span>
        <Link to={paths.login.forget}>{t('forgot')}</Link>
      </p>
    </LoginFrame>
  );
}
