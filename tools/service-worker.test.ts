import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { filesOf, worker, type WorkerEvent, type WorkerScope } from './service-worker.ts';

/**
 * Creates an in-memory replacement of the global scope of a service worker, with caches and with a network that can
 * fail.
 */
function createScope() {
  const stores = new Map<string, Map<string, Response>>();
  const keyOf = (request: Request | string) =>
    new URL(typeof request === 'string' ? request : request.url, 'https://a.test').pathname;
  const network = vi.fn<(request: Request | string) => Promise<Response>>((request) =>
    Promise.resolve(new Response(`fresh ${keyOf(request)}`)),
  );
  const cacheOf = (store: Map<string, Response>) => ({
    addAll: async (paths: string[]) => {
      for (const path of paths) store.set(path, await network(path));
    },
    match: (request: Request | string) => Promise.resolve(store.get(keyOf(request))?.clone()),
    put: (request: Request | string, answer: Response) =>
      Promise.resolve(void store.set(keyOf(request), answer)),
    keys: () => Promise.resolve([...store.keys()]),
  });
  const caches = {
    open: (name: string) => {
      const store = stores.get(name) ?? new Map<string, Response>();
      stores.set(name, store);
      return Promise.resolve(cacheOf(store));
    },
    keys: () => Promise.resolve([...stores.keys()]),
    delete: (name: string) => Promise.resolve(stores.delete(name)),
    match: (request: string) =>
      Promise.resolve([...stores.values()].map((store) => store.get(request)?.clone()).find(Boolean)),
  };
  const listeners = new Map<string, (event: WorkerEvent) => void>();
  const timers: { action: () => void; delayMs: number }[] = [];
  const scope = {
    addEventListener: (type: string, listener: (event: WorkerEvent) => void) =>
      void listeners.set(type, listener),
    caches,
    location: { origin: 'https://a.test' },
    fetch: network,
    setTimeout: (action: () => void, delayMs: number) => void timers.push({ action, delayMs }),
    skipWaiting: () => Promise.resolve(),
    clients: { claim: () => Promise.resolve() },
  } as unknown as WorkerScope;
  const dispatch = async (type: string, data?: unknown) => {
    let work: Promise<unknown> | undefined;
    listeners.get(type)!({
      data,
      waitUntil: (promise: Promise<unknown>) => (work = promise),
    } as unknown as WorkerEvent);
    await work;
  };
  /**
   * Sends a request to the service worker. Returns the text of its response, or undefined if the service worker leaves
   * the request to the browser.
   */
  const ask = async (path: string, options: { method?: string; mode?: string } = {}) => {
    let answer: Promise<Response> | undefined;
    const request = { url: new URL(path, 'https://a.test').href, method: 'GET', mode: 'no-cors', ...options };
    listeners.get('fetch')!({
      request,
      respondWith: (promise: Promise<Response>) => (answer = promise),
    } as unknown as WorkerEvent);
    return answer && (await (await answer).text());
  };
  return { scope, stores, network, timers, dispatch, ask };
}

