import { useSyncExternalStore } from 'react';

/** Response header in which the server names the build that it currently serves. */
const BUILD_HEADER = 'x-build';
/** Key in the session storage under which this tab stores the build for which it has last reloaded. */
const RELOADED_FOR = 'reloadedForBuild';

/** Build of this page; undefined when the exchange's server has not served the page. */
export const ownBuild = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
let serverBuild = ownBuild;
const watchers = new Set<() => void>();
let isReloadAllowed = (): boolean => true;

/**
 * Sets the condition under which the page may reload itself to get a newer build; until this is called, it
 * may always do so.
 */
export function allowReloadWhen(condition: () => boolean): void {
  isReloadAllowed = condition;
}

/**
 * Reads the build that the server currently serves from the header of a response, and updates
 * `useHasNewBuild`. Does nothing if the response lacks the header or the page has no build of its own
 * (`ownBuild`).
 */
export function recordServerBuild({ headers }: Pick<Response, 'headers'>): void {
  const build = headers.get(BUILD_HEADER);
  if (build === null || build === serverBuild || ownBuild === undefined) return;
  serverBuild = build;
  for (const watcher of watchers) watcher();
}

/** True if the server now serves another build of the app than the one of this page. */
export function useHasNewBuild(): boolean {
  return useSyncExternalStore(watch, () => serverBuild !== ownBuild);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Reloads the page if the file at `url` is missing because the server has a newer build: at most once per
 * build in this tab, and only while the condition of `allowReloadWhen` is true. Does not reload if the file
 * is missing for another reason.
 */
export async function reloadForNewBuild(url: string): Promise<void> {
  if (ownBuild === undefined) return;
  try {
    const response = await fetch(url, { method: 'HEAD', cache: 'no-store', credentials: 'omit' });
    recordServerBuild(response);
    const isGone = response.status === 404 && serverBuild !== ownBuild;
    if (isGone && isReloadAllowed() && isFirstReloadFor(serverBuild ?? '')) location.reload();
  } catch {
    // Without a response the reason is unknown, so the page does not reload; the component that needs the file shows
    // its own error.
  }
}

function isFirstReloadFor(build: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_FOR) === build) return false;
    sessionStorage.setItem(RELOADED_FOR, build);
    return true;
  } catch {
    // Without session storage, earlier reloads are unknown; the page does not reload, because it could do so endlessly.
    return false;
  }
}
