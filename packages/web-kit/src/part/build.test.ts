import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** Loads the tested module as in a page of the given build. */
async function pageOf(build: string) {
  vi.resetModules();
  document.head.innerHTML = `<meta name="build" content="${build}" />`;
  return import('./build.ts');
}

/**
 * Mocks a server of the given build that answers every request with `status`; by default, the requested file is
 * missing.
 */
function serverOf(build: string, status = 404): void {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(null, { status, headers: { 'x-build': build } })),
  );
}

let reload: ReturnType<typeof vi.fn<() => void>>;
beforeEach(() => {
  sessionStorage.clear();
  reload = vi.fn<() => void>();
  vi.spyOn(location, 'reload').mockImplementation(reload);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.head.innerHTML = '';
});

it('WEB-906 a missing part of an old build reloads the page, once per build', async () => {
  const page = await pageOf('one');
  serverOf('two');
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  await page.reloadForNewBuild('/pc/assets/b-1.js');
  expect(reload).toHaveBeenCalledTimes(1);
  serverOf('three');
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  expect(reload).toHaveBeenCalledTimes(2);
});

it('WEB-906 a part that is missing for another reason does not reload the page', async () => {
  const page = await pageOf('one');
  serverOf('one');
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  serverOf('two', 200);
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  expect(reload).not.toHaveBeenCalled();
});

it('WEB-906 the page does not reload while an unanswered request can be retried', async () => {
  const page = await pageOf('one');
  page.allowReloadWhen(() => false);
  serverOf('two');
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  expect(reload).not.toHaveBeenCalled();
});

it('WEB-907 a page without a build, as in development, never checks and never reloads', async () => {
  vi.resetModules();
  const page = await import('./build.ts');
  const fetched = vi.fn<() => Promise<Response>>();
  vi.stubGlobal('fetch', fetched);
  await page.reloadForNewBuild('/src/a.ts');
  expect(fetched).not.toHaveBeenCalled();
});
