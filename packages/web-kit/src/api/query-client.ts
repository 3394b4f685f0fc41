import { REFUSAL_CODES } from '@exchange/wire/codes.ts';
import { QueryClient } from '@tanstack/react-query';
import { CallRefused } from './call-error.ts';

/** Refusals that pass by themselves: too many calls at once, and a restart. */
const PASSING: ReadonlySet<number> = new Set([REFUSAL_CODES.rateLimited, REFUSAL_CODES.maintenance]);

/** Whether a read is asked for again: after a lost connection and after refusals that pass; any other refusal is an answer. */
export function isWorthRepeating(failures: number, error: Error): boolean {
  return failures < 3 && (!(error instanceof CallRefused) || PASSING.has(error.code));
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
