import { afterEach, expect, it, vi } from 'vitest';
import { CHUNK_TIMEOUT_MS, loadChunk, loadScreen } from './load-chunk.ts';

afterEach(() => vi.useRealTimers());

it('SPEC-003 a part that does not load within 120 s is an error with type and URL', async () => {
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
])('SPEC-003 a part that fails to load is an error that names the file: %s', async (message, url) => {
  const failed = loadChunk(() => Promise.reject(new TypeError(message)), '/trade');
  await expect(failed).rejects.toMatchObject({
    type: 'error',
    url,
    message: expect.stringContaining(url) as string,
  });
});

it('SPEC-003 a loaded part is returned, and its timer is cleared', async () => {
  vi.useFakeTimers();
  expect(await loadChunk(() => Promise.resolve('a screen'), '/trade')).toBe('a screen');
  expect(vi.getTimerCount()).toBe(0);
});

it('WEB-902 a failed style sheet is fetched again with its part, which the bundler would not do', async () => {
  const appended = vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    const [link] = nodes as HTMLLinkElement[];
    queueMicrotask(() => link?.dispatchEvent(new Event('load')));
  });
  let loads = 0;
  const load = () => {
    loads += 1;
    return loads === 1
      ? Promise.reject(new Error('Unable to preload CSS for /pc/assets/chart-1.css'))
      : Promise.resolve('a chart');
  };
  await expect(loadChunk(load, 'chart')).rejects.toMatchObject({ url: '/pc/assets/chart-1.css' });
  expect(await loadChunk(() => Promise.resolve('another part'), 'other')).toBe('another part');
  expect(appended).not.toHaveBeenCalled();
  expect(await loadChunk(load, 'chart')).toBe('a chart');
  expect(appended.mock.calls.map(([link]) => (link as HTMLLinkElement).getAttribute('href'))).toEqual([
    '/pc/assets/chart-1.css',
  ]);
  expect(await loadChunk(load, 'chart')).toBe('a chart');
  expect(appended).toHaveBeenCalledTimes(1);
  appended.mockRestore();
});

it('WEB-902 a failed screen is fetched again twice while online, and fails at once while offline', async () => {
  vi.useFakeTimers();
  let fetches = 0;
  const failing = (until: number) => () => {
    fetches += 1;
    return fetches < until ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve('a screen');
  };
  const screen = loadScreen(failing(3), '/earn');
  await vi.advanceTimersByTimeAsync(2_500);
  expect([await screen, fetches]).toEqual(['a screen', 3]);
  fetches = 0;
  const lost = loadScreen(failing(9), '/earn').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2_500);
  expect([await lost, fetches]).toEqual([expect.objectContaining({ name: 'ChunkLoadError' }), 3]);
  fetches = 0;
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await expect(loadScreen(failing(2), '/earn')).rejects.toThrow('Loading failed');
  expect(fetches).toBe(1);
  line.mockRestore();
});
