import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toast, Toaster, TOAST_MS } from './toast.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  // Removes the toasts of the test, by advancing the clock by their display time.
  act(() => void vi.advanceTimersByTime(TOAST_MS));
  vi.useRealTimers();
});

it('SPEC-002 toasts appear at the top centre for two seconds, as success, warning or error', () => {
  render(<Toaster />);
  expect(TOAST_MS).toBe(2_000);
  act(() => {
    toast('success', 'Order placed');
    toast('warning', 'No answer yet');
    toast('error', 'Not enough USDT');
  });
  expect(screen.getByText('Order placed').closest('[role="status"]')).not.toBeNull();
  for (const text of ['No answer yet', 'Not enough USDT'])
    expect(screen.getByText(text).closest('[role="alert"]')).not.toBeNull();
  act(() => void vi.advanceTimersByTime(TOAST_MS - 1));
  expect(screen.getAllByRole('alert')).toHaveLength(2);
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByRole('status')).toBeNull();
});

it('WEB-900 a toast appears immediately without loading any code', () => {
  render(<Toaster />);
  act(() => toast('error', 'The network cannot be reached'));
  // The text of the toast must be displayed without waiting, which shows that the toast needs no chunk that
  // is loaded later.
  expect(screen.getByRole('alert').textContent).toBe('The network cannot be reached');
});

it('WEB-901 a toast stays while hovered, and a press dismisses it', () => {
  render(<Toaster />);
  act(() => toast('error', 'Not enough USDT'));
  fireEvent.pointerEnter(screen.getByRole('alert'), { clientX: 10, clientY: 10 });
  fireEvent.pointerMove(screen.getByRole('alert'), { clientX: 30, clientY: 15 });
  act(() => void vi.advanceTimersByTime(10 * TOAST_MS));
  fireEvent.pointerLeave(screen.getByRole('alert'));
  act(() => void vi.advanceTimersByTime(TOAST_MS - 1));
  fireEvent.click(screen.getByRole('alert'));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('WEB-901 a toast that appears beneath a resting pointer goes by itself', () => {
  render(<Toaster />);
  act(() => toast('error', 'No connection'));
  fireEvent.pointerEnter(screen.getByRole('alert'), { clientX: 10, clientY: 10 });
  fireEvent.pointerMove(screen.getByRole('alert'), { clientX: 12, clientY: 11 });
  act(() => void vi.advanceTimersByTime(TOAST_MS));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('WEB-901 at most four toasts are shown at a time; the oldest is dropped', () => {
  render(<Toaster />);
  act(() => ['1', '2', '3', '4', '5', '6'].forEach((text) => toast('warning', text)));
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['3', '4', '5', '6']);
});
