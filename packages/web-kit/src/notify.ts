import { CallFailed, CallRefused } from './api/client.ts';
import { labelText } from './i18n/words.ts';
import { SessionChanged } from './session/session-store.ts';
import { toast } from './ui/toast.tsx';

/** Short notices on top of the page. Text that starts with `l.` is the key of a sentence. */
export const notify = {
  success: (text: string) => toast('success', labelText(text)),
  error: (text: string) => toast('error', labelText(text)),
  warning: (text: string) => toast('warning', labelText(text)),
  /** Something that the person asked to be notified of, such as a price. */
  alert: (text: string) => toast('alert', labelText(text)),
  /** What a call was refused with, or that it did not come through. Silent about a call of a session that has ended. */
  failure: (error: unknown) => {
    if (!(error instanceof SessionChanged)) toast('error', failureText(error));
  },
};

/** The sentence for an error of a call. */
export function failureText(error: unknown): string {
  if (error instanceof CallRefused || error instanceof CallFailed) return labelText(error.message);
  return labelText('l.error');
}
