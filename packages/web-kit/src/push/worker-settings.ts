import type { MessagePlace } from '@exchange/core/message-place.ts';

/** The settings that the service worker of a site (`tools/push-worker.ts`) uses to show pushes. */
export interface WorkerSettings {
  /** Secret with which the service worker fetches the texts of pushes from the server. */
  readonly token: string;
  /** Title and text of a push whose own text cannot be fetched. */
  readonly title: string;
  readonly body: string;
  readonly places: Readonly<Record<MessagePlace, readonly [string, string]>>;
  /** The server's public key, with which the service worker renews the browser's subscription. */
  readonly publicKey: string;
}

const DATABASE = 'push';
const STORE = 'settings';

/** Stores the settings of the service worker of the site with the base path `base`; undefined deletes them. */
export async function storeWorkerSettings(base: string, settings: WorkerSettings | undefined): Promise<void> {
  const database = await opened();
  try {
    const store = database.transaction(STORE, 'readwrite').objectStore(STORE);
    if (settings === undefined) await done(store.delete(base));
    else await done(store.put(settings, base));
  } finally {
    database.close();
  }
}

/**
 * Changes the settings of the service worker of a site except its secret. Returns false, and stores nothing, if the
 * service worker has no settings.
 */
export async function changeWorkerSettings(
  base: string,
  { title, body, places, publicKey }: Omit<WorkerSettings, 'token'>,
): Promise<boolean> {
  const database = await opened();
  try {
    const store = database.transaction(STORE, 'readwrite').objectStore(STORE);
    const stored = await done<WorkerSettings | undefined>(store.get(base));
    if (stored === undefined) return false;
    await done(store.put({ token: stored.token, title, body, places, publicKey }, base));
    return true;
  } finally {
    database.close();
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('the storage did not respond')),
    );
  });
}
