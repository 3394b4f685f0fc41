import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useLeaveFor } from '@exchange/web-kit/shell/leave.ts';
import { ChangePassword } from '@exchange/web-kit/user/change-password.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from '../user/form.module.css';

export default function ModifyScreen() {
  const t = useWords('user');
  const leave = useLeaveFor(paths.security);
  return (
    <Screen title={t('modifyTitle')} parent={paths.security}>
      <p className={css.lead}>{t('modifyHint')}</p>
      <ChangePassword className={css.form} onDone={leave} />
    </Screen>
  );
}
