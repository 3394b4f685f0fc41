/**
 * Milliseconds after the service worker became ready during which the page sends it the paths of loaded files; after
 * that, the worker intercepts all requests itself.
 */
const SEND_PATHS_MS = 30_000;

/**
 * Registers the service worker, which lets the app open offline, and sends it the paths of the files loaded so far: on
 * a first visit they were loaded before the worker existed. In browsers without service workers it does nothing.
 */
export function startWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  // Without a service worker, for example in a private window, the site still works online.
  void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
  void sendLoadedFiles(navigator.serviceWorker);
}

async function sendLoadedFiles(container: ServiceWorkerContainer): Promise<void> {
  const { active } = await container.ready;
  const observer = new PerformanceObserver((loaded) => {
    const paths = loaded
      .getEntries()
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
      .map(({ pathname }) => pathname);
    // `postMessage` of a service worker, unlike that of a window, takes no target origin; its second parameter lists
    // transferred objects.
    if (paths.length > 0) active?.postMessage(paths, []);
  });
  observer.observe({ type: 'resource', buffered: true });
  setTimeout(() => observer.disconnect(), SEND_PATHS_MS);
}
