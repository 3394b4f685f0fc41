import { renderHook } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TopicMessage } from './feed-client.ts';
import { feed } from './feed.ts';
import { LiveState, useCalmly } from './live-state.ts';

const FRAME_MS = 16;

describe('the state of a topic', () => {
  let tell: (value: number) => void;
  let passedMs = 0;

  beforeEach(() => {
    passedMs = 0;
    vi.useFakeTimers({ toFake: ['requestAnimationFrame'] });
    vi.spyOn(performance, 'now').mockImplementation(() => passedMs);
    vi.spyOn(feed, 'listen').mockImplementation((_, listener) => {
      tell = (data) => listener({ type: 'update', data } as unknown as TopicMessage);
      return () => undefined;
    });
  });
  afterEach(async () => {
    await vi.advanceTimersByTimeAsync(10 * FRAME_MS);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const nextFrame = () => vi.advanceTimersByTimeAsync(FRAME_MS);
  /** Two who look at a state, each of whom takes longer than a share of a frame to draw. */
  const watched = () => {
    const state = new LiveState<number>({
      topic: 't',
      initial: 0,
      after: (_, { data }) => data as number,
    });
    const drawn: string[] = [];
    for (const name of ['asks', 'bids']) {
      state.watch(() => {
        passedMs += 9;
        drawn.push(`${name} ${state.current()}`);
      });
    }
    return drawn;
  };

  it('WEB-096 draws all who look at it in one frame', async () => {
    const drawn = watched();
    tell(1);
    tell(2);
    expect(drawn).toEqual([]);
    await nextFrame();
    expect(drawn).toEqual(['asks 2', 'bids 2']);
  });

  it('WEB-096 what changes before somebody who looks calmly is told of changes is seen all the same', () => {
    const after = (_: number, { data }: TopicMessage) => data as number;
    const state = new LiveState<number>({ topic: 't', initial: 0, after });
    state.watch(() => undefined);
    const { result, unmount } = renderHook(() => {
      useLayoutEffect(() => {
        tell(1);
        vi.advanceTimersByTime(FRAME_MS);
      }, []);
      return useCalmly(state, 1_000, (value) => value);
    });
    expect(result.current).toBe(1);
    unmount();
  });
});
