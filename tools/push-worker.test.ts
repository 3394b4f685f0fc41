import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { pushWorker, type PushWorkerEvent, type PushWorkerScope } from './push-worker.ts';

const SETTINGS = {
  token: 'secret',
  title: 'Amethyst',
  body: 'Open the app to see it.',
  publicKey: 'server-key',
  places: { pair: ['/trade', '/trade?symbol=*'], security: ['/security', ''] },
};
const TEXT = {
  id: 'm1',
  title: 'BTC/USDT has risen',
  body: 'Your price alert',
  place: 'pair',
  item: 'BTC_USDT',
  badge: 3,
  time: 0,
};

/** Returns a fake database request that dispatches the event `success` in the next microtask. */
function succeeding(result: unknown) {
  return {
    result,
    addEventListener: (type: string, listener: () => void) => {
      if (type === 'success') queueMicrotask(listener);
    },
  };
}

/** Returns a subscription of the browser with an endpoint of this name. */
function subscriptionOf(name: string) {
  return {
    options: {},
    toJSON: () => ({
      endpoint: `https://push.test/${name}`,
      keys: { p256dh: `key-${name}`, auth: 'secret' },
    }),
  };
}

/** Creates an in-memory replacement of the global scope in which a site's service worker runs. */
function createScope(base: string, { stored, answer }: { stored?: unknown; answer?: unknown }) {
  const listeners = new Map<string, (event: PushWorkerEvent) => void>();
  const shown: { title: string; options: { body: string; tag: string; data: string } }[] = [];
  const windows: { url: string; focus: () => Promise<void>; navigate: ReturnType<typeof vi.fn> }[] = [];
  const opened: string[] = [];
  const badges: number[] = [];
  const subscribed: unknown[] = [];
  const fetched = vi.fn<(address: string, options: { body: string }) => Promise<Response>>(() =>
    answer === undefined ? Promise.reject(new TypeError('offline')) : Promise.resolve(Response.json(answer)),
  );
  const scope = {
    addEventListener: (type: string, listener: (event: PushWorkerEvent) => void) =>
      void listeners.set(type, listener),
    indexedDB: {
      open: () =>
        succeeding({
          transaction: () => ({
            objectStore: () => ({ get: (key: string) => succeeding(key === base ? stored : undefined) }),
          }),
          close: () => undefined,
        }),
    },
    location: { origin: 'https://a.test' },
    fetch: fetched,
    registration: {
      pushManager: {
        subscribe: (options: PushSubscriptionOptionsInit) => {
          subscribed.push(options.applicationServerKey);
          return Promise.resolve(subscriptionOf('subscribed'));
        },
      },
      showNotification: (title: string, options: (typeof shown)[number]['options']) =>
        Promise.resolve(void shown.push({ title, options })),
    },
    clients: {
      matchAll: () => Promise.resolve(windows),
      openWindow: (address: string) => Promise.resolve(void opened.push(address)),
    },
    navigator: {
      setAppBadge: (count: number) => Promise.resolve(void badges.push(count)),
      clearAppBadge: () => Promise.resolve(void badges.push(0)),
    },
  } as unknown as PushWorkerScope;
  pushWorker(scope, base);
  const dispatch = async (type: string, event: Partial<PushWorkerEvent>) => {
    let work: Promise<unknown> | undefined;
    const waitUntil = (promise: Promise<unknown>) => {
      work = promise;
    };
    listeners.get(type)!(Object.assign({ waitUntil }, event));
    await work;
  };
  const push = (content: unknown) => dispatch('push', { data: { json: () => content } });
  const press = (data: unknown) =>
    dispatch('notificationclick', { notification: { data, close: () => undefined } });
  return { shown, windows, opened, badges, fetched, subscribed, dispatch, push, press };
}

