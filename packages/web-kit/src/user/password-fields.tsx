import type { FormPart } from '../form/use-form.ts';
import { useWords } from '../i18n/words.ts';
import { PasswordField } from '../ui/text-field.tsx';

interface SecretProps<Field extends string> {
  form: FormPart<Field>;
  field: Field;
  label: string;
  hint?: string | undefined;
}

interface PasswordProps<Field extends string> extends SecretProps<Field> {
  /** True if password managers should suggest a new password instead of entering a stored one. */
  isNew?: boolean;
}

export function Password<Field extends string>({
  form,
  field,
  label,
  hint,
  isNew = false,
}: PasswordProps<Field>) {
  const t = useWords('user');
  return (
    <PasswordField
      label={label}
      showLabel={t('showPassword')}
      hideLabel={t('hidePassword')}
      name={field}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      value={form.values[field]}
      onChange={(value) => form.set(field, value)}
      onBlur={() => form.leave(field)}
      error={form.errorOf(field)}
      hint={hint}
    />
  );
}

interface FirstPasswordsProps {
  form: FormPart<'password' | 'confirmPassword'>;
  /** True if the new password replaces an existing one: the labels then say "new password". */
  replaces?: boolean;
}

/** Two inputs for a new password: the password and its repetition. */
export function FirstPasswords({ form, replaces = false }: FirstPasswordsProps) {
  const t = useWords('user');
  return (
    <>
      <Password
        form={form}
        field="password"
        label={t(replaces ? 'newPassword' : 'password')}
        hint={t('passwordHint')}
        isNew
      />
      <Password
        form={form}
        field="confirmPassword"
        label={t(replaces ? 'confirmNewPassword' : 'confirmPassword')}
        isNew
      />
    </>
  );
}

/** Inputs for the old login password, the new one, and the repetition of the new one. */
export function ChangedPasswords({
  form,
}: {
  form: FormPart<'oldPassword' | 'newPassword' | 'confirmPassword'>;
}) {
  const t = useWords('user');
  return (
    <>
      <Password form={form} field="oldPassword" label={t('oldPassword')} />
      <Password form={form} field="newPassword" label={t('newPassword')} hint={t('passwordHint')} isNew />
      <Password form={form} field="confirmPassword" label={t('confirmNewPassword')} isNew />
    </>
  );
}
