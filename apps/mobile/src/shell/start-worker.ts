/** How long the files of a page that was just opened are sent to the worker; by then it answers the page's requests itself. */
const SENT_FOR_MS = 30_000;

/**
 * Registers the service worker, with which the app opens without a network, and sends it the paths of the files that the
 * page has loaded: those of a first visit were loaded before there was a worker. Does nothing where browsers have none.
 */
export function startWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  // Reason: without a worker, as in a private window, the site works as long as there is a network.
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
    // A worker has no target origin: what it is sent besides is what is transferred to it.
    if (paths.length > 0) active?.postMessage(paths, []);
  });
  observer.observe({ type: 'resource', buffered: true });
  setTimeout(() => observer.disconnect(), SENT_FOR_MS);
}
