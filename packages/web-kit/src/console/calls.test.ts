import { afterEach, expect, it, vi } from 'vitest';
import { callOperators } from './calls.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('OPS-1221 a request that is not answered in its time ends as one without an answer', async () => {
  const time = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
  // Like in the browser, a request of this fake `fetch` is rejected when its signal is aborted; otherwise it stays
  // pending.
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) =>
        signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
      ),
  );
  const answers = [
    callOperators('/ops/users'),
    callOperators('/ops/users/a/hold', { hours: '2' }, { key: 'k' }),
  ];
  time.abort();
  for (const answer of await Promise.all(answers))
    expect(answer).toEqual({ status: 0, body: {}, error: 'The server does not answer.' });
});