describe('the service worker of a site', () => {
  it('MOB-201 caches the first page and its files on installation and deletes caches of other versions', async () => {
    const { scope, stores, dispatch } = createScope();
    stores.set('shell-old', new Map());
    stores.set('shell-pc-1', new Map());
    worker(scope, 'new', '/', ['/assets/home-1.js']);
    await dispatch('install');
    await dispatch('activate');
    expect([...stores.keys()]).toEqual(['shell-pc-1', 'shell-new']);
    expect([...stores.get('shell-new')!.keys()]).toEqual(['/main', '/favicon.svg', '/assets/home-1.js']);
  });

  it('MOB-201 fetches pages from the network and opens the cached first page when the network fails', async () => {
    const { scope, network, dispatch, ask } = createScope();
    worker(scope, '1', '/', []);
    await dispatch('install');
    expect(await ask('/trade?symbol=BTC_USDT', { mode: 'navigate' })).toBe('fresh /trade');
    network.mockRejectedValue(new TypeError('offline'));
    expect(await ask('/trade?symbol=BTC_USDT', { mode: 'navigate' })).toBe('fresh /main');
  });

  it('WEB-948 opens the stored page after three seconds without a response, or if the server fails', async () => {
    const { scope, network, timers, dispatch, ask } = createScope();
    worker(scope, '1', '/', []);
    await dispatch('install');
    network.mockReturnValueOnce(new Promise(() => undefined));
    const page = ask('/market', { mode: 'navigate' });
    await expect.poll(() => timers.map(({ delayMs }) => delayMs)).toEqual([3_000]);
    timers[0]!.action();
    expect(await page).toBe('fresh /main');
    network.mockResolvedValueOnce(new Response('Bad gateway', { status: 502 }));
    expect(await ask('/market', { mode: 'navigate' })).toBe('fresh /main');
    network.mockResolvedValueOnce(new Response('no such page', { status: 404 }));
    expect(await ask('/nowhere', { mode: 'navigate' })).toBe('no such page');
  });

  it('WEB-948 caches files that a page loaded before the worker was active, and no other paths of its message', async () => {
    const { scope, network, stores, dispatch, ask } = createScope();
    worker(scope, '1', '/', []);
    await dispatch('install');
    await dispatch('message', ['/assets/words-1.js', '/bb/app/user/info', 'https://b.test/assets/x.js', 7]);
    await dispatch('message', 'nothing');
    network.mockRejectedValue(new TypeError('offline'));
    await dispatch('message', ['/assets/lost-1.js']);
    expect(await ask('/assets/words-1.js')).toBe('fresh /assets/words-1.js');
    expect([...stores.get('shell-1')!.keys()]).toEqual(['/main', '/favicon.svg', '/assets/words-1.js']);
  });

  it('MOB-202 caches used files with a hash, but never API responses or other sites', async () => {
    const { scope, network, stores, dispatch, ask } = createScope();
    worker(scope, '1', '/', []);
    await dispatch('install');
    expect(await ask('/assets/trade-2.js')).toBe('fresh /assets/trade-2.js');
    network.mockRejectedValue(new TypeError('offline'));
    expect(await ask('/assets/trade-2.js')).toBe('fresh /assets/trade-2.js');
    for (const path of [
      '/bb/app/user/info',
      '/pc/main',
      '/dev/mail',
      'https://b.test/main',
      '/coins/btc.svg',
    ])
      expect(await ask(path, { mode: path === '/coins/btc.svg' ? 'no-cors' : 'navigate' })).toBeUndefined();
    expect(await ask('/favicon.svg')).toBe('fresh /favicon.svg');
    expect(await ask('/main', { method: 'POST', mode: 'navigate' })).toBeUndefined();
    expect([...stores.get('shell-1')!.keys()]).toEqual(['/main', '/favicon.svg', '/assets/trade-2.js']);
  });

  it('WEB-1112 the desktop’s worker serves its own paths only, and leaves the caches of the mobile site', async () => {
    const { scope, stores, network, dispatch, ask } = createScope();
    stores.set('shell-1', new Map());
    stores.set('shell-pc-old', new Map());
    worker(scope, '2', '/pc/', ['/pc/assets/home-1.js']);
    await dispatch('install');
    await dispatch('activate');
    expect([...stores.keys()]).toEqual(['shell-1', 'shell-pc-2']);
    await dispatch('message', ['/pc/assets/words-1.js', '/assets/words-1.js']);
    expect([...stores.get('shell-pc-2')!.keys()]).toEqual([
      '/pc/main',
      '/pc/favicon.svg',
      '/pc/assets/home-1.js',
      '/pc/assets/words-1.js',
    ]);
    network.mockRejectedValue(new TypeError('offline'));
    expect(await ask('/pc/trade?symbol=BTC_USDT', { mode: 'navigate' })).toBe('fresh /pc/main');
    expect(await ask('/pc/assets/home-1.js')).toBe('fresh /pc/assets/home-1.js');
    for (const path of ['/main', '/bb/app/user/info', '/assets/home-1.js', '/pc/popout.html'])
      expect(await ask(path, { mode: 'navigate' })).toBeUndefined();
  });

  it('MOB-202 refers to nothing outside its own text', () => {
    const { scope } = createScope();
    const copy = runInNewContext(`(${worker.toString()})`, { URL }) as typeof worker;
    expect(() => copy(scope, '1', '/', [])).not.toThrow();
  });

  it('MOB-201 caches the imports and style sheets of the first screen, and nothing else', () => {
    const chunk = (name: string, imports: string[], css: string[] = [], isEntry = false) => ({
      type: 'chunk',
      imports,
      isEntry,
      facadeModuleId: `/src/${name}.tsx`,
      viteMetadata: { importedCss: new Set(css) },
    });
    const bundle = {
      'assets/index.js': chunk('index', ['assets/kit.js'], ['assets/index.css'], true),
      'assets/kit.js': chunk('kit', []),
      'assets/home.js': chunk('home-screen', ['assets/kit.js', 'assets/icon.js']),
      'assets/icon.js': chunk('icon', []),
      'assets/trade.js': chunk('trade-screen', ['assets/kit.js']),
      'assets/home.css': { type: 'asset' },
      'assets/first-paint-1.js': { type: 'asset' },
    } as unknown as Parameters<typeof filesOf>[0];
    expect(filesOf(bundle, [/home-screen\.tsx$/])).toEqual([
      'assets/first-paint-1.js',
      'assets/home.js',
      'assets/icon.js',
      'assets/index.css',
      'assets/index.js',
      'assets/kit.js',
    ]);
  });
});
