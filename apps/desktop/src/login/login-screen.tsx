import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { pathAfterLogin } from '@exchange/web-kit/shell/guard.ts';
import { LoginForm } from '@exchange/web-kit/user/login-form.tsx';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { DemoLogin } from './demo-login.tsx';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/**
 * Login screen: email, password and a code sent by mail, a passkey, or a single click in demo mode. After the login it
 * opens the screen that the user requested before, or else the home page.
 */
export default function LoginScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const isDemo = useIsDemo();

  const enter = (): void => {
    notify.success(t('welcome'));
    void navigate(pathAfterLogin(search.get('from'), paths.home), { replace: true });
  };

  return (
    <LoginFrame title={t('loginTitle')} aside={isDemo ? <DemoLogin onEntered={enter} /> : undefined}>
      <LoginForm className={classes.form} onEnter={enter} />
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
