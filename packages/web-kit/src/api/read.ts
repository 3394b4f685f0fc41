import { useQuery, type UseQueryOptions } from '@tanstack/react-query';

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
