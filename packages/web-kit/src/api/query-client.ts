import { QueryClient, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { CallRefused } from './client.ts';

/** Whether a failed query is retried: at most three times, and after a refusal only if it is temporary. */
export function shouldRetry(failures: number, error: Error): boolean {
  return failures < 3 && (!(error instanceof CallRefused) || error.isTemporary);
}

/** The query cache of the whole application. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      gcTime: 300_000,
      retry: shouldRetry,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Refetches mounted queries whose last fetch failed. */
export function refetchFailed(): void {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
}

/**
 * Invalidates the queries under a key: mounted ones are refetched now, others when they are next used. A
 * first load in progress is not cancelled, so that it finishes however often this is called; it is refetched
 * afterwards.
 */
export function refetchActive(queryKey: QueryKey): void {
  const firstLoads = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  for (const query of firstLoads) {
    const refetchAfterLoad = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    // Failures are ignored, because a failed query retries by itself or shows its error.
    query.promise?.then(refetchAfterLoad, () => undefined);
  }
  void queryClient.invalidateQueries({ queryKey });
}

/** Result of a query as screens use it. */
export interface Read<Data> {
  /** The last loaded data; they stay when refetching fails. */
  readonly data: Data | undefined;
  readonly isPending: boolean;
  /**
   * Error of a query without data; null once data have loaded, so that a lost connection removes nothing from
   * the screen.
   */
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/** A query whose `error` is set only while it has no data. */
export function useRead<Answer, Data = Answer>(options: UseQueryOptions<Answer, Error, Data>): Read<Data> {
  const { data, isPending, error, refetch } = useQuery(options);
  return { data, isPending, error: failureOf({ data, error }), refetch };
}

/** The error of a query without data; failing to refresh existing data is not an error. */
export function failureOf({ data, error }: { readonly data: unknown; readonly error: Error | null }) {
  return data === undefined ? error : null;
}
