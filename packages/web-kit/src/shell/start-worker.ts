import { onLocale } from '../i18n/words.ts';

/**
 * Milliseconds after the service worker became ready during which the page sends it the paths of loaded files; after
 * that, the worker intercepts all requests itself.
 */
const SEND_PATHS_MS = 30_000;

/**
 * Registers the service worker of the site at the path `base`, which has a slash at both ends; the worker makes the
 * site available offline. For 30 seconds after the worker is ready, sends it the paths of the files that the page has
 * loaded, because on a first visit they were loaded before the worker existed. In browsers without service workers it
 * does neither. In every browser it keeps the link to the web app manifest in the page's language.
 */
export function startWorker(base: string): void {
  followWithManifest();
  if (!('serviceWorker' in navigator)) return;
  // A failed registration, for example in a private window, is ignored: the site still works online.
  void navigator.serviceWorker.register(`${base}service-worker.js`).catch(() => undefined);
  void sendLoadedFiles(navigator.serviceWorker, base);
}

/**
 * Links the manifest of the site in the page's language, now and after each change of the language, so that the menu of
 * the installed site has that language. The English file has no language in its name. Pages of the development server
 * have no manifest. Returns a function that stops this.
 */
export function followWithManifest(): () => void {
  const follow = (): void => {
    const { lang } = document.documentElement;
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    const ending = lang === 'en-US' ? '' : `.${lang}`;
    const href = link?.href.replace(/manifest(?:\.[\w-]+)?\.webmanifest$/, `manifest${ending}.webmanifest`);
    if (link !== null && href !== undefined && href !== link.href) link.href = href;
  };
  follow();
  return onLocale(follow);
}

async function sendLoadedFiles(container: ServiceWorkerContainer, base: string): Promise<void> {
  const { active } = await container.ready;
  const observer = new PerformanceObserver((loaded) => {
    const paths = loaded
      .getEntries()
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith(`${base}assets/`))
      .map(({ pathname }) => pathname);
    // `postMessage` of a service worker, unlike that of a window, takes no target origin; its second parameter lists
    // transferred objects.
    if (paths.length > 0) active?.postMessage(paths, []);
  });
  observer.observe({ type: 'resource', buffered: true });
  setTimeout(() => observer.disconnect(), SEND_PATHS_MS);
}
