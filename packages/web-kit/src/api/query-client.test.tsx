import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { ErrorState } from '../ui/parts.tsx';
import { CallFailed, CallRefused } from './client.ts';
import { useGrowingList } from './list-state.tsx';
import type { PageOf } from './pages.ts';
import { refetchFailed, queryClient, useRead, shouldRetry } from './query-client.ts';

describe('queries', () => {
  it('WEB-087 retries network failures and temporary refusals at most three times, and no other refusals', () => {
    const lost = new CallFailed('network', 'l.network');
    expect([0, 2, 3].map((failures) => shouldRetry(failures, lost))).toEqual([true, true, false]);
    expect([-9, -15, -1, -2, 0].map((code) => shouldRetry(0, new CallRefused(code, 'no')))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

const KEY = ['read', 'test'];
const usual = queryClient.getDefaultOptions();
/** The mock server's response; with undefined the server does not respond. */
let answer: string | undefined;
const requestedPages: number[] = [];

beforeAll(loadAllWords);
afterEach(() => {
  cleanup();
  queryClient.clear();
  queryClient.setDefaultOptions(usual);
});

function respond<Answer>(answer: Answer | undefined): Promise<Answer> {
  return answer === undefined
    ? Promise.reject(new CallFailed('network', 'l.network'))
    : Promise.resolve(answer);
}

function Word() {
  const word = useRead({ queryKey: KEY, queryFn: () => respond(answer) });
  if (word.error !== null) return <ErrorState text="failed" retryLabel="again" onRetry={() => undefined} />;
  return <p>{word.data ?? 'loading'}</p>;
}

function Pages() {
  const list = useGrowingList<string>(KEY, ({ pageNo }) => {
    requestedPages.push(pageNo);
    return respond<PageOf<string>>(
      pageNo > 1 ? undefined : { list: ['first'], sum: 2, pageNo, next: 'first' },
    );
  });
  return (
    <>
      <p>{list.error === null ? list.rows.join() : 'failed'}</p>
      <button type="button" onClick={() => void list.loadMore()}>
        more
      </button>
    </>
  );
}

function show(part: ReactNode) {
  queryClient.setDefaultOptions({ queries: { ...usual.queries, retry: false } });
  render(<QueryClientProvider client={queryClient}>{part}</QueryClientProvider>);
}

describe('loaded data', () => {
  it('WEB-088 stays while refetching fails and is replaced by the next answer', async () => {
    answer = 'loaded';
    show(<Word />);
    await screen.findByText('loaded');
    answer = undefined;
    await queryClient.invalidateQueries({ queryKey: KEY });
    expect(queryClient.getQueryState(KEY)?.status).toBe('error');
    expect(screen.getByText('loaded')).toBeTruthy();
    answer = 'renewed';
    refetchFailed();
    await screen.findByText('renewed');
  });

  it('WEB-088 a query that never loaded shows its failure until it succeeds', async () => {
    answer = undefined;
    show(<Word />);
    await screen.findByRole('alert');
    answer = 'there';
    refetchFailed();
    await screen.findByText('there');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('WEB-089 stays when loading the next page fails', async () => {
    show(<Pages />);
    await screen.findByText('first');
    fireEvent.click(screen.getByRole('button'));
    await waitFor(() => expect(requestedPages).toEqual([1, 2]));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.getByText('first')).toBeTruthy();
  });
});
