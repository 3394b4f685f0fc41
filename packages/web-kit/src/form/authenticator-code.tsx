import { typedCode, typedDigits } from '../ui/typed-text.ts';
import { useState } from 'react';
import { useWords } from '../i18n/words.ts';
import { useSession } from '../session/session-store.ts';
import { TextField } from '../ui/text-field.tsx';
import type { FormPart } from './use-form.ts';

const DIGITS = 6;
const LONGEST = 11;

interface AuthenticatorCodeProps {
  readonly form: FormPart<'googleCode'>;
  /** True if the field accepts a recovery code as well as an authenticator code. */
  readonly takesRecovery?: boolean;
  /** True if the field is also shown to users who have no authenticator app. */
  readonly isAlways?: boolean;
}

/**
 * Input of the authenticator code. It is shown to users who have an authenticator app, to others once the server has
 * refused the request for lack of a code, and with `isAlways` to all users.
 */
export function AuthenticatorCode({ form, takesRecovery = false, isAlways = false }: AuthenticatorCodeProps) {
  const t = useWords('user');
  const isBound = useSession(({ hasAuthenticator }) => hasAuthenticator);
  const [isRequested, setRequested] = useState(false);
  const error = form.errorOf('googleCode');
  if (error !== undefined && !isRequested) setRequested(true);
  if (!isAlways && !isBound && !isRequested) return null;
  return (
    <TextField
      label={t('authenticatorCode')}
      placeholder={t('authenticatorPlaceholder')}
      hint={takesRecovery ? t('recoveryHint') : undefined}
      name="googleCode"
      inputMode={takesRecovery ? 'text' : 'numeric'}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      value={form.values.googleCode}
      onChange={(value) =>
        form.set(
          'googleCode',
          takesRecovery ? typedCode(value).slice(0, LONGEST) : typedDigits(value).slice(0, DIGITS),
        )
      }
      error={error}
    />
  );
}
