import { act, renderHook } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TopicMessage } from './feed-client.ts';
import { feed } from './feed.ts';
import { LiveState, useThrottled } from './live-state.ts';

const FRAME_MS = 16;

describe('a live state', () => {
  let publish: (value: number) => void;
  /** The mocked time is not reset between tests: they share the draw queue, whose clock must never go back. */
  let passedMs = 0;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'setTimeout', 'clearTimeout'] });
    vi.spyOn(performance, 'now').mockImplementation(() => passedMs);
    vi.spyOn(feed, 'subscribe').mockImplementation((_, listener) => {
      publish = (data) => listener({ type: 'update', data } as unknown as TopicMessage);
      return () => undefined;
    });
  });
  afterEach(async () => {
    await vi.advanceTimersByTimeAsync(10 * FRAME_MS);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const nextFrame = () => vi.advanceTimersByTimeAsync(FRAME_MS);
  /** Adds two watchers to a live state; drawing either takes longer than the time budget of a frame. */
  const watchPanels = (panelOf: (name: string) => string) => {
    const state = new LiveState<number>({
      topic: 't',
      initial: 0,
      reduce: (_, { data }) => data as number,
    });
    const drawnValues: string[] = [];
    for (const name of ['asks', 'bids']) {
      state.watch(() => {
        passedMs += 9;
        drawnValues.push(`${name} ${state.current()}`);
      }, panelOf(name));
    }
    return drawnValues;
  };

  it('WEB-096 draws all watchers of one panel in one frame', async () => {
    const drawnValues = watchPanels(() => 'book');
    publish(1);
    publish(2);
    expect(drawnValues).toEqual([]);
    await nextFrame();
    expect(drawnValues).toEqual(['asks 2', 'bids 2']);
  });

  it('WEB-172 draws its panels one after another on a slow device, each with the newest value', async () => {
    const drawnValues = watchPanels((name) => name);
    publish(1);
    await nextFrame();
    expect(drawnValues).toEqual(['asks 1']);
    publish(2);
    await nextFrame();
    await nextFrame();
    expect(drawnValues).toEqual(['asks 1', 'bids 2', 'asks 2']);
  });

  it('WEB-172 draws throttled watchers separately from others', async () => {
    const state = new LiveState<number>({
      topic: 't',
      initial: 0,
      reduce: (_, { data }) => data as number,
    });
    state.watch(() => (passedMs += 9));
    const { result, unmount } = renderHook(() => useThrottled(state, 1_000, (value) => value));
    await act(async () => {
      publish(1);
      await nextFrame();
    });
    expect([state.current(), result.current]).toEqual([1, 0]);
    await act(() => nextFrame());
    expect(result.current).toBe(1);
    unmount();
  });

  it('WEB-096 a throttled watcher sees changes made before its subscription', () => {
    const after = (_: number, { data }: TopicMessage) => data as number;
    const state = new LiveState<number>({ topic: 't', initial: 0, reduce: after });
    state.watch(() => undefined);
    const { result, unmount } = renderHook(() => {
      useLayoutEffect(() => {
        publish(1);
        vi.advanceTimersByTime(FRAME_MS);
      }, []);
      return useThrottled(state, 1_000, (value) => value);
    });
    expect(result.current).toBe(1);
    unmount();
  });
});
