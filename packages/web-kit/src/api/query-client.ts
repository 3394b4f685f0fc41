import { QueryClient } from '@tanstack/react-query';
import { CallRefused } from './call-error.ts';

/** One cache for the whole application. A refusal is an answer and is not asked for again; a lost connection is. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      gcTime: 300_000,
      retry: (failures, error) => !(error instanceof CallRefused) && failures < 2,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
