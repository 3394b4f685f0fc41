import { QueryClient, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { CallRefused } from './client.ts';

/**
 * Returns whether a failed query is tried again: at most three times, and after a refusal only if the refusal is
 * temporary.
 */
export function shouldRetry(failures: number, error: Error): boolean {
  return failures < 3 && (!(error instanceof CallRefused) || error.isTemporary);
}

/** The query cache that all screens of the app share. */
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

/** Requests the data of all queries that components use and that failed last time. */
export function refetchFailed(): void {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
}

/**
 * Invalidates all queries under a key. Those that components use are requested again now, others when a component uses
 * them. A first load that is still running is not cancelled and is repeated after it has ended, so that frequent calls
 * cannot prevent it from ending.
 */
export function refetchActive(queryKey: QueryKey): void {
  const firstLoads = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  for (const query of firstLoads) {
    const refetchAfterLoad = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    // If the first load fails, no refetch follows here, because the failed query itself is tried again or
    // shows its error.
    query.promise?.then(refetchAfterLoad, () => undefined);
  }
  void queryClient.invalidateQueries({ queryKey });
}

/**
 * Result of a query in the form that screens use: the data, the loading state, the error, and a refetch
 * function.
 */
export interface Read<Data> {
  /**
   * The last loaded data; undefined until the first data have loaded. They stay when a later request fails.
   */
  readonly data: Data | undefined;
  readonly isPending: boolean;
  /**
   * Error of a query that has no data. It is null once data have loaded, so that a lost connection removes no data from
   * the screen.
   */
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/**
 * Runs a query with React Query. The returned `error` is null while the query has data, even if its last request
 * failed.
 */
export function useRead<Answer, Data = Answer>(options: UseQueryOptions<Answer, Error, Data>): Read<Data> {
  const { data, isPending, error, refetch } = useQuery(options);
  return { data, isPending, error: failureOf({ data, error }), refetch };
}

/** Returns the error of a query that has no data; null if it has data, because these stay on the screen. */
export function failureOf({ data, error }: { readonly data: unknown; readonly error: Error | null }) {
  return data === undefined ? error : null;
}
