import { Copy } from 'lucide-react';
import { shortenCode } from '../format/grouped-code.tsx';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button, IconButton } from '../ui/button.tsx';
import css from './copy-button.module.css';

/** A button that copies a text. */
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

/** Copies a text and shows whether that succeeded. */
function useCopy(): (text: string) => Promise<void> {
  const t = useWords('transfer');
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      notify.success(t('copied'));
    } catch {
      // Reason: the browser denied clipboard access; the text can still be selected by hand.
      notify.warning(t('copyFailed'));
    }
  };
}

interface ShortCodeProps {
  /** A blockchain address or transaction ID. */
  readonly text: string;
  /** Accessible label of the copy button. */
  readonly copyLabel: string;
}

/** A long code shortened in the middle; its tooltip shows the full code and a button copies it. */
export function ShortCode({ text, copyLabel }: ShortCodeProps) {
  const copy = useCopy();
  return (
    <span className={css.code}>
      <code title={text}>{shortenCode(text)}</code>
      <IconButton label={copyLabel} className={css.copy} onClick={() => void copy(text)}>
        <Copy size={14} aria-hidden="true" />
      </IconButton>
    </span>
  );
}
