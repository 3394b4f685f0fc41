import { FileQuestion } from 'lucide-react';
import type { ReactNode } from 'react';
import { CallRefused } from '../api/client.ts';
import { ButtonLink } from '../ui/button.tsx';
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
  /** What a screen of one thing shows where its address names none that exists, with the way to the list. */
  readonly missing?: MissingItem;
  /** What is waited for: the lines of a table, or cards from edge to edge. */
  readonly look?: 'lines' | 'cards';
  readonly skeletonRows?: number;
  readonly children: ReactNode;
}

export interface MissingItem {
  /** Says that the item does not exist. */
  readonly text: string;
  /** The list that the item would be in; absent where the list is already on screen. */
  readonly list?: { readonly name: string; readonly path: string };
}

/**
 * The states of everything that is loaded: loading, failed with a way to try again, missing with the way to the list,
 * empty, content.
 */
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
  if (props.missing !== undefined && props.error instanceof CallRefused && props.error.isMissing) {
    const { text, list } = props.missing;
    return (
      <EmptyState
        icon={<FileQuestion size={22} />}
        text={text}
        action={
          list === undefined ? undefined : (
            <ButtonLink look="secondary" size="m" to={list.path}>
              {list.name}
            </ButtonLink>
          )
        }
      />
    );
  }
  if (props.error !== null) {
    return <LoadFailed error={props.error} onRetry={props.onRetry} />;
  }
  if (props.isEmpty === true) return <EmptyState text={props.empty} action={props.action} />;
  return props.children;
}
