import { GlobalWindow } from 'happy-dom';
import { populateGlobal } from 'vitest/runtime';
import { afterAll, afterEach, vi } from 'vitest';

/*
 * The test files that a worker runs share the installed libraries, which are slow to load. The rest is created anew for
 * each file: the page, the project's modules with their state, and those libraries whose state refers to the page.
 */

/**
 * Maximum time in milliseconds that a test waits for an element. The library's default of one second is too short on a
 * busy machine; only failing tests wait this long.
 */
const PATIENCE_MS = 30_000;

/** Global variables that exist both in Node.js and in a page; tests must use those of the simulated page. */
const PAGE_OWN = [
  'Request',
  'Response',
  'Headers',
  'FormData',
  'fetch',
  'URL',
  'URLSearchParams',
  'AbortController',
  'AbortSignal',
  'MessagePort',
];

/**
 * Key under which the function that removes the simulated page is stored. The page of the previous test file is removed
 * only here, because pending work of that file may still have used it.
 */
const LAST_PAGE = Symbol.for('the page of the last file');
(Reflect.get(globalThis, LAST_PAGE) as (() => void) | undefined)?.();
const page = new GlobalWindow({
  url: 'http://localhost:3000',
  console,
  settings: { disableErrorCapturing: true },
});
const ownTimers = { setTimeout, setInterval };
const { keys, originals } = populateGlobal(globalThis, page, {
  bindFunctions: true,
  additionalKeys: PAGE_OWN,
});
Reflect.set(globalThis, LAST_PAGE, () => {
  for (const key of keys) Reflect.deleteProperty(globalThis, key);
  for (const [key, value] of originals) Reflect.set(globalThis, key, value);
  Object.assign(globalThis, ownTimers);
});
vi.resetModules();
const timers = new Set<NodeJS.Timeout>();
trackTimers();
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const { cleanup, configure, screen, within } = await import('@testing-library/react');
configure({ asyncUtilTimeout: PATIENCE_MS });
// The queries of `screen` are replaced, because they refer to the page that existed when the library was loaded.
Object.assign(screen, within(document.body));

afterEach(cleanup);
// When a test file has ended, its page's pending requests and timers are cancelled; otherwise they would affect the
// server and the page of the next file.
afterAll(async () => {
  // Dynamic imports are awaited, because they would otherwise end while the next file runs.
  await vi.dynamicImportSettled();
  const { queryClient } = await import('../packages/web-kit/src/api/query-client.ts');
  await queryClient.cancelQueries();
  queryClient.clear();
  for (const timer of timers) clearTimeout(timer);
});

/** Records each timer that the test file starts, so that all of them can be cleared at the end. */
function trackTimers(): void {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const original = globalThis[name] as (...parameters: Parameters<typeof setTimeout>) => NodeJS.Timeout;
    const recorded = (...parameters: Parameters<typeof setTimeout>) => {
      const timer = original(...parameters);
      timers.add(timer);
      return timer;
    };
    Reflect.set(
      globalThis,
      name,
      Object.defineProperties(recorded, Object.getOwnPropertyDescriptors(original)),
    );
  }
}
