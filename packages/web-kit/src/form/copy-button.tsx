import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';

/** A text with a button that copies it. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const t = useWords('transfer');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      notify.success(t('copied'));
    } catch {
      // Reason: the browser keeps the clipboard from this page; the text can still be marked by hand.
      notify.warning(t('copyFailed'));
    }
  };
  return (
    <Button look="secondary" size="s" onClick={() => void copy()}>
      {label}
    </Button>
  );
}
