import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { PasswordField } from '@exchange/web-kit/ui/password-field.tsx';
import type { FormPart } from './form-part.ts';

/** A new password and its repetition. */
export function NewPasswordFields({ form }: { form: FormPart<'password' | 'confirmPassword'> }) {
  const t = useWords('user');
  const eyes = { showLabel: t('showPassword'), hideLabel: t('hidePassword'), autoComplete: 'new-password' };
  return (
    <>
      <PasswordField
        {...eyes}
        label={t('password')}
        name="password"
        value={form.values.password}
        onChange={(password) => form.set('password', password)}
        onBlur={() => form.leave('password')}
        error={form.errorOf('password')}
        hint={t('passwordHint')}
      />
      <PasswordField
        {...eyes}
        label={t('confirmPassword')}
        name="confirm-password"
        value={form.values.confirmPassword}
        onChange={(confirmPassword) => form.set('confirmPassword', confirmPassword)}
        onBlur={() => form.leave('confirmPassword')}
        error={form.errorOf('confirmPassword')}
      />
    </>
  );
}
