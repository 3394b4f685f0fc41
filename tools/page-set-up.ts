import { GlobalWindow } from 'happy-dom';
import { populateGlobal } from 'vitest/runtime';
import { afterAll, afterEach, vi } from 'vitest';

/*
 * The files of a worker share its libraries, which are slow to load. All else is each file's own: a page that
 * was just opened, our modules with their state, and the libraries that keep something between two pages.
 */

/**
 * How long a test waits for something to come on its page. A second, as the library has it, is too short where
 * other guests of the host take the processor away; only a test that fails ever waits this long.
 */
const PATIENCE_MS = 30_000;

/** What Node has as well, but a page its own way. */
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

/** Takes the page of the file before away, as late as this: what it had begun may still look for it. */
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
keepTimers();
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const { cleanup, configure, screen, within } = await import('@testing-library/react');
configure({ asyncUtilTimeout: PATIENCE_MS });
// It looks at the page that was there when it was loaded.
Object.assign(screen, within(document.body));

afterEach(cleanup);
// What a page has begun ends with it: its questions and timers would else reach the server and the page of the next file.
afterAll(async () => {
  // What a part of the page is still loading would be read within the next file as well.
  await vi.dynamicImportSettled();
  const { queryClient } = await import('../packages/web-kit/src/api/query-client.ts');
  await queryClient.cancelQueries();
  queryClient.clear();
  for (const timer of timers) clearTimeout(timer);
});

/** Notes each timer of the file. */
function keepTimers(): void {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const own = globalThis[name] as (...given: Parameters<typeof setTimeout>) => NodeJS.Timeout;
    const noting = (...given: Parameters<typeof setTimeout>) => {
      const timer = own(...given);
      timers.add(timer);
      return timer;
    };
    Reflect.set(globalThis, name, Object.defineProperties(noting, Object.getOwnPropertyDescriptors(own)));
  }
}
