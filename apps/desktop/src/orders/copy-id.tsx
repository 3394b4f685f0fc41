import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Copy, Link2 } from 'lucide-react';
import { useHref } from 'react-router';
import { orderPath } from '../paths.ts';
import classes from './orders.module.css';

/** An order's number with the ways to take it along: as text, or as a link that opens its details. */
export function CopyId({ id }: { readonly id: string }) {
  const tDesk = useWords('desktop-orders');
  const link = new URL(useHref(orderPath(id)), location.origin).href;

  const copy = async (text: string, said: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      notify.success(said);
    } catch {
      // Reason: the browser keeps the clipboard from this page; the number can still be marked by hand.
      notify.warning(tDesk('copyFailed'));
    }
  };
  return (
    <span className={classes.id}>
      <code>{id}</code>
      <button
        type="button"
        className={classes.action}
        aria-label={tDesk('copyId')}
        title={tDesk('copyId')}
        onClick={() => void copy(id, tDesk('copied'))}
      >
        <Copy size={14} aria-hidden="true" />
      </button>
      <button
        type="button"
        className={classes.action}
        aria-label={tDesk('copyLink')}
        title={tDesk('copyLink')}
        onClick={() => void copy(link, tDesk('linkCopied'))}
      >
        <Link2 size={15} aria-hidden="true" />
      </button>
    </span>
  );
}
