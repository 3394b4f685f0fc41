import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/shell/notify.ts';
import { CountdownButton } from '@exchange/web-kit/ui/countdown-button.tsx';

interface SendCodeProps {
  /** Whether what the code is sent for is filled in; shows its error where it is not. */
  isReady: () => boolean;
  /** Sends, and gives the wait for the next in seconds. */
  send: () => Promise<number>;
}

/** Sends a code by mail, then counts down until the next may be asked for. */
export function SendCode({ isReady, send }: SendCodeProps) {
  const t = useWords('user');
  const press = async () => {
    if (!isReady()) return undefined;
    try {
      const wait = await send();
      notify.success(t('codeSent'));
      return wait;
    } catch (error) {
      // Reason: refused (too soon, too many) or not come through; the sentence says which.
      notify.failure(error);
      return undefined;
    }
  };
  return (
    <CountdownButton
      label={t('sendCode')}
      waiting={(seconds) => t('resendIn', { seconds })}
      onPress={press}
    />
  );
}
