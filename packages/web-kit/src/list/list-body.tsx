import { FileQuestion } from 'lucide-react';
import type { ReactNode } from 'react';
import { CallRefused } from '../api/client.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState, SkeletonRows } from '../ui/parts.tsx';
import classes from './list-body.module.css';
import { LoadFailed } from './load-failed.tsx';

interface ListBodyProps {
  readonly isLoading: boolean;
  /**
   * Error of the query if it has no data to show; null if the request succeeded, or if it failed but previously loaded
   * data are shown.
   */
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** True if the list has no items; `empty` is then shown instead of the children. */
  readonly isEmpty?: boolean;
  readonly empty?: ReactNode;
  /** Button or link shown below `empty`, for example to create the first item or to reset the filters. */
  readonly action?: ReactNode;
  /**
   * Content shown instead of the list when the server answers that the item does not exist; set only where a
   * single item is shown.
   */
  readonly missing?: MissingItem;
  /** Shape of the placeholder while loading: lines of a table (the default), or cards of full width. */
  readonly look?: 'lines' | 'cards';
  readonly skeletonRows?: number;
  /**
   * Placeholder with exactly the height of the content, so that elements below the list do not shift when it has
   * loaded.
   */
  readonly skeleton?: ReactNode;
  readonly children: ReactNode;
}

export interface MissingItem {
  readonly text: string;
  /** Link to the list in which the missing item would be; absent when the list is on the same screen. */
  readonly list?: { readonly name: string; readonly path: string };
}

/** Renders the state of a query: loading, failed with a retry button, item not found, empty list, or the children. */
export function ListBody(props: ListBodyProps) {
  const { look = 'lines', skeletonRows } = props;
  if (props.isLoading && props.skeleton !== undefined) {
    return <div aria-busy="true">{props.skeleton}</div>;
  }
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
