import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useSendCode, useUpdatePassword } from '@exchange/web-kit/user/actions.ts';
import {
  INITIAL_PASSWORD,
  passwordProblems,
  type PasswordForm,
} from '@exchange/web-kit/user/password-form.ts';
import { PasswordField } from '@exchange/web-kit/ui/password-field.tsx';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { ActForm } from '../user/act-form.tsx';
import { MailedCode } from '../user/code-fields.tsx';
import css from '../user/form.module.css';

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
  const finish = () => {
    notify.success(t('passwordChanged'));
    void navigate(paths.security, { replace: true });
  };
  return (
    <Screen title={t('modifyTitle')} parent={paths.security}>
      <p className={css.lead}>{t('modifyHint')}</p>
      <ActForm
        form={form}
        act={() => update.mutateAsync(form.values)}
        onDone={finish}
        isBusy={update.isPending}
        button={t('changeButton')}
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
        <MailedCode form={form} send={() => sendCode.mutateAsync(email)} />
      </ActForm>
    </Screen>
  );
}
