import { Copy } from 'lucide-react';
import { shortened } from '../format/grouped-code.tsx';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button, IconButton } from '../ui/button.tsx';
import css from './copy-button.module.css';

/** A text with a button that copies it. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const copy = useCopy();
  return (
    <Button
      look="secondary"
      size="s"
      icon={<Copy size={14} aria-hidden="true" />}
      onClick={() => void copy(text)}
    >
      {label}
    </Button>
  );
}

/** Copies a text, and says whether that was possible. */
function useCopy(): (text: string) => Promise<void> {
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

interface ShortCodeProps {
  /** An address or the ID of a transaction. */
  readonly text: string;
  /** What the button that copies it says. */
  readonly copyLabel: string;
}

/** A long code, shortened in the middle: hovering shows all of it, and a button copies all of it. */
export function ShortCode({ text, copyLabel }: ShortCodeProps) {
  const copy = useCopy();
  return (
    <span className={css.code}>
      <code title={text}>{shortened(text)}</code>
      <IconButton label={copyLabel} className={css.copy} onClick={() => void copy(text)}>
        <Copy size={14} aria-hidden="true" />
      </IconButton>
    </span>
  );
}
