import { useSyncExternalStore } from 'react';

/** Response header with the build that the server currently serves. */
const BUILD_HEADER = 'x-build';
/** Session storage key of the build for which this tab has already reloaded. */
const RELOADED_FOR = 'reloadedForBuild';

/** Build of this page; undefined when it was not served by the exchange's server. */
export const ownBuild = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
let serverBuild = ownBuild;
const watchers = new Set<() => void>();
let isReloadAllowed = (): boolean => true;

/** Sets the condition under which the page may reload by itself to get a newer build. */
export function allowReloadWhen(condition: () => boolean): void {
  isReloadAllowed = condition;
}

/** Reads the server's current build of the app from a response header and notifies `useHasNewBuild`. */
export function recordServerBuild({ headers }: Pick<Response, 'headers'>): void {
  const build = headers.get(BUILD_HEADER);
  if (build === null || build === serverBuild || ownBuild === undefined) return;
  serverBuild = build;
  for (const watcher of watchers) watcher();
}

/** Whether the server now serves another build of the app than that of this page. */
export function useHasNewBuild(): boolean {
  return useSyncExternalStore(watch, () => serverBuild !== ownBuild);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Reloads the page when the file at `url` is missing because the server has a newer build. Reloads once per build, and
 * never while the condition of `allowReloadWhen` is false. A file missing for another reason causes no reload.
 */
export async function reloadForNewBuild(url: string): Promise<void> {
  if (ownBuild === undefined) return;
  try {
    const response = await fetch(url, { method: 'HEAD', cache: 'no-store', credentials: 'omit' });
    recordServerBuild(response);
    const isGone = response.status === 404 && serverBuild !== ownBuild;
    if (isGone && isReloadAllowed() && isFirstReloadFor(serverBuild ?? '')) location.reload();
  } catch {
    // Without a network the cause is unknown; the part of the page that needs the file shows its own error.
  }
}

function isFirstReloadFor(build: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_FOR) === build) return false;
    sessionStorage.setItem(RELOADED_FOR, build);
    return true;
  } catch {
    // Without session storage the page could reload endlessly.
    return false;
  }
}
