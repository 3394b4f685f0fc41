import { DEVICE_ID_KEY } from '@exchange/wire/browser.ts';
import { expect, it } from 'vitest';
import { deviceId } from './device-id.ts';

it('ID-860 a browser has one random id, which outlives sessions', () => {
  const id = deviceId();
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(deviceId()).toBe(id);
  expect(localStorage.getItem(DEVICE_ID_KEY)).toBe(id);
  localStorage.setItem(DEVICE_ID_KEY, 'an-earlier-one');
  expect(deviceId()).toBe('an-earlier-one');
});
