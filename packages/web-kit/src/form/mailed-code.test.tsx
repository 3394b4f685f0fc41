import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CountdownButton } from './mailed-code.tsx';

describe('the countdown button', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  const press = async () => {
    fireEvent.click(screen.getByRole('button'));
    await act(() => vi.advanceTimersByTimeAsync(0));
  };
  const label = () => screen.getByRole('button').textContent;

  it('WEB-192 counts down to a time: after a sleep the wait is over without extra delay', async () => {
    render(<CountdownButton label="Send" waiting={(seconds) => `${seconds} s`} onPress={async () => 60} />);
    await press();
    expect(label()).toBe('60 s');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(label()).toBe('59 s');
    // Simulates a sleeping device: the clock advances without running timers, and overdue timers run on wake-up.
    vi.setSystemTime(Date.now() + 3_600_000);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(label()).toBe('Send');
  });
});
