import { GlobalWindow } from 'happy-dom';
import { populateGlobal } from 'vitest/runtime';
import { afterAll, afterEach, vi } from 'vitest';

/*
 * Test files of one worker share the installed libraries, because these are slow to load. Everything else is created
 * anew for each file: the page, the project's modules with their state, and the libraries that keep state between two
 * pages.
 */

/**
 * Milliseconds within which an element must appear in a test. The library's default of one second is too short on a
 * busy host. Only failing tests wait for the whole time.
 */
const PATIENCE_MS = 30_000;

/** Global variables that also exist in Node. Tests must use those of the simulated page. */
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
 * Key under which the function is stored that removes the simulated page. The page of the previous test file is only
 * removed now, because pending work of that file may still use it.
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
// Replace the queries of `screen`, because they refer to the page that existed at the load of the library.
Object.assign(screen, within(document.body));

afterEach(cleanup);
// At the end of a page its pending requests and timers are cancelled. Otherwise they would affect the server and the
// page of the next file.
afterAll(async () => {
  // Wait for dynamic imports, because they would otherwise end during the next file.
  await vi.dynamicImportSettled();
  const { queryClient } = await import('../packages/web-kit/src/api/query-client.ts');
  await queryClient.cancelQueries();
  queryClient.clear();
  for (const timer of timers) clearTimeout(timer);
});

/** Records each timer of the test file so that it can be cleared. */
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
