import type { FormPart } from '../form/use-form.ts';
import { MailedCode } from '../form/mailed-code.tsx';
import { useWords } from '../i18n/words.ts';
import { TextField } from '../ui/text-field.tsx';
import type { CodeRequest } from './actions.ts';

interface EmailAndCodeProps {
  form: FormPart<'email' | 'code'>;
  /** Mails the code to the typed address; resolves to the seconds until the next code can be requested. */
  send: (request: CodeRequest) => Promise<number>;
  hint?: string;
}

/** Fields for the account's email address and a mailed code that verifies it. */
export function EmailAndCode({ form, send, hint }: EmailAndCodeProps) {
  const t = useWords('user');
  return (
    <>
      <TextField
        label={t('email')}
        placeholder={t('emailPlaceholder')}
        type="email"
        name="email"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        value={form.values.email}
        onChange={(email) => form.set('email', email)}
        onBlur={() => form.leave('email')}
        error={form.errorOf('email')}
        hint={hint}
      />
      <MailedCode
        form={form}
        send={(observer) => send({ email: form.values.email, ...observer })}
        isReady={() => form.checkField('email')}
      />
    </>
  );
}
