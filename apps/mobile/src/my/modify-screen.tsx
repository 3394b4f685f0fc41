import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { notify } from '@exchange/web-kit/shell/notify.ts';
import { useSendCode, useUpdatePassword } from '@exchange/web-kit/user/actions.ts';
import {
  INITIAL_PASSWORD,
  passwordProblems,
  type PasswordForm,
} from '@exchange/web-kit/user/password-form.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { CodeField } from '@exchange/web-kit/ui/code-field.tsx';
import { PasswordField } from '@exchange/web-kit/ui/password-field.tsx';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from '../user/form.module.css';
import { SendCode } from '../user/send-code.tsx';

const FIELDS = [
  { field: 'oldPassword', word: 'oldPassword', autoComplete: 'current-password' },
  { field: 'newPassword', word: 'newPassword', autoComplete: 'new-password' },
  { field: 'confirmPassword', word: 'confirmNewPassword', autoComplete: 'new-password' },
] as const;

/** Changes the login password. */
export default function ModifyScreen() {
  const t = useWords('user');
  const navigate = useNavigate();
  const email = useSession(({ session }) => session?.email ?? '');
  const form = useForm<PasswordForm>(INITIAL_PASSWORD, (values) => passwordProblems(values, email));
  const update = useUpdatePassword();
  const sendCode = useSendCode('password');
  const submit = async () => {
    if (!form.check()) return;
    try {
      await update.mutateAsync(form.values);
      notify.success(t('passwordChanged'));
      void navigate(paths.security, { replace: true });
    } catch (error) {
      // Reason: refused, or not come through; told at its field or as a notice.
      if (!form.refuse(error)) notify.failure(error);
    }
  };
  return (
    <Screen title={t('modifyTitle')} parent={paths.security}>
      <p className={css.lead}>{t('resetHint')}</p>
      <form
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {FIELDS.map(({ field, word, autoComplete }) => (
          <PasswordField
            key={field}
            label={t(word)}
            showLabel={t('showPassword')}
            hideLabel={t('hidePassword')}
            autoComplete={autoComplete}
            value={form.values[field]}
            onChange={(value) => form.set(field, value)}
            onBlur={() => form.leave(field)}
            error={form.errorOf(field)}
            hint={field === 'newPassword' ? t('passwordHint') : undefined}
          />
        ))}
        <CodeField
          label={t('code')}
          placeholder={t('codePlaceholder')}
          value={form.values.code}
          onChange={(code) => form.set('code', code)}
          error={form.errorOf('code')}
          resend={<SendCode isReady={() => true} send={() => sendCode.mutateAsync(email)} />}
        />
        <Button type="submit" size="l" wide busy={update.isPending}>
          {t('changeButton')}
        </Button>
      </form>
    </Screen>
  );
}
