import { expect, it, vi } from 'vitest';
import { cutToMinute, localInputOf, timeOfLocalInput } from './local-input.ts';

it('SPOT-1255 the initial expiry of an order is a full minute, also in the hour that is repeated when summer time ends', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const first = Date.UTC(2026, 9, 25, 0, 30, 20);
  const second = Date.UTC(2026, 9, 25, 1, 30, 20);
  expect(localInputOf(first)).toBe(localInputOf(second));
  expect(cutToMinute(first)).toBe(Date.UTC(2026, 9, 25, 0, 30));
  expect(cutToMinute(second)).toBe(Date.UTC(2026, 9, 25, 1, 30));
  expect(cutToMinute(undefined)).toBeUndefined();
  const summer = Date.UTC(2026, 6, 1, 8, 5, 59);
  expect(timeOfLocalInput(localInputOf(summer))).toBe(cutToMinute(summer));
});
