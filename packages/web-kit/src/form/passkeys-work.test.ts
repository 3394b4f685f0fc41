import { expect, it } from 'vitest';
import { isPasskeyHost } from './passkeys-work.ts';

it('PKY-013 passkeys work on their domain and below it, and on no other host', () => {
  expect(isPasskeyHost('example.com', 'example.com')).toBe(true);
  expect(isPasskeyHost('example.com', 'www.example.com')).toBe(true);
  expect(isPasskeyHost('localhost', 'localhost')).toBe(true);
  expect(isPasskeyHost('www.example.com', 'example.com')).toBe(false);
  expect(isPasskeyHost('example.com', 'badexample.com')).toBe(false);
  expect(isPasskeyHost('localhost', '127.0.0.1')).toBe(false);
});
