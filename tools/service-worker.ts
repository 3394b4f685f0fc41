import { createHash } from 'node:crypto';
import type { Plugin, Rolldown } from 'vite';
import { FIRST_PAINT_FILE } from './first-paint.ts';
import { pushWorkerText } from './push-worker.ts';

type Bundle = Readonly<Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>>;

/** The part of a service worker's global scope that this file uses. */
export interface WorkerScope {
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
  readonly caches: CacheStorage;
  readonly location: { readonly origin: string };
  readonly fetch: (request: Request | string) => Promise<Response>;
  readonly setTimeout: (action: () => void, delayMs: number) => unknown;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}
export interface WorkerEvent {
  readonly request: Request;
  /** Only of a `message` from a page: the paths of the files that the page has loaded. */
  readonly data?: unknown;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

/**
 * The service worker of a site, with which the site can be opened without a network; `base` is the path of the site
 * with a slash at both ends, `/` for the mobile site. It caches the first page, the logo, and files whose
 * name contains a hash of their content; it caches no API responses and thus no personal data. A page is
 * fetched from the network; if that takes longer than three seconds, or the network or the server fails, the
 * cached first page is opened. The text of this function is written to a built file, so the function must not
 * refer to anything outside itself.
 */
export function worker(scope: WorkerScope, version: string, base: string, files: readonly string[]): void {
  const SHELL = `${base}main`;
  const LOGO = `${base}favicon.svg`;
  const FOLDER = `${base}assets/`;
  /**
   * Both sites have the same origin, so their caches are in one storage. The names of this site's caches begin with
   * this text.
   */
  const family = `shell${base === '/' ? '' : base.replaceAll('/', '-').slice(0, -1)}-`;
  const name = family + version;
  const isOwn = (cache: string) => cache.startsWith(family) && /^\w+$/.test(cache.slice(family.length));
  const MOST_STORED = 400;
  const PAGE_MS = 3_000;

  const install = async () => {
    const cache = await scope.caches.open(name);
    await cache.addAll([SHELL, LOGO, ...files]);
    await scope.skipWaiting();
  };
  const activate = async () => {
    const names = await scope.caches.keys();
    const replaced = names.filter((other) => isOwn(other) && other !== name);
    await Promise.all(replaced.map((other) => scope.caches.delete(other)));
    await scope.clients.claim();
  };
  /**
   * Returns a file from the cache, or else from the network; then it is cached, unless the response is an error or the
   * cache is full. The name of the file contains a hash of its content, so a cached copy is always up to date.
   */
  const hashedFile = async (request: Request | string) => {
    const cache = await scope.caches.open(name);
    const stored = await cache.match(request);
    if (stored !== undefined) return stored;
    const answer = await scope.fetch(request);
    if (answer.ok && (await cache.keys()).length < MOST_STORED) await cache.put(request, answer.clone());
    return answer;
  };
  /**
   * Caches the files that a page has loaded before this service worker answered its requests, such as the texts of its
   * language.
   */
  const storeLoaded = async (paths: unknown) => {
    if (!Array.isArray(paths)) return;
    const hashed = paths.filter(
      (path): path is string =>
        typeof path === 'string' && path.startsWith(FOLDER) && /^[\w.-]+$/.test(path.slice(FOLDER.length)),
    );
    // A file that cannot be fetched now is cached when it is next used.
    await Promise.all(hashed.map((path) => hashedFile(path).catch(() => undefined)));
  };
  /**
   * Returns the response from the network. If the network fails, the server answers with an error (5xx), or the
   * response takes longer than `limitMs`, returns the cached response; if there is none, waits for the network.
   */
  const freshOrStored = async (request: Request, path: string, limitMs?: number) => {
    const stored = await scope.caches.match(path);
    if (stored === undefined) return scope.fetch(request);
    const fresh = scope.fetch(request).then((answer) => (answer.status < 500 ? answer : stored));
    const late = new Promise<Response>((resolve) => {
      if (limitMs !== undefined) scope.setTimeout(() => resolve(stored), limitMs);
    });
    // Without a network the request fails, so the cached response is returned.
    return Promise.race([fresh, late]).catch(() => stored);
  };

  scope.addEventListener('install', (event) => event.waitUntil(install()));
  scope.addEventListener('activate', (event) => event.waitUntil(activate()));
  scope.addEventListener('message', (event) => event.waitUntil(storeLoaded(event.data)));
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== 'GET' || origin !== scope.location.origin) return;
    // The scope of the mobile site `/` also contains the paths of the API, the documents and the desktop site. The
    // mobile site's service worker does not handle requests for them.
    const isElsewhere =
      base === '/' ? /^\/(?:pc|bb|dev|docs|health)(?:\/|$)/.test(pathname) : !pathname.startsWith(base);
    // The separate windows of the desktop site's trading desk load an empty HTML file. The service worker must not
    // answer with the cached first page of the site instead.
    if (isElsewhere || pathname.endsWith('.html')) return;
    if (pathname.startsWith(FOLDER)) event.respondWith(hashedFile(request));
    else if (pathname === LOGO) event.respondWith(freshOrStored(request, LOGO));
    else if (request.mode === 'navigate') event.respondWith(freshOrStored(request, SHELL, PAGE_MS));
  });
}

/**
 * Writes the file `service-worker.js` of the build of the site at the path `base`, which caches the files of those
 * screens whose modules match `screens`, and shows push messages.
 */
export function serviceWorker(base: string, screens: readonly RegExp[]): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = filesOf(bundle as Bundle, screens).map((file) => base + file);
      const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 12);
      const offline = `(${worker.toString()})(self, ${[version, base, files].map((value) => JSON.stringify(value)).join(', ')});\n`;
      const source = offline + pushWorkerText(base);
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}

/**
 * Returns the files of the entry chunk and of the chunks that match `screens`, with all static imports and style
 * sheets, and the first-paint script.
 */
export function filesOf(bundle: Bundle, screens: readonly RegExp[]): string[] {
  const wanted = new Set<string>();
  const add = (file: string): void => {
    const chunk = bundle[file];
    if (wanted.has(file) || chunk === undefined || chunk.type !== 'chunk') return;
    wanted.add(file);
    for (const style of chunk.viteMetadata?.importedCss ?? []) wanted.add(style);
    for (const imported of chunk.imports) add(imported);
  };
  for (const [file, chunk] of Object.entries(bundle))
    if (
      chunk.type === 'chunk' &&
      (chunk.isEntry || screens.some((screen) => screen.test(chunk.facadeModuleId ?? '')))
    )
      add(file);
  const scripts = Object.keys(bundle).filter((file) => file.startsWith(FIRST_PAINT_FILE));
  return [...wanted, ...scripts].toSorted();
}
