import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { CodeField } from '@exchange/web-kit/ui/code-field.tsx';
import { CountdownButton } from '@exchange/web-kit/ui/countdown-button.tsx';
import { PasswordField } from '@exchange/web-kit/ui/password-field.tsx';
import { TextField } from '@exchange/web-kit/ui/text-field.tsx';

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur: () => void;
  readonly error: string | undefined;
}

export function EmailField(props: FieldProps) {
  const t = useWords('user');
  return (
    <TextField
      label={t('email')}
      type="email"
      name="email"
      autoComplete="email"
      placeholder={t('emailPlaceholder')}
      {...props}
    />
  );
}

interface SecretFieldProps extends FieldProps {
  readonly label: string;
  readonly isNew?: boolean;
  readonly hint?: string;
}

/** A password; `isNew` lets password managers propose one. */
export function SecretField({ isNew = false, ...rest }: SecretFieldProps) {
  const t = useWords('user');
  return (
    <PasswordField
      {...rest}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      showLabel={t('showPassword')}
      hideLabel={t('hidePassword')}
    />
  );
}

interface MailedCodeFieldProps extends FieldProps {
  /** Whether a code can be sent; shows what is missing. */
  readonly isReady?: () => boolean;
  /** Sends the code and gives the seconds to wait for the next. */
  readonly onSend: () => Promise<number>;
}

/** The mailed code with the button that sends it and its countdown. */
export function MailedCodeField({ value, onChange, error, isReady, onSend }: MailedCodeFieldProps) {
  const t = useWords('user');
  const send = async (): Promise<number | undefined> => {
    if (isReady !== undefined && !isReady()) return undefined;
    try {
      const waitSeconds = await onSend();
      notify.success(t('codeSent'));
      return waitSeconds;
    } catch (failure) {
      // Refused or not arrived: said in a toast, and the button stays ready.
      notify.failure(failure);
      return undefined;
    }
  };
  return (
    <CodeField
      label={t('code')}
      placeholder={t('codePlaceholder')}
      value={value}
      onChange={onChange}
      error={error}
      hint={t('spamHint')}
      resend={
        <CountdownButton
          label={t('sendCode')}
          waiting={(seconds) => t('resendIn', { seconds })}
          onPress={send}
        />
      }
    />
  );
}
