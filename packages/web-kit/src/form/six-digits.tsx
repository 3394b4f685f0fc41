import { typedDigits } from '../ui/typed-text.ts';
import type { ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { PasswordField } from '../ui/text-field.tsx';
import type { FormPart } from './use-form.ts';

interface SixDigitsProps<Field extends string> {
  form: FormPart<Field>;
  field: Field;
  label: string;
  hint?: ReactNode;
}

const DIGITS = 6;

/**
 * Input of the trade password of six digits. It removes other characters, and the browser does not fill it in
 * automatically.
 */
export function SixDigits<Field extends string>({ form, field, label, hint }: SixDigitsProps<Field>) {
  const t = useWords('user');
  return (
    <PasswordField
      label={label}
      {...(hint === undefined ? {} : { hint })}
      showLabel={t('showPassword')}
      hideLabel={t('hidePassword')}
      inputMode="numeric"
      autoComplete="off"
      value={form.values[field]}
      onChange={(value) => form.set(field, typedDigits(value).slice(0, DIGITS))}
      onBlur={() => form.leave(field)}
      error={form.errorOf(field)}
    />
  );
}
