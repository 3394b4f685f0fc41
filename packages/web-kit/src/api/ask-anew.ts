import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

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
