import { Decimal } from '@exchange/core/decimal.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LiveState, useLive } from '../feed/live-state.ts';
import { feed } from '../feed/feed.ts';
import { userKeys } from '../session/user-keys.ts';
import { endSession, OWN_ANSWERS_KEY, startSession } from '../session/session-store.ts';
import { CallFailed, CallRefused } from './client.ts';
import { queryClient } from './query-client.ts';
import {
  setShownTime,
  startStoredAnswers,
  storeAnswers,
  useStoredRead,
  useStoredSince,
} from './stored-answers.ts';

const WORTH = userKeys('worth');
const PUBLIC_KEY = ['rates'];
/** The mock server's response; if it rejects, the server is unreachable. */
let answer: () => Promise<unknown>;

afterEach(() => {
  cleanup();
  endSession();
  newPage();
  localStorage.clear();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Simulates a reload of the page: clears the query cache, and forgets which stored responses are on the screen. */
function newPage(): void {
  cleanup();
  queryClient.clear();
  for (const name of ['["rates"]', '["own","u","worth"]', 't']) setShownTime(name, undefined);
}

const signIn = (userId: string) =>
  startSession({ userId, token: `token of ${userId}`, email: 'a@example.com' });
const lost = () => Promise.reject(new CallFailed('network', 'l.network'));

function Shown({ isOwn = false }: { isOwn?: boolean }) {
  const ownKey = WORTH.use();
  const { data, error } = useStoredRead<unknown>({
    queryKey: isOwn ? ownKey : PUBLIC_KEY,
    queryFn: () => answer(),
    retry: false,
  });
  const since = useStoredSince();
  return (
    <p>
      {error === null ? JSON.stringify(data) : error.message} since {String(since)}
    </p>
  );
}

function open(isOwn = false): void {
  render(
    <QueryClientProvider client={queryClient}>
      <Shown isOwn={isOwn} />
    </QueryClientProvider>,
  );
}

/**
 * Opens a page that loads this response and stores it, and closes the page. Returns the device time, in
 * milliseconds UTC, at which the response arrived.
 */
async function visitPage(data: unknown, isOwn = false): Promise<number> {
  answer = () => Promise.resolve(data);
  open(isOwn);
  await screen.findByText(`${JSON.stringify(data)} since undefined`);
  storeAnswers();
  const time = queryClient.getQueryCache().getAll()[0]!.state.dataUpdatedAt;
  newPage();
  return time;
}

describe('answers stored on the device', () => {
  it('WEB-940 are shown with their time when the call fails, until a fresh answer arrives', async () => {
    const time = await visitPage({ rate: Decimal.parse('1.2'), names: ['a'] });
    answer = lost;
    open();
    await screen.findByText(`{"rate":"1.2","names":["a"]} since ${time}`);
    expect((queryClient.getQueryData(PUBLIC_KEY) as { rate: Decimal }).rate).toBeInstanceOf(Decimal);
    answer = () => Promise.resolve('new');
    await act(() => queryClient.refetchQueries());
    await screen.findByText('"new" since undefined');
  });

  it('WEB-940 are shown after three seconds without an answer, but not after a refusal', async () => {
    await visitPage('last');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    answer = () => new Promise(() => undefined);
    open();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(screen.queryByText(/last/)).toBeNull();
    await vi.advanceTimersByTimeAsync(600);
    expect(screen.getByText(/"last" since \d+/)).toBeTruthy();
    vi.useRealTimers();
    newPage();
    answer = () => Promise.reject(new CallRefused(-1, 'no'));
    open();
    await screen.findByText('no since undefined');
  });

  it('WEB-941 of a user are shown to that user only, and deleted when they sign out or another user signs in', async () => {
    signIn('u');
    await visitPage('1000', true);
    expect(localStorage.getItem(OWN_ANSWERS_KEY)).toContain('1000');
    answer = lost;
    signIn('v');
    open(true);
    await screen.findByText('l.network since undefined');
    expect(localStorage.getItem(OWN_ANSWERS_KEY)).toBeNull();
    newPage();
    signIn('u');
    await visitPage('1000', true);
    endSession();
    expect(localStorage.getItem(OWN_ANSWERS_KEY)).toBeNull();
  });

  it('WEB-941 of a user are not stored by a tab that has missed the sign-out in another tab', async () => {
    signIn('u');
    answer = () => Promise.resolve('1000');
    open(true);
    await screen.findByText('"1000" since undefined');
    for (const key of ['User-Token', 'User-Id']) localStorage.removeItem(key);
    storeAnswers();
    expect(localStorage.getItem(OWN_ANSWERS_KEY)).toBeNull();
  });

  it('WEB-940 that no component uses are removed when the feed is live', async () => {
    await visitPage('last');
    const stop = startStoredAnswers();
    answer = lost;
    open();
    await screen.findByText(/"last" since \d+/);
    cleanup();
    const since = renderHook(useStoredSince).result;
    expect(since.current).toBeDefined();
    act(() => {
      feed['options'].onState('stale');
      feed['options'].onState('live');
    });
    expect(since.current).toBeUndefined();
    expect(queryClient.getQueryData(PUBLIC_KEY)).toBeUndefined();
    stop();
  });

  it('WEB-940 are read only if this build stored them and they are valid, and stored when the page is hidden', async () => {
    const stop = startStoredAnswers();
    answer = () => Promise.resolve('left');
    open();
    await screen.findByText('"left" since undefined');
    window.dispatchEvent(new Event('pagehide'));
    stop();
    const stored = localStorage.getItem('Last-Answers')!;
    expect(stored).toContain('left');
    for (const text of [stored.replace('"build":""', '"build":"older"'), '{"build":"","userId":null}', 'x']) {
      newPage();
      localStorage.setItem('Last-Answers', text);
      answer = lost;
      open();
      await screen.findByText('l.network since undefined');
    }
  });

  it('WEB-940 of a feed topic are shown while the feed sends nothing, and replaced by its first message', async () => {
    let publish = (_data: number): void => undefined;
    vi.spyOn(feed, 'subscribe').mockImplementation((_, listener) => {
      publish = (data) => listener({ type: 'update', data } as never);
      return () => undefined;
    });
    const state = () =>
      new LiveState<readonly number[]>({
        topic: 't',
        initial: [],
        reduce: (_, { data }) => [data as number],
        stored: { toJson: (value) => value, fromJson: (json) => json as number[] },
      });
    const look = (live: LiveState<readonly number[]>) =>
      renderHook(() => [useLive(live, (value) => value), useStoredSince()] as const).result;
    const first = look(state());
    act(() => publish(1));
    await waitFor(() => expect(first.current[0]).toEqual([1]));
    storeAnswers();
    cleanup();
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const again = look(state());
    await waitFor(() => expect(again.current).toEqual([[1], expect.any(Number)]));
    act(() => publish(2));
    await waitFor(() => expect(again.current).toEqual([[2], undefined]));
  });
});
