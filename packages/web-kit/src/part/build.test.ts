import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** The module as a page of the given build loads it. */
async function pageOf(build: string) {
  vi.resetModules();
  document.head.innerHTML = `<meta name="build" content="${build}" />`;
  return import('./build.ts');
}

/** Answers every request as a server of the given build that does not have the file. */
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

it('WEB-906 a part of a build that is gone reloads the page, once for each build', async () => {
  const page = await pageOf('one');
  serverOf('two');
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  await page.reloadForNewBuild('/pc/assets/b-1.js');
  expect(reload).toHaveBeenCalledTimes(1);
  serverOf('three');
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  expect(reload).toHaveBeenCalledTimes(2);
});

it('WEB-906 a part that is missing for another reason reloads nothing', async () => {
  const page = await pageOf('one');
  serverOf('one');
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  serverOf('two', 200);
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  expect(reload).not.toHaveBeenCalled();
});

it('WEB-906 nothing reloads while a request without an answer could still be sent again', async () => {
  const page = await pageOf('one');
  page.allowReloadWhen(() => false);
  serverOf('two');
  await page.reloadForNewBuild('/pc/assets/a-1.js');
  expect(reload).not.toHaveBeenCalled();
});

it('WEB-907 a page without a build, as in development, never asks nor reloads', async () => {
  vi.resetModules();
  const page = await import('./build.ts');
  const fetched = vi.fn<() => Promise<Response>>();
  vi.stubGlobal('fetch', fetched);
  await page.reloadForNewBuild('/src/a.ts');
  expect(fetched).not.toHaveBeenCalled();
});
