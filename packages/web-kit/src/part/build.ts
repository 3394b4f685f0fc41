import { useSyncExternalStore } from 'react';

/** Response header in which the server names the build of the sites that it serves. */
const BUILD_HEADER = 'x-build';
/** Under this name a tab remembers for which build it has reloaded itself. */
const RELOADED_FOR = 'reloadedForBuild';

/** The build that this page is part of; undefined where the page does not come from the exchange's server. */
export const ownBuild = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
let serverBuild = ownBuild;
const watchers = new Set<() => void>();
let mayReload = (): boolean => true;

/** Sets what has to be true for the page to reload by itself. */
export function allowReloadWhen(condition: () => boolean): void {
  mayReload = condition;
}

/** Reads from an answer of the server which build it serves by now. */
export function noteBuild({ headers }: Pick<Response, 'headers'>): void {
  const build = headers.get(BUILD_HEADER);
  if (build === null || build === serverBuild || ownBuild === undefined) return;
  serverBuild = build;
  for (const watcher of watchers) watcher();
}

/** Whether the server has published another build of the sites than the one this tab shows. */
export function useHasNewBuild(): boolean {
  return useSyncExternalStore(watch, () => serverBuild !== ownBuild);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Reloads the page when a file is gone because the server has another build: once per build, and never while an
 * unanswered request could still be sent again. Does nothing where the file is missing for another reason.
 */
export async function reloadForNewBuild(url: string): Promise<void> {
  if (ownBuild === undefined) return;
  try {
    const answer = await fetch(url, { method: 'HEAD', cache: 'no-store', credentials: 'omit' });
    noteBuild(answer);
    const isGone = answer.status === 404 && serverBuild !== ownBuild;
    if (isGone && mayReload() && isFirstReloadFor(serverBuild ?? '')) location.reload();
  } catch {
    // Reason: without a network nothing is known about the file; the part says that it is missing.
  }
}

function isFirstReloadFor(build: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_FOR) === build) return false;
    sessionStorage.setItem(RELOADED_FOR, build);
    return true;
  } catch {
    // Reason: a browser without storage could reload for ever.
    return false;
  }
}
