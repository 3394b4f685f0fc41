import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useLeaveFor } from '@exchange/web-kit/shell/leave.ts';
import { ChangePassword } from '@exchange/web-kit/user/change-password.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** Screen on which the signed-in user changes the login password. */
export default function ModifyScreen() {
  const t = useWords('user');
  const leave = useLeaveFor(paths.security);
  return (
    <LoginFrame title={t('modifyTitle')}>
      <ChangePassword className={classes.form} onDone={leave} />
      <p className={classes.hint}>{t('modifyHint')}</p>
    </LoginFrame>
  );
}
