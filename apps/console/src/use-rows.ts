import {
  callOperators,
  rowsOf,
  totalOf,
  type Row,
  type RowsDescription,
} from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLatest } from './latest-answer.ts';
import { useOperatorReturn } from './session.ts';

interface LoadedRows {
  /** The path from which the rows were fetched; once the list has another path, these rows are not shown. */
  readonly path: string;
  /**
   * Rows of the list at `path` that were loaded from the server; undefined until the first successful
   * response.
   */
  readonly rows: readonly Row[] | undefined;
  readonly next: string | undefined;
  /** Total number of rows on the server; undefined when the server does not state it. */
  readonly total: number | undefined;
  readonly error: string;
}

/**
 * Hook that fetches the rows of a list when its path changes, and returns them with functions that fetch them
 * again and that load the next page. The loaded rows stay visible when a later request fails. With an empty
 * path no request is made.
 */
export function useRows(path: string, description: RowsDescription | undefined, onEnded: () => void) {
  const [loaded, setLoaded] = useState<LoadedRows>();
  const isThere = useRef(false);
  const request = useCallback(
    (before?: string) => {
      const behind = before === undefined ? '' : `${path.includes('?') ? '&' : '?'}before=${before}`;
      return callOperators(path + behind);
    },
    [path],
  );
  const fetchPage = useLatest(request, ({ status, body, error }, before) => {
    isThere.current = error === undefined;
    if (status === 401) return onEnded();
    setLoaded((present) => {
      const loadedRows =
        present?.path === path ? present : { path, rows: undefined, next: undefined, total: undefined };
      if (error !== undefined) return { ...loadedRows, error };
      const rows = rowsOf(description, body);
      return {
        path,
        error: '',
        next: typeof body['next'] === 'string' ? body['next'] : undefined,
        total: totalOf(body),
        rows: before === undefined ? rows : [...(loadedRows.rows ?? []), ...rows],
      };
    });
  });
  useEffect(() => {
    if (path !== '') void fetchPage();
  }, [path, fetchPage]);
  // After an operator has signed in again, the rows are fetched only if the last request failed or none was answered;
  // otherwise they stay, and with them any typed input.
  useOperatorReturn(() => {
    if (path !== '' && !isThere.current) void fetchPage();
  });
  const { rows, next, total, error = '' } = loaded?.path === path ? loaded : ({} as Partial<LoadedRows>);
  return {
    rows,
    total,
    error,
    load: () => fetchPage(),
    more: next === undefined ? undefined : () => fetchPage(next),
  };
}
