import { feed } from '@exchange/web-kit/feed/feed.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { act, cleanup, fireEvent, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HIDDEN_MS, IDLE_MS, useArmed } from './use-armed.ts';

beforeEach(() => {
  vi.useFakeTimers();
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  feed['options'].onState('live');
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  endSession();
});

function armed() {
  const { result, rerender } = renderHook(({ isTrading }) => useArmed(isTrading), {
    initialProps: { isTrading: true },
  });
  expect(result.current.isArmed).toBe(false);
  act(() => result.current.arm());
  expect(result.current.isArmed).toBe(true);
  return { current: () => result.current, rerender };
}

const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

const show = (visibility: DocumentVisibilityState): void => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  fireEvent(document, new Event('visibilitychange'));
};

describe('click to place', () => {
  it('DESK-149 switches off after five minutes without use', () => {
    const { current } = armed();
    pass(IDLE_MS - 1_000);
    act(() => expect(current().use()).toBe(true));
    pass(IDLE_MS - 1_000);
    expect(current().isArmed).toBe(true);
    pass(1_000);
    expect([current().isArmed, current().reason]).toEqual([false, 'idle']);
    expect(current().use()).toBe(false);
  });

  it('DESK-149 a click after the device slept for five minutes places nothing', () => {
    const { current } = armed();
    // Moves the clock without running timers, because timers do not run while a device sleeps.
    vi.setSystemTime(Date.now() + IDLE_MS);
    act(() => expect(current().use()).toBe(false));
    expect([current().isArmed, current().reason]).toEqual([false, 'idle']);
  });

  it('DESK-149 switches off in a tab that was hidden for a minute, also when its timers are late', () => {
    const { current } = armed();
    act(() => show('hidden'));
    pass(HIDDEN_MS - 1);
    act(() => show('visible'));
    expect(current().isArmed).toBe(true);
    act(() => show('hidden'));
    pass(HIDDEN_MS);
    expect([current().isArmed, current().reason]).toEqual([false, 'hidden']);
    act(() => show('visible'));
    act(() => current().arm());
    act(() => show('hidden'));
    vi.setSystemTime(Date.now() + HIDDEN_MS);
    act(() => show('visible'));
    expect([current().isArmed, current().reason]).toEqual([false, 'hidden']);
  });

  it('DESK-149 switches off without a connection, and stays off when it returns', () => {
    const { current } = armed();
    act(() => feed['options'].onState('connecting'));
    expect([current().isArmed, current().reason]).toEqual([false, 'connection']);
    act(() => feed['options'].onState('live'));
    expect(current().isArmed).toBe(false);
  });

  it('DESK-149 switches off with Escape, at the end of the session, and when the pair is halted', () => {
    const { current, rerender } = armed();
    act(() => {
      fireEvent.keyDown(document.body, { key: 'Escape' });
    });
    expect([current().isArmed, current().reason]).toEqual([false, undefined]);
    act(() => current().arm());
    rerender({ isTrading: false });
    expect(current().isArmed).toBe(false);
    rerender({ isTrading: true });
    expect([current().isArmed, current().reason]).toEqual([false, undefined]);
    act(() => current().arm());
    act(() => endSession());
    expect([current().isArmed, current().reason]).toEqual([false, undefined]);
  });
});
