import { FormAlert } from '@exchange/web-kit/form/submit-form.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { failureText, notify } from '@exchange/web-kit/notify.ts';
import { useIsDemo, useMailIsShown } from '@exchange/web-kit/server/server-info.ts';
import { pathAfterLogin } from '@exchange/web-kit/shell/guard.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { useDemoLogin } from '@exchange/web-kit/user/actions.ts';
import { LoginForm } from '@exchange/web-kit/user/login-form.tsx';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './form.module.css';

/**
 * Login screen: email, password and a code sent by mail, a passkey, or a single tap in demo mode. After the login it
 * opens the screen that the user requested before, or else the home page.
 */
export default function LoginScreen() {
  const t = useWords('user');
  const shell = useWords('shell');
  const isDemo = useIsDemo();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const enter = () => {
    notify.success(t('welcome'));
    void navigate(pathAfterLogin(query.get('from'), paths.home), { replace: true });
  };
  return (
    <Screen title={t('loginTitle')}>
      <LoginForm className={css.form} onEnter={enter} />
      <p className={css.foot} style={{ marginTop: 16 }}>
        <span>
          {t('noAccount')}{' '}
          <Link to={paths.register} replace>
            {shell('register')}
          </Link>
        </span>
        <Link to={paths.forget}>{t('forgot')}</Link>
      </p>
      {isDemo ? <DemoEntry onEnter={enter} /> : null}
    </Screen>
  );
}

function DemoEntry({ onEnter }: { onEnter: () => void }) {
  const t = useWords('user');
  const demo = useDemoLogin();
  const showsMail = useMailIsShown();
  return (
    <section className={css.demo}>
      <h2>{t('demoTitle')}</h2>
      <p>{t('demoText')}</p>
      <Button
        look="secondary"
        wide
        busy={demo.isPending}
        onClick={() => demo.mutate(undefined, { onSuccess: onEnter })}
      >
        {t('demoButton')}
      </Button>
      <FormAlert text={demo.error === null ? undefined : failureText(demo.error)} />
      {showsMail ? (
        <a className={css.mail} href="/dev/mail" target="_blank" rel="noreferrer">
          {t('openMail')}
        </a>
      ) : null}
    </section>
  );
}
