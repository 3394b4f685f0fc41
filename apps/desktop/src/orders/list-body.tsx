import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { failureText } from '@exchange/web-kit/notify.ts';
import { EmptyState, ErrorState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import type { ReactNode } from 'react';
import classes from './orders.module.css';

interface ListBodyProps {
  readonly isLoading: boolean;
  /** That of a `Read`: null where there are data. */
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly isEmpty: boolean;
  readonly empty: ReactNode;
  /** The one thing that would fill the list. */
  readonly action?: ReactNode;
  readonly skeletonRows?: number;
  readonly children: ReactNode;
}

/** The four states of every list: loading, failed, empty, content. */
export function ListBody(props: ListBodyProps) {
  const t = useWords('shell');
  if (props.isLoading) {
    return (
      <div className={classes.skeleton}>
        <SkeletonRows rows={props.skeletonRows ?? 4} height={14} gap={18} />
      </div>
    );
  }
  if (props.error !== null) {
    return <ErrorState text={failureText(props.error)} retryLabel={t('retry')} onRetry={props.onRetry} />;
  }
  if (props.isEmpty) return <EmptyState text={props.empty} action={props.action} />;
  return props.children;
}
