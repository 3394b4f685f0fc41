import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { TextField } from '@exchange/web-kit/ui/text-field.tsx';

interface EmailFieldProps {
  value: string;
  onChange: (email: string) => void;
  onLeave: () => void;
  error: string | undefined;
  hint?: string;
}

/** The address that an account goes by. */
export function EmailField({ value, onChange, onLeave, error, hint }: EmailFieldProps) {
  const t = useWords('user');
  return (
    <TextField
      label={t('email')}
      placeholder={t('emailPlaceholder')}
      type="email"
      name="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      value={value}
      onChange={onChange}
      onBlur={onLeave}
      error={error}
      hint={hint}
    />
  );
}
