import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ChangePassword } from '@exchange/web-kit/user/change-password.tsx';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from '../user/form.module.css';

/** Changes the login password. */
export default function ModifyScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  return (
    <Screen title={t('modifyTitle')} parent={paths.security}>
      <p className={css.lead}>{t('modifyHint')}</p>
      <ChangePassword className={css.form} onDone={() => void navigate(paths.security, { replace: true })} />
    </Screen>
  );
}
