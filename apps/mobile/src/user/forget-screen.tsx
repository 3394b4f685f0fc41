import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useLeaveFor } from '@exchange/web-kit/shell/leave.ts';
import { ResetPassword } from '@exchange/web-kit/user/reset-password.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './form.module.css';

/** Screen that replaces a forgotten login password after the user has entered a code sent by mail. */
export default function ForgetScreen() {
  const t = useWords('user');
  const leave = useLeaveFor(paths.login);
  return (
    <Screen title={t('forgetTitle')} parent={paths.login}>
      <p className={css.lead}>{t('resetHint')}</p>
      <ResetPassword className={css.form} onDone={leave} />
    </Screen>
  );
}
