import { afterEach, expect, it, vi } from 'vitest';
import { CHUNK_TIMEOUT_MS, loadChunk } from './load-chunk.ts';

afterEach(() => vi.useRealTimers());

it('SPEC-003 a part of the site that does not come within 120 s is an error with type and address', async () => {
  vi.useFakeTimers();
  const lost = loadChunk(() => new Promise(() => undefined), '/trade').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(CHUNK_TIMEOUT_MS - 1);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await lost).toMatchObject({ name: 'ChunkLoadError', type: 'timeout', url: '/trade' });
  expect(CHUNK_TIMEOUT_MS).toBe(120_000);
});

it.each([
  [
    'Failed to fetch dynamically imported module: https://a.test/pc/assets/trade-x1.js',
    'https://a.test/pc/assets/trade-x1.js',
  ],
  ['Unable to preload CSS for /pc/assets/trade-x1.css', '/pc/assets/trade-x1.css'],
  ['error loading dynamically imported module', '/trade'],
])('SPEC-003 a part that fails is an error that names the file: %s', async (message, url) => {
  const failed = loadChunk(() => Promise.reject(new TypeError(message)), '/trade');
  await expect(failed).rejects.toMatchObject({
    type: 'error',
    url,
    message: expect.stringContaining(url) as string,
  });
});

it('SPEC-003 a part that comes is handed on, and nothing goes on waiting for it', async () => {
  vi.useFakeTimers();
  expect(await loadChunk(() => Promise.resolve('a screen'), '/trade')).toBe('a screen');
  expect(vi.getTimerCount()).toBe(0);
});
