import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Location, NavigationType, useLocation, useMatches, useNavigationType } from 'react-router';

/** Where positions outlive a reload. */
const STORED_AS = 'scroll-positions';
const POSITIONS_MAX = 100;
/** How long a screen that is come back to may take until it is as tall as it was. */
const GROWS_WITHIN_MS = 10_000;
/** How long a new screen's heading may take to be drawn. */
const HEADING_WITHIN_MS = 10_000;
/** What says that the person moves the page themselves. */
const OWN_MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * What happens between two screens, the same on both sites; to be drawn once, within the router. A screen that is
 * opened begins at its top, one that is come back to is where it was left, and in both cases the focus goes to its
 * heading, so that a screen reader says where one is. Nothing moves where a screen only rewrites its own address (a
 * filter, a tab), and nothing takes the focus from a field that the new screen has given it to.
 */
export function ScreenChange() {
  const location = useLocation();
  const type = useNavigationType();
  const screen = useMatches().at(-1)?.id;
  const positions = usePositions(placeOf(location));
  const before = useRef<{ readonly location: Location; readonly screen: string | undefined }>(undefined);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { location, screen };
    if (last?.location === location) return undefined;
    const isRewritten = type === NavigationType.Replace && last?.screen === screen;
    if (isRewritten) return undefined;
    const stop = new AbortController();
    if (last === undefined && isNewVisit()) positions.delete(placeOf(location));
    if (last === undefined || type === NavigationType.Pop) {
      const stored = positions.get(placeOf(location));
      if (stored !== undefined) scrollWhenTallEnough(stored, stop.signal);
      // A jump within a page is the browser's own.
      else if (last !== undefined && last.location.pathname !== location.pathname) scrollToTop();
    } else if (location.hash === '') scrollToTop();
    const isSameScreen = last?.screen === screen && last?.location.pathname === location.pathname;
    if (last !== undefined) focusHeading(isSameScreen, stop.signal);
    return () => stop.abort();
  }, [location, type, screen, positions]);
  return null;
}

/** The name of a screen's position: its entry in the history, or its path where it was opened by its address. */
function placeOf({ key, pathname }: Location): string {
  return key === 'default' ? pathname : key;
}

/** Whether the page was opened by its address or a link, and not loaded anew or come back to from another site. */
function isNewVisit(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return visit?.type === 'navigate';
}

/** Follows how far the page is scrolled, by the name of its place. */
function usePositions(place: string): Map<string, number> {
  const [positions] = useState(storedPositions);
  const current = useRef(place);
  useLayoutEffect(() => {
    current.current = place;
  }, [place]);
  useEffect(() => {
    const { scrollRestoration } = window.history;
    window.history.scrollRestoration = 'manual';
    const follow = (): void => {
      // The latest place is the last of the map, so that the oldest is dropped first.
      positions.delete(current.current);
      positions.set(current.current, window.scrollY);
    };
    const store = (): void => storePositions(positions);
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('pagehide', store);
    return () => {
      window.history.scrollRestoration = scrollRestoration;
      window.removeEventListener('scroll', follow);
      window.removeEventListener('pagehide', store);
    };
  }, [positions]);
  return positions;
}

function storedPositions(): Map<string, number> {
  try {
    const entries: unknown = JSON.parse(sessionStorage.getItem(STORED_AS) ?? '[]');
    return Array.isArray(entries) ? new Map(entries.filter(isPosition)) : new Map();
  } catch {
    // Reason: storage is forbidden or holds something else; every screen then begins at its top.
    return new Map();
  }
}

function isPosition(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && Number.isFinite(entry[1]);
}

function storePositions(positions: ReadonlyMap<string, number>): void {
  try {
    sessionStorage.setItem(STORED_AS, JSON.stringify([...positions].slice(-POSITIONS_MAX)));
  } catch {
    // Reason: storage is forbidden or full; positions then last as long as the page.
  }
}

function scrollToTop(): void {
  window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
}

/** Scrolls to `top` now, and again while what is still loading makes the page taller, until the person moves it. */
function scrollWhenTallEnough(top: number, signal: AbortSignal): void {
  const scroll = (): boolean => {
    window.scrollTo({ top, left: 0, behavior: 'instant' });
    return Math.abs(window.scrollY - top) <= 1;
  };
  if (scroll() || typeof ResizeObserver === 'undefined') return;
  const watch = new ResizeObserver(() => {
    if (scroll()) end();
  });
  const timer = setTimeout(end, GROWS_WITHIN_MS);
  function end(): void {
    clearTimeout(timer);
    watch.disconnect();
    for (const name of OWN_MOVES) window.removeEventListener(name, end);
  }
  for (const name of OWN_MOVES) window.addEventListener(name, end, { passive: true });
  signal.addEventListener('abort', end);
  watch.observe(document.body);
}

const heading = (): HTMLElement | null => document.querySelector('main h1, header h1');

/**
 * Focuses the heading as soon as it is drawn, unless the focus has been moved meanwhile. On the same screen, which has
 * another address only, the focus stays where it is unless what had it is gone.
 */
function focusHeading(isSameScreen: boolean, signal: AbortSignal): void {
  const { activeElement } = document;
  const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
  // What has the focus within a screen that has just been drawn was given it by that screen.
  const isGiven = (activeElement?.closest('main, [role="dialog"]') ?? null) !== null;
  if (!isLost() && (isSameScreen || isGiven)) return;
  const focus = (): boolean => {
    if (!isLost() && document.activeElement !== activeElement) return true;
    const found = heading();
    if (found === null) return false;
    if (!found.hasAttribute('tabindex')) found.tabIndex = -1;
    found.focus({ preventScroll: true });
    return true;
  };
  if (focus()) return;
  const watch = new MutationObserver(() => {
    if (focus()) end();
  });
  const timer = setTimeout(end, HEADING_WITHIN_MS);
  function end(): void {
    clearTimeout(timer);
    watch.disconnect();
  }
  signal.addEventListener('abort', end);
  watch.observe(document.body, { childList: true, subtree: true });
}
