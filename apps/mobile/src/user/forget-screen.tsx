import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { notify } from '@exchange/web-kit/shell/notify.ts';
import { useForgetPassword, useSendForgetCode } from '@exchange/web-kit/user/actions.ts';
import { forgetPayload, forgetProblems, initialForget } from '@exchange/web-kit/user/forget-form.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { CodeField } from '@exchange/web-kit/ui/code-field.tsx';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { EmailField } from './email-field.tsx';
import css from './form.module.css';
import { NewPasswordFields } from './new-password-fields.tsx';
import { SendCode } from './send-code.tsx';

/** Sets a new password with a mailed code. */
export default function ForgetScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const lastEmail = useSession((state) => state.lastEmail);
  const form = useForm(initialForget(lastEmail), forgetProblems);
  const forget = useForgetPassword();
  const sendCode = useSendForgetCode();
  const submit = async () => {
    if (!form.check()) return;
    try {
      await forget.mutateAsync(forgetPayload(form.values));
      notify.success(t('passwordReset'));
      void navigate(paths.login, { replace: true });
    } catch (error) {
      // Reason: refused, or not come through; told at its field or as a notice.
      if (!form.refuse(error)) notify.failure(error);
    }
  };
  return (
    <Screen title={t('forgetTitle')} parent={paths.login}>
      <p className={css.lead}>{t('resetHint')}</p>
      <form
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <EmailField
          value={form.values.email}
          onChange={(email) => form.set('email', email)}
          onLeave={() => form.leave('email')}
          error={form.errorOf('email')}
        />
        <CodeField
          label={t('code')}
          placeholder={t('codePlaceholder')}
          value={form.values.code}
          onChange={(code) => form.set('code', code)}
          error={form.errorOf('code')}
          hint={t('spamHint')}
          resend={
            <SendCode
              isReady={() => form.checkField('email')}
              send={() => sendCode.mutateAsync(form.values.email)}
            />
          }
        />
        <NewPasswordFields form={form} />
        <Button type="submit" size="l" wide busy={forget.isPending}>
          {t('resetButton')}
        </Button>
      </form>
    </Screen>
  );
}
