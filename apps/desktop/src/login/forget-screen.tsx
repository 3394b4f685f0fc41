import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useLeaveFor } from '@exchange/web-kit/shell/leave.ts';
import { ResetPassword } from '@exchange/web-kit/user/reset-password.tsx';
import { Link } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** Screen that replaces a forgotten login password after the user has entered a code sent by mail. */
export default function ForgetScreen() {
  const t = useWords('user');
  const leave = useLeaveFor(paths.login);
  return (
    <LoginFrame title={t('forgetTitle')}>
      <ResetPassword className={classes.form} onDone={leave} />
      <p className={classes.hint}>{t('resetHint')}</p>
      <p className={classes.links}>
        <Link
          to={paths.login}
          onClick={(event) => {
            event.preventDefault();
            leave();
          }}
        >
          {t('back')}
        </Link>
      </p>
    </LoginFrame>
  );
}
