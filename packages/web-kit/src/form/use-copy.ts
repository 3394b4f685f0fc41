import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';

/** Copies a text, and says whether that was possible. */
export function useCopy(): (text: string) => Promise<void> {
  const t = useWords('transfer');
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      notify.success(t('copied'));
    } catch {
      // Reason: the browser keeps the clipboard from this page; the text can still be marked by hand.
      notify.warning(t('copyFailed'));
    }
  };
}
