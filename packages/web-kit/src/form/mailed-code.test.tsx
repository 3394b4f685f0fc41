import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CountdownButton } from './mailed-code.tsx';

describe('a button that rests', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  const press = async () => {
    fireEvent.click(screen.getByRole('button'));
    await act(() => vi.advanceTimersByTimeAsync(0));
  };
  const shown = () => screen.getByRole('button').textContent;

  it('WEB-192 counts to a moment: after a sleep the wait is over, not a second shorter', async () => {
    render(<CountdownButton label="Send" waiting={(seconds) => `${seconds} s`} onPress={async () => 60} />);
    await press();
    expect(shown()).toBe('60 s');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(shown()).toBe('59 s');
    // Asleep: the clock goes on, no timer runs; one is due when the page wakes up.
    vi.setSystemTime(Date.now() + 3_600_000);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(shown()).toBe('Send');
  });
});
