import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inTime } from './in-time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('gives the outcome of work that ends in time, also its error', async () => {
  await expect(inTime(Promise.resolve('done'), 10, () => 'late')).resolves.toBe('done');
  await expect(inTime(Promise.reject(new Error('failed')), 10, () => 'late')).rejects.toThrow('failed');
  expect(vi.getTimerCount()).toBe(0);
});

it('gives what replaces the outcome of work that takes longer, or its error', async () => {
  const endless = new Promise<string>(() => undefined);
  const replaced = inTime(endless, 10, () => 'late');
  const refused = inTime(endless, 10, () => {
    throw new Error('too late');
  });
  const outcomes = Promise.allSettled([replaced, refused]);
  await vi.advanceTimersByTimeAsync(10);
  expect(await outcomes).toMatchObject([{ value: 'late' }, { reason: { message: 'too late' } }]);
});
