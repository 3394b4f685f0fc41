import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ChangePassword } from '@exchange/web-kit/user/change-password.tsx';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login.module.css';

/** Changes the login password of the signed-in person. */
export default function ModifyScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  return (
    <LoginFrame title={t('modifyTitle')}>
      <ChangePassword
        className={classes.form}
        onDone={() => void navigate(paths.setting.security, { replace: true })}
      />
      <p className={classes.hint}>{t('modifyHint')}</p>
    </LoginFrame>
  );
}
