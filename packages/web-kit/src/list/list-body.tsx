import type { ReactNode } from 'react';
import { EmptyState, SkeletonRows } from '../ui/parts.tsx';
import classes from './list-body.module.css';
import { LoadFailed } from './load-failed.tsx';

interface ListBodyProps {
  readonly isLoading: boolean;
  /** That of a `Read`: null where there are data. */
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** Whether there is nothing to show; what is said then is `empty`. */
  readonly isEmpty?: boolean;
  readonly empty?: ReactNode;
  /** The one thing that would fill the list. */
  readonly action?: ReactNode;
  /** What is waited for: the lines of a table, or cards from edge to edge. */
  readonly look?: 'lines' | 'cards';
  readonly skeletonRows?: number;
  readonly children: ReactNode;
}

/** The four states of everything that is loaded: loading, failed with a way to try again, empty, content. */
export function ListBody(props: ListBodyProps) {
  const { look = 'lines', skeletonRows } = props;
  if (props.isLoading && look === 'cards') return <SkeletonRows rows={skeletonRows ?? 5} height={40} />;
  if (props.isLoading) {
    return (
      <div className={classes.skeleton}>
        <SkeletonRows rows={skeletonRows ?? 4} height={14} gap={18} />
      </div>
    );
  }
  if (props.error !== null) {
    return <LoadFailed error={props.error} onRetry={props.onRetry} />;
  }
  if (props.isEmpty === true) return <EmptyState text={props.empty} action={props.action} />;
  return props.children;
}