describe('the worker that shows pushes', () => {
  it.each([
    ['/', '/trade?symbol=BTC_USDT'],
    ['/pc/', '/pc/trade?symbol=BTC_USDT'],
  ])(
    'PUSH-015 of %s reads the text with its secret and shows it with the number of unread messages',
    async (base, path) => {
      const site = createScope(base, { stored: SETTINGS, answer: { code: 1, data: TEXT } });
      await site.push({ nonce: 'n1' });
      expect(site.fetched.mock.calls[0]).toMatchObject([
        '/bb/app/push/read',
        { body: 'token=secret&nonce=n1' },
      ]);
      expect(site.shown).toMatchObject([
        { title: TEXT.title, options: { body: TEXT.body, tag: 'm1', data: path } },
      ]);
      expect(site.badges).toEqual([3]);
    },
  );

  it.each([
    ['the network is lost', { stored: SETTINGS }],
    ['the session has ended', { stored: SETTINGS, answer: { code: 0, errKey: 'l.not_found' } }],
  ])('PUSH-015 shows the general text in the language of the site when %s', async (_, parts) => {
    const site = createScope('/', parts);
    await site.push({ nonce: 'n1' });
    expect(site.shown).toMatchObject([
      { title: SETTINGS.title, options: { body: SETTINGS.body, data: '/' } },
    ]);
  });

  it('PUSH-016 asks for nothing after the page has forgotten the secret, and survives a push of another sender', async () => {
    const site = createScope('/', { answer: { code: 1, data: TEXT } });
    await site.push({ nonce: 'n1' });
    expect(site.fetched).not.toHaveBeenCalled();
    expect(site.shown).toMatchObject([{ title: 'Amethyst' }]);
    const other = createScope('/', { stored: SETTINGS, answer: { code: 0 } });
    await other.dispatch('push', {
      data: {
        json: () => {
          throw new SyntaxError('no JSON');
        },
      },
    });
    expect(other.shown).toHaveLength(1);
  });

  it('PUSH-015 opens the screen in a window of the same site, or in a new one', async () => {
    const site = createScope('/', { stored: SETTINGS });
    const window = (url: string) => ({
      url,
      focus: () => Promise.resolve(),
      navigate: vi.fn<(address: string) => Promise<void>>(() => Promise.resolve()),
    });
    site.windows.push(window('https://a.test/pc/trade'));
    await site.press('/message?id=1');
    expect(site.opened).toEqual(['https://a.test/message?id=1']);
    site.windows.push(window('https://a.test/market'));
    await site.press('/security');
    expect(site.windows[1]!.navigate).toHaveBeenCalledWith('https://a.test/security');
    expect(site.windows[0]!.navigate).not.toHaveBeenCalled();
    site.windows[1]!.navigate.mockRejectedValue(new TypeError('not controlled'));
    await site.press(undefined);
    expect(site.opened.at(-1)).toBe('https://a.test/');
  });

  it('PUSH-020 reports the subscription that its browser has renewed, or subscribes again with the stored key', async () => {
    const site = createScope('/', { stored: SETTINGS, answer: { code: 1, data: {} } });
    await site.dispatch('pushsubscriptionchange', { newSubscription: subscriptionOf('renewed') });
    expect(site.subscribed).toEqual([]);
    await site.dispatch('pushsubscriptionchange', { oldSubscription: null });
    expect(site.subscribed).toEqual(['server-key']);
    const sent = (name: string) => [
      '/bb/app/push/renew',
      {
        body: new URLSearchParams({
          token: 'secret',
          endpoint: `https://push.test/${name}`,
          p256dh: `key-${name}`,
          auth: 'secret',
        }).toString(),
        credentials: 'omit',
      },
    ];
    expect(site.fetched.mock.calls).toMatchObject([sent('renewed'), sent('subscribed')]);
  });

  it('PUSH-020 reports nothing after the user has signed out', async () => {
    const site = createScope('/', {});
    await site.dispatch('pushsubscriptionchange', { newSubscription: subscriptionOf('renewed') });
    expect([site.fetched.mock.calls, site.subscribed]).toEqual([[], []]);
  });

  it('PUSH-015 refers to nothing outside its own text', () => {
    const copy = runInNewContext(`(${pushWorker.toString()})`) as typeof pushWorker;
    expect(() =>
      copy({ addEventListener: () => undefined } as unknown as PushWorkerScope, '/'),
    ).not.toThrow();
  });
});
