import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Location, NavigationType, useLocation, useMatches, useNavigationType } from 'react-router';

/** Session storage key of scroll positions, which survive a reload. */
const STORAGE_KEY = 'scroll-positions';
const POSITIONS_MAX = 100;
/** Maximum time in milliseconds to wait for a restored screen to reach its former height. */
const RESTORE_TIMEOUT_MS = 10_000;
/** Maximum time in milliseconds to wait for the heading of a new screen. */
const HEADING_TIMEOUT_MS = 10_000;
/** Events by which the user scrolls or moves the focus. */
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Handles scroll position and focus on navigation; render it once inside the router. A new screen starts at
 * its top, a screen reached through the history restores its position, and in both cases the focus moves to
 * the heading for screen readers. Nothing happens when a screen only rewrites its own URL (filter, tab), and
 * a field focused by the new screen keeps the focus.
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
      // Scrolling to an anchor within a page is left to the browser.
      else if (previous !== undefined && previous.location.pathname !== location.pathname) scrollToTop();
    } else if (location.hash === '') scrollToTop();
    const isSameScreen = previous?.screen === screen && previous?.location.pathname === location.pathname;
    if (previous !== undefined) focusHeading(isSameScreen, stop.signal);
    return () => stop.abort();
  }, [location, type, screen, positions]);
  return null;
}

/**
 * Storage key of a screen's scroll position: the key of its history entry, or its path for the first entry.
 */
function positionKeyOf({ key, pathname }: Location): string {
  return key === 'default' ? pathname : key;
}

/**
 * True when the page was opened through its URL or a link, false for a reload or a return from another site.
 */
function isNewVisit(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return visit?.type === 'navigate';
}

/** Records the scroll position of each history entry. */
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
      // Reinserts the key at the end of the map, so that the oldest entry is dropped first.
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
    // Storage is blocked or contains invalid data; the positions from before the page load are then lost.
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
    // Storage is blocked or full; positions then last as long as the page.
  }
}

function scrollToTop(): void {
  window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
}

/**
 * Scrolls to `top` now, and again while loading content makes the page taller, until the position is reached,
 * the user acts, or `RESTORE_TIMEOUT_MS` has passed.
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
 * Focuses the screen's heading once it is rendered, unless the focus has moved meanwhile. When only the URL
 * of the same screen changed, the focus moves only if the focused element is gone.
 */
function focusHeading(isSameScreen: boolean, signal: AbortSignal): void {
  const { activeElement } = document;
  const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
  // An element inside the new screen that has the focus was focused by that screen.
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
