import { createHash } from 'node:crypto';
import type { Plugin, Rolldown } from 'vite';

type Bundle = Readonly<Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>>;

/** What the worker uses of its global scope. */
export interface WorkerScope {
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
  readonly caches: CacheStorage;
  readonly location: { readonly origin: string };
  readonly fetch: (request: Request | string) => Promise<Response>;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}
export interface WorkerEvent {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

/**
 * The service worker of the phone's site: without a network the app still opens, with what it has been showing. It keeps the
 * first page and files that carry a hash of their content, never an answer of a call, so nothing of a person. Its text is
 * written into the built file, so it uses nothing from outside itself.
 */
export function worker(scope: WorkerScope, version: string, files: readonly string[]): void {
  const SHELL = '/main';
  const LOGO = '/favicon.svg';
  const name = `shell-${version}`;
  const MOST_KEPT = 300;

  const install = async () => {
    const cache = await scope.caches.open(name);
    await cache.addAll([SHELL, LOGO, ...files]);
    await scope.skipWaiting();
  };
  const activate = async () => {
    const names = await scope.caches.keys();
    await Promise.all(names.filter((other) => other !== name).map((other) => scope.caches.delete(other)));
    await scope.clients.claim();
  };
  /** A file's name changes with its content: what is kept is right for ever. */
  const keptFile = async (request: Request) => {
    const cache = await scope.caches.open(name);
    const kept = await cache.match(request);
    if (kept !== undefined) return kept;
    const answer = await scope.fetch(request);
    if (answer.ok && (await cache.keys()).length < MOST_KEPT) await cache.put(request, answer.clone());
    return answer;
  };
  /** A page and the logo are asked for anew; only where nobody answers they are those that are kept. */
  const anew = async (request: Request, kept: string) => {
    try {
      return await scope.fetch(request);
    } catch (lost) {
      const answer = await scope.caches.match(kept);
      if (answer === undefined) throw lost;
      return answer;
    }
  };

  scope.addEventListener('install', (event) => event.waitUntil(install()));
  scope.addEventListener('activate', (event) => event.waitUntil(activate()));
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== 'GET' || origin !== scope.location.origin) return;
    if (/^\/(?:pc|bb|dev|docs|health)(?:\/|$)/.test(pathname)) return;
    if (pathname.startsWith('/assets/')) event.respondWith(keptFile(request));
    else if (pathname === LOGO) event.respondWith(anew(request, LOGO));
    else if (request.mode === 'navigate') event.respondWith(anew(request, SHELL));
  });
}

/** Writes `service-worker.js`, which keeps the files that the first screen needs in every language. */
export function serviceWorker(screens: readonly RegExp[]): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = filesOf(bundle as Bundle, screens).map((file) => `/${file}`);
      const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 12);
      const source = `(${worker.toString()})(self, ${JSON.stringify(version)}, ${JSON.stringify(files)});\n`;
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}

/** The entry and the chunks of these modules, with everything that they import and their styles. */
export function filesOf(bundle: Bundle, screens: readonly RegExp[]): string[] {
  const wanted = new Set<string>();
  const take = (file: string): void => {
    const chunk = bundle[file];
    if (wanted.has(file) || chunk === undefined || chunk.type !== 'chunk') return;
    wanted.add(file);
    for (const style of chunk.viteMetadata?.importedCss ?? []) wanted.add(style);
    for (const imported of chunk.imports) take(imported);
  };
  for (const [file, chunk] of Object.entries(bundle))
    if (
      chunk.type === 'chunk' &&
      (chunk.isEntry || screens.some((screen) => screen.test(chunk.facadeModuleId ?? '')))
    )
      take(file);
  return [...wanted].toSorted();
}
