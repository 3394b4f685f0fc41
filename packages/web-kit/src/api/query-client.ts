import { QueryClient, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { CallRefused } from './client.ts';

/** Whether a read is asked for again: after a lost connection and after refusals that pass; any other refusal is an answer. */
export function isWorthRepeating(failures: number, error: Error): boolean {
  return failures < 3 && (!(error instanceof CallRefused) || error.passes);
}

/** One cache for the whole application. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      gcTime: 300_000,
      retry: isWorthRepeating,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Asks again for what is on screen and could not be had when it was asked for last. */
export function askFailedAgain(): void {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
}

/**
 * Asks again for what is on screen below a key, with an answer that is younger than this moment. A query that is
 * being loaded for the first time is left alone, so that it arrives however often this is called, and asked again after.
 */
export function askAnew(queryKey: QueryKey): void {
  const firstLoads = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  for (const first of firstLoads) {
    const again = () => queryClient.invalidateQueries({ queryKey: first.queryKey, exact: true });
    // Reason for dropping the failure: a query that failed asks by itself, or shows that it failed.
    first.promise?.then(again, () => undefined);
  }
  void queryClient.invalidateQueries({ queryKey });
}

/** What a screen knows of a call that reads. */
export interface Read<Data> {
  /** What was loaded last; it stays while asking again fails. */
  readonly data: Data | undefined;
  readonly isPending: boolean;
  /** Why there are no data. Null as soon as there are: a lost connection takes nothing off the screen. */
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/** A call that reads, from the cache where it is fresh. Every screen that can fail to load asks through here. */
export function useRead<Answer, Data = Answer>(options: UseQueryOptions<Answer, Error, Data>): Read<Data> {
  const { data, isPending, error, refetch } = useQuery(options);
  return { data, isPending, error: failureOf({ data, error }), refetch };
}

/** The error of a query that has never had data. One that only failed to renew what it has did not fail. */
export function failureOf({ data, error }: { readonly data: unknown; readonly error: Error | null }) {
  return data === undefined ? error : null;
}
