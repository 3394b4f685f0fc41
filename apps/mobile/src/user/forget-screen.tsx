import { ActForm } from '@exchange/web-kit/form/act-form.tsx';
import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useForgetPassword, useSendForgetCode } from '@exchange/web-kit/user/actions.ts';
import { EmailAndCode } from '@exchange/web-kit/user/code-fields.tsx';
import { forgetPayload, forgetProblems, initialForget } from '@exchange/web-kit/user/forget-form.ts';
import { FirstPasswords } from '@exchange/web-kit/user/password-fields.tsx';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './form.module.css';

/** Sets a new password with a mailed code. */
export default function ForgetScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const lastEmail = useSession((state) => state.lastEmail);
  const form = useForm(initialForget(lastEmail), forgetProblems);
  const forget = useForgetPassword();
  const sendCode = useSendForgetCode();
  const finish = () => {
    notify.success(t('passwordReset'));
    void navigate(paths.login, { replace: true });
  };
  return (
    <Screen title={t('forgetTitle')} parent={paths.login}>
      <p className={css.lead}>{t('resetHint')}</p>
      <ActForm
        className={css.form}
        form={form}
        act={() => forget.mutateAsync(forgetPayload(form.values))}
        onDone={finish}
        isBusy={forget.isPending}
        button={t('resetButton')}
      >
        <EmailAndCode form={form} send={sendCode.mutateAsync} />
        <FirstPasswords form={form} replaces />
      </ActForm>
    </Screen>
  );
}
