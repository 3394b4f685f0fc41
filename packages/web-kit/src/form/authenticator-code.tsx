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
  /** Whether a recovery code is as good. */
  readonly takesRecovery?: boolean;
  /** Asked for in any case. */
  readonly isAlways?: boolean;
}

/** The code of the authenticator app, for those who have one: nothing for the others, until the exchange asks for it. */
export function AuthenticatorCode({ form, takesRecovery = false, isAlways = false }: AuthenticatorCodeProps) {
  const t = useWords('user');
  const isBound = useSession(({ hasAuthenticator }) => hasAuthenticator);
  const [isAsked, setAsked] = useState(false);
  const error = form.errorOf('googleCode');
  if (error !== undefined && !isAsked) setAsked(true);
  if (!isAlways && !isBound && !isAsked) return null;
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
