import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ResetPassword } from '@exchange/web-kit/user/reset-password.tsx';
import { Link, useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** A new login password with a mailed code. */
export default function ForgetScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  return (
    <LoginFrame title={t('forgetTitle')}>
      <ResetPassword
        className={classes.form}
        onDone={() => void navigate(paths.login.login, { replace: true })}
      />
      <p className={classes.hint}>{t('resetHint')}</p>
      <p className={classes.links}>
        <Link to={paths.login.login}>{t('back')}</Link>
      </p>
    </LoginFrame>
  );
}
