import type { FormPart } from '../form/form-part.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { CodeField } from '../ui/code-field.tsx';
import { CountdownButton } from '../ui/countdown-button.tsx';
import { TextField } from '../ui/text-field.tsx';

interface MailedCodeProps {
  form: FormPart<'code'>;
  /** Mails the code, and gives the wait for the next in seconds. */
  send: () => Promise<number>;
  /** Whether what the code is sent for is filled in; shows its error where it is not. */
  isReady?: () => boolean;
}

/** The code that confirms a form, and the button that mails it. */
export function MailedCode({ form, send, isReady = () => true }: MailedCodeProps) {
  const t = useWords('user');
  const press = async () => {
    if (!isReady()) return undefined;
    try {
      const waitSeconds = await send();
      notify.success(t('codeSent'));
      return waitSeconds;
    } catch (error) {
      // Reason: refused (too soon, too many) or not come through; the sentence says which.
      notify.failure(error);
      return undefined;
    }
  };
  return (
    <CodeField
      label={t('code')}
      placeholder={t('codePlaceholder')}
      value={form.values.code}
      onChange={(code) => form.set('code', code)}
      error={form.errorOf('code')}
      hint={t('spamHint')}
      resend={
        <CountdownButton
          label={t('sendCode')}
          waiting={(seconds) => t('resendIn', { seconds })}
          onPress={press}
        />
      }
    />
  );
}

interface EmailAndCodeProps {
  form: FormPart<'email' | 'code'>;
  /** Mails the code to the address typed, and gives the wait for the next in seconds. */
  send: (email: string) => Promise<number>;
  hint?: string;
}

/** The address that an account goes by, and a code that proves it is one's own. */
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
      <MailedCode form={form} send={() => send(form.values.email)} isReady={() => form.checkField('email')} />
    </>
  );
}
