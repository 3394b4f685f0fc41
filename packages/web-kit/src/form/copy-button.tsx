import { Copy, ExternalLink } from 'lucide-react';
import { shortenCode } from '../format/grouped-code.tsx';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { copyText } from './clipboard.ts';
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

/**
 * Returns a function that copies a text and shows a notification: on success with the given text (default “Copied”),
 * otherwise with a failure.
 */
export function useCopy(): (text: string, confirmation?: string) => Promise<void> {
  const t = useWords('transfer');
  return async (text, confirmation = t('copied')) => {
    if (await copyText(text)) notify.success(confirmation);
    else notify.warning(t('copyFailed'));
  };
}

interface ShortCodeProps {
  /** A blockchain address or transaction ID. */
  readonly text: string;
  readonly copyLabel: string;
  /** URL of a block explorer's page about this transaction; without it there is no link. */
  readonly explorer?: string | undefined;
}

/**
 * A long address or ID, shortened in the middle; its tooltip shows the full text, and a button copies the full text.
 */
export function ShortCode({ text, copyLabel, explorer }: ShortCodeProps) {
  const t = useWords('transfer');
  const copy = useCopy();
  return (
    <span className={css.code}>
      <code title={text}>{shortenCode(text)}</code>
      <IconButton label={copyLabel} className={css.copy} onClick={() => void copy(text)}>
        <Copy size={14} aria-hidden="true" />
      </IconButton>
      {explorer === undefined ? null : (
        <a
          className={css.page}
          href={explorer}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('openExplorer')}
          title={t('openExplorer')}
        >
          <ExternalLink size={14} aria-hidden="true" />
        </a>
      )}
    </span>
  );
}
