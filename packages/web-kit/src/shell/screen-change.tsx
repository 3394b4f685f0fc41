import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Location, NavigationType, useLocation, useMatches, useNavigationType } from 'react-router';

/** Session storage key under which the scroll positions are stored, so that they survive a reload. */
const STORAGE_KEY = 'scroll-positions';
const POSITIONS_MAX = 100;
/** Maximum time in milliseconds that restoring a scroll position waits for the page to become tall enough. */
const RESTORE_TIMEOUT_MS = 10_000;
/** Maximum time in milliseconds to wait until a new screen has rendered its heading. */
const HEADING_TIMEOUT_MS = 10_000;
/**
 * Events that show that the user is scrolling or moving the focus; each of them ends the restoring of a
 * scroll position.
 */
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Handles scroll position and focus on navigation; must be rendered once inside the router. A new screen is shown from
 * its top, unless its URL has an anchor; a screen that is reached through the history or by a reload gets its former
 * scroll position. After a navigation, but not after a page load, the focus moves to the heading, for screen readers,
 * unless the new screen has focused an element itself. If only the URL of the same screen changes, the focus moves only
 * if the focused element no longer exists. Nothing happens when a screen only replaces its own URL (filter, tab).
 */
export function ScreenChange() {
  const location = useLocation();
  const type = useNavigationType();
  const screen = useMatches().at(-1)?.id;
  const positions = usePositions(positionKeyOf(location));
  const before = useRef<{ readonly location: Location; readonly screen: string | undefined }>(undefined);
  useLayoutEffect(() => {
    const previous = before.current;
    before.current = { location, screen };
    if (previous?.location === location) return undefined;
    const isRewritten = type === NavigationType.Replace && previous?.screen === screen;
    if (isRewritten) return undefined;
    const stop = new AbortController();
    if (previous === undefined && isNewVisit()) positions.delete(positionKeyOf(location));
    if (previous === undefined || type === NavigationType.Pop) {
      const stored = positions.get(positionKeyOf(location));
      if (stored !== undefined) scrollWhenTallEnough(stored, stop.signal);
      // Without a stored position, another path is shown from its top. If the URL only changes within the
      // same path, for example to an anchor, the browser itself scrolls.
      else if (previous !== undefined && previous.location.pathname !== location.pathname) scrollToTop();
    } else if (location.hash === '') scrollToTop();
    const isSameScreen = previous?.screen === screen && previous?.location.pathname === location.pathname;
    if (previous !== undefined) focusHeading(isSameScreen, stop.signal);
    return () => stop.abort();
  }, [location, type, screen, positions]);
  return null;
}

/**
 * Returns the key of a screen's scroll position in the map that `usePositions` returns: the key of the
 * screen's history entry, or its path for the first entry.
 */
function positionKeyOf({ key, pathname }: Location): string {
  return key === 'default' ? pathname : key;
}

/**
 * Returns true when the page was opened through its URL or a link; false after a reload, and after a return
 * from another site.
 */
function isNewVisit(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return visit?.type === 'navigate';
}

/** Records the scroll position of each history entry; returns the positions by key. */
function usePositions(positionKey: string): Map<string, number> {
  const [positions] = useState(storedPositions);
  const current = useRef(positionKey);
  useLayoutEffect(() => {
    current.current = positionKey;
  }, [positionKey]);
  useEffect(() => {
    const { scrollRestoration } = window.history;
    window.history.scrollRestoration = 'manual';
    const trackScroll = (): void => {
      // The key of the scroll position is removed and added again at the end of the map, so that the
      // positions that have not changed for the longest time are dropped first.
      positions.delete(current.current);
      positions.set(current.current, window.scrollY);
    };
    const store = (): void => storePositions(positions);
    window.addEventListener('scroll', trackScroll, { passive: true });
    window.addEventListener('pagehide', store);
    return () => {
      window.history.scrollRestoration = scrollRestoration;
      window.removeEventListener('scroll', trackScroll);
      window.removeEventListener('pagehide', store);
    };
  }, [positions]);
  return positions;
}

function storedPositions(): Map<string, number> {
  try {
    const entries: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(entries) ? new Map(entries.filter(isPosition)) : new Map();
  } catch {
    // The storage is blocked or contains invalid data; the scroll positions of the time before the page was
    // loaded are lost.
    return new Map();
  }
}

function isPosition(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && Number.isFinite(entry[1]);
}

function storePositions(positions: ReadonlyMap<string, number>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions].slice(-POSITIONS_MAX)));
  } catch {
    // The storage is blocked or full; the scroll positions are lost when the page is closed or reloaded.
  }
}

function scrollToTop(): void {
  window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
}

/**
 * Scrolls to `top` now, and again each time that the page changes its height because content loads, until the
 * position is reached, the user scrolls or moves the focus, or `RESTORE_TIMEOUT_MS` has passed.
 */
function scrollWhenTallEnough(top: number, signal: AbortSignal): void {
  const scroll = (): boolean => {
    window.scrollTo({ top, left: 0, behavior: 'instant' });
    return Math.abs(window.scrollY - top) <= 1;
  };
  if (scroll() || typeof ResizeObserver === 'undefined') return;
  const watch = new ResizeObserver(() => {
    if (scroll()) end();
  });
  const timer = setTimeout(end, RESTORE_TIMEOUT_MS);
  function end(): void {
    clearTimeout(timer);
    watch.disconnect();
    for (const name of USER_EVENTS) window.removeEventListener(name, end);
  }
  for (const name of USER_EVENTS) window.addEventListener(name, end, { passive: true });
  signal.addEventListener('abort', end);
  watch.observe(document.body);
}

const findHeading = (): HTMLElement | null => document.querySelector('main h1, header h1');

/**
 * Focuses the screen's heading as soon as it is rendered, within a time limit, unless the new screen has focused an
 * element itself or the user has moved the focus since the navigation. When only the URL of the same screen has
 * changed, the focus moves only if the focused element no longer exists.
 */
function focusHeading(isSameScreen: boolean, signal: AbortSignal): void {
  const { activeElement } = document;
  const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
  // If the focused element is inside the new screen, that screen has focused it, and the focus stays there.
  const isGiven = (activeElement?.closest('main, [role="dialog"]') ?? null) !== null;
  if (!isLost() && (isSameScreen || isGiven)) return;
  const focus = (): boolean => {
    if (!isLost() && document.activeElement !== activeElement) return true;
    const element = findHeading();
    if (element === null) return false;
    if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
    element.focus({ preventScroll: true });
    return true;
  };
  if (focus()) return;
  const watch = new MutationObserver(() => {
    if (focus()) end();
  });
  const timer = setTimeout(end, HEADING_TIMEOUT_MS);
  function end(): void {
    clearTimeout(timer);
    watch.disconnect();
  }
  signal.addEventListener('abort', end);
  watch.observe(document.body, { childList: true, subtree: true });
}
