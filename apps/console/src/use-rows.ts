import { callOperators, rowsOf, totalOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useReturn } from './session.ts';

interface Found {
  /** What was asked for: another list's rows are not shown for this one. */
  readonly path: string;
  /** Undefined until the first answer, and where that was a refusal. */
  readonly rows: readonly Row[] | undefined;
  readonly next: string | undefined;
  /** How many rows the list has on the server; undefined where it does not say. */
  readonly total: number | undefined;
  readonly error: string;
}

/** The rows of a list, and the way to those behind them. What fails later leaves the rows that are there. */
export function useRows(path: string, onEnded: () => void) {
  const [found, setFound] = useState<Found>();
  const isThere = useRef(false);
  const ask = useCallback(
    (before?: string) => {
      if (path === '') return Promise.resolve();
      const behind = before === undefined ? '' : `${path.includes('?') ? '&' : '?'}before=${before}`;
      return callOperators(path + behind).then(({ status, body, error }) => {
        isThere.current = error === undefined;
        if (status === 401) return onEnded();
        setFound((present) => {
          const known =
            present?.path === path ? present : { path, rows: undefined, next: undefined, total: undefined };
          if (error !== undefined) return { ...known, error };
          const rows = rowsOf(body);
          return {
            path,
            error: '',
            next: typeof body['next'] === 'string' ? body['next'] : undefined,
            total: totalOf(body),
            rows: before === undefined ? rows : [...(known.rows ?? []), ...rows],
          };
        });
      });
    },
    [path, onEnded],
  );
  useEffect(() => void ask(), [ask]);
  // Whoever comes back finds the list as it was, with what they had begun beside it.
  useReturn(() => {
    if (!isThere.current) void ask();
  });
  const { rows, next, total, error = '' } = found?.path === path ? found : ({} as Partial<Found>);
  return {
    rows,
    total,
    error,
    load: () => ask(),
    more: next === undefined ? undefined : () => ask(next),
  };
}
