import { Copy } from 'lucide-react';
import { shortened } from '../format/codes.ts';
import { IconButton } from '../ui/button.tsx';
import css from './short-code.module.css';
import { useCopy } from './use-copy.ts';

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
