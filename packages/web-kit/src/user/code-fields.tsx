import type { FormPart } from '../form/use-form.ts';
import { MailedCode } from '../form/mailed-code.tsx';
import { useWords } from '../i18n/words.ts';
import { TextField } from '../ui/text-field.tsx';
import type { CodeRequest } from './actions.ts';

interface EmailAndCodeProps {
  form: FormPart<'email' | 'code'>;
  /**
   * Requests an email code for the typed address; resolves to the number of seconds until another code may be
   * requested.
   */
  send: (request: CodeRequest) => Promise<number>;
  hint?: string;
}

interface EmailFieldProps {
  readonly form: FormPart<'email'>;
  readonly hint?: string | undefined;
  /** True if the browser may offer passkeys in the autofill of the email field. */
  readonly offersPasskeys?: boolean;
}

/** Input of the account's email address. */
export function EmailField({ form, hint, offersPasskeys = false }: EmailFieldProps) {
  const t = useWords('user');
  return (
    <TextField
      label={t('email')}
      placeholder={t('emailPlaceholder')}
      type="email"
      name="email"
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      inputMode="email"
      autoCapitalize="none"
      value={form.values.email}
      onChange={(email) => form.set('email', email)}
      onBlur={() => form.leave('email')}
      error={form.errorOf('email')}
      hint={hint}
    />
  );
}

/** Inputs of the account's email address and of the email code that verifies it. */
export function EmailAndCode({ form, send, hint }: EmailAndCodeProps) {
  return (
    <>
      <EmailField form={form} hint={hint} />
      <MailedCode
        form={form}
        send={(observer) => send({ email: form.values.email, ...observer })}
        isReady={() => form.checkField('email')}
      />
    </>
  );
}
