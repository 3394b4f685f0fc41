import { CallFailed, CallRefused } from './api/client.ts';
import { labelText } from './i18n/words.ts';
import { PasskeyFailed } from './form/passkey-failed.ts';
import { SessionChanged } from './session/session-store.ts';
import { toast } from './ui/toast.tsx';

/** Functions that show a notification on the page. A text that starts with `l.` is a translation key. */
export const notify = {
  success: (text: string) => toast('success', labelText(text)),
  error: (text: string) => toast('error', labelText(text)),
  warning: (text: string) => toast('warning', labelText(text)),
  /** Shows that a price alert has triggered. */
  alert: (text: string) => toast('alert', labelText(text)),
  /**
   * Shows a refusal or a network failure of a request. Does nothing if the session in which the request was sent has
   * ended.
   */
  failure: (error: unknown) => {
    if (!(error instanceof SessionChanged)) toast('error', failureText(error));
  },
};

/** Returns the text that explains to the user why a request failed. */
export function failureText(error: unknown): string {
  if (error instanceof CallRefused || error instanceof CallFailed || error instanceof PasskeyFailed)
    return labelText(error.message);
  return labelText('l.error');
}
