/** The part of a service worker's global scope that this file uses. */
export interface PushWorkerScope {
  addEventListener(type: string, listener: (event: PushWorkerEvent) => void): void;
  readonly indexedDB: IDBFactory;
  readonly location: { readonly origin: string };
  readonly fetch: (address: string, options: RequestInit) => Promise<Response>;
  readonly registration: {
    readonly pushManager: {
      subscribe(options: PushSubscriptionOptionsInit): Promise<PushWorkerSubscription>;
    };
    showNotification(title: string, options: NotificationOptions): Promise<void>;
  };
  readonly clients: {
    matchAll(filter: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PushWorkerWindow[]>;
    openWindow(address: string): Promise<unknown>;
  };
  readonly navigator: {
    setAppBadge?: (count: number) => Promise<void>;
    clearAppBadge?: () => Promise<void>;
  };
}
/** A push subscription of the browser; `toJSON` returns its endpoint, and its keys as URL-safe Base64. */
interface PushWorkerSubscription {
  readonly options?: { readonly applicationServerKey?: ArrayBuffer | null };
  toJSON(): PushSubscriptionJSON;
}
interface PushWorkerWindow {
  readonly url: string;
  focus(): Promise<unknown>;
  navigate(address: string): Promise<unknown>;
}
export interface PushWorkerEvent {
  /** Content of the received push message. */
  readonly data?: { json(): unknown } | null;
  /** The notification that the user has pressed. */
  readonly notification?: { readonly data?: unknown; close(): void };
  /** The subscriptions before and after a renewal by the browser; not every browser passes them. */
  readonly oldSubscription?: PushWorkerSubscription | null;
  readonly newSubscription?: PushWorkerSubscription | null;
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Shows push messages. Reads the text of a push message from the server with the secret that the page has
 * stored for the site (`base`: `/` or `/pc/`), shows it as a notification, shows the number of unread
 * messages on the icon of the app, and opens the screen of a notification that is pressed. Browsers require
 * that every push message shows a notification. If the text of a push message cannot be read, the
 * notification shows a general text. When the browser has renewed its subscription, reports the new one to
 * the server, with the same secret; the server refuses it if the session has ended. The text of this
 * function is written to a built file, so it must not refer to anything outside itself.
 */
export function pushWorker(scope: PushWorkerScope, base: string): void {
  interface Settings {
    readonly token: string;
    readonly title: string;
    readonly body: string;
    /**
     * For each `place` of a push message, two paths: that of the screen itself, and that of a single item on it, with
     * `*` in the position of the item's id.
     */
    readonly places: Readonly<Record<string, readonly [string, string]>>;
    /**
     * The server's public key for push subscriptions; absent from settings that an earlier version of the site has
     * stored.
     */
    readonly publicKey?: string;
  }
  interface PushText {
    readonly id: string;
    readonly title: string;
    readonly body: string;
    readonly place: string;
    readonly item: string;
    readonly badge: number;
    readonly time: number;
  }

  const settings = () =>
    new Promise<Settings | undefined>((resolve) => {
      const opening = scope.indexedDB.open('push', 1);
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('settings'));
      opening.addEventListener('error', () => resolve(undefined));
      opening.addEventListener('success', () => {
        const database = opening.result;
        const reading = database.transaction('settings').objectStore('settings').get(base);
        const end = (found: Settings | undefined) => {
          database.close();
          resolve(found);
        };
        reading.addEventListener('success', () => end(reading.result as Settings | undefined));
        reading.addEventListener('error', () => end(undefined));
      });
    });
  const request = (name: string, fields: Record<string, string>) =>
    scope.fetch(`/bb/app/push/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
      credentials: 'omit',
    });
  const textOf = async (token: string, nonce: string): Promise<PushText | undefined> => {
    const answer = await request('read', { token, nonce });
    const { code, data } = (await answer.json()) as { code: number; data?: PushText };
    return code === 1 ? data : undefined;
  };
  const nonceOf = (event: PushWorkerEvent): string => {
    try {
      const { nonce } = (event.data?.json() ?? {}) as { nonce?: unknown };
      return typeof nonce === 'string' ? nonce : '';
    } catch {
      // A push message that is not JSON is not from this server. Without a nonce the general text is shown.
      return '';
    }
  };
  const pathOf = ({ places }: Settings, { place, item }: PushText): string => {
    const [general = '', single = ''] = places[place] ?? [];
    return item === '' ? general : single.replace('*', encodeURIComponent(item));
  };
  const badge = async (count: number) => {
    if (count > 0) await scope.navigator.setAppBadge?.(count);
    else await scope.navigator.clearAppBadge?.();
  };
  const icon = '/icons/icon-192.png';

  const show = async (event: PushWorkerEvent) => {
    const stored = await settings();
    const nonce = nonceOf(event);
    // Without a network, or after the end of the session, the message's own text cannot be fetched, and the general
    // text is shown.
    const text = stored && (await textOf(stored.token, nonce).catch(() => undefined));
    if (stored === undefined || text === undefined) {
      await scope.registration.showNotification(stored?.title ?? 'Amethyst', {
        body: stored?.body ?? '',
        tag: 'general',
        icon,
        data: base,
      });
      return;
    }
    await scope.registration.showNotification(text.title, {
      body: text.body,
      tag: text.id,
      icon,
      data: base + pathOf(stored, text).replace(/^\//, ''),
    });
    // Not every browser can show a number on the icon of the app.
    await badge(text.badge).catch(() => undefined);
  };
  const open = async (path: unknown) => {
    const address = new URL(typeof path === 'string' ? path : base, scope.location.origin).href;
    const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const isOfSite = ({ url }: PushWorkerWindow) =>
      new URL(url).pathname.startsWith('/pc/') === (base === '/pc/');
    const shown = windows.find(isOfSite);
    if (shown === undefined) return scope.clients.openWindow(address);
    try {
      await shown.focus();
      return await shown.navigate(address);
    } catch {
      // A window that this service worker does not control cannot be navigated, so a new window is opened.
      return scope.clients.openWindow(address);
    }
  };

  const renew = async ({ oldSubscription, newSubscription }: PushWorkerEvent) => {
    const stored = await settings();
    // No settings are stored after the user has signed out. The browser's new subscription is then not reported to the
    // server.
    if (stored === undefined) return;
    const applicationServerKey = stored.publicKey ?? oldSubscription?.options?.applicationServerKey ?? null;
    const subscription =
      newSubscription ??
      (await scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
    const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
    // If the request that reports the renewed subscription fails, the next visit of the site reports the
    // subscription.
    await request('renew', { token: stored.token, endpoint, p256dh, auth });
  };

  scope.addEventListener('push', (event) => event.waitUntil(show(event)));
  scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));
  scope.addEventListener('notificationclick', (event) => {
    event.notification?.close();
    event.waitUntil(open(event.notification?.data));
  });
}

/** Returns the source of the part of a service worker that shows a site's push messages. */
export function pushWorkerText(base: string): string {
  return `(${pushWorker.toString()})(self, ${JSON.stringify(base)});\n`;
}
