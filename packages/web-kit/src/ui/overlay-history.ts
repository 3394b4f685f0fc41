import { useEffect, useRef } from 'react';

/**
 * The part of the browser's window that `OverlayHistory` uses. Each open overlay (dialog or sheet) has a history entry
 * of its own, so that the Back button closes the topmost overlay before it leaves the screen.
 */
export interface HistoryWindow {
  readonly history: Pick<History, 'state' | 'go' | 'pushState' | 'replaceState'>;
  readonly location: Pick<Location, 'pathname' | 'search'>;
  addEventListener(type: 'popstate', listener: (event: Event) => void, capture: boolean): void;
  /**
   * Keeps the page's current scroll position after a history traversal, which would otherwise restore the position at
   * which the overlay was opened.
   */
  keepScroll(): void;
}

/**
 * Function that closes an overlay. Returns false if the overlay stays open, for example because a form asks
 * the user for confirmation first.
 */
export type CloseLayer = () => unknown;

interface Overlay {
  readonly close: CloseLayer;
}

/**
 * Key in the state of a history entry. Its value is the number of overlays that are open over the screen at this entry.
 */
const OVERLAY_COUNT = 'overlays';
/** Key in the state of a history entry. Its value is the path and query of the screen from which the user came. */
const CAME_FROM = 'cameFrom';
/**
 * Maximum time in milliseconds to wait for the end of a history traversal; after this time, the deferred
 * changes of the history are made even if the browser has not reported the end.
 */
const TRAVERSAL_TIMEOUT_MS = 1_000;

type HistoryCall = Parameters<History['pushState']>;

export class OverlayHistory {
  /**
   * The functions `pushState` and `replaceState` for the router; they hide the entries of overlays from the
   * router.
   */
  readonly forRouter: Pick<History, 'pushState' | 'replaceState'>;
  private readonly history: HistoryWindow['history'];
  private readonly page: Pick<HistoryWindow, 'keepScroll' | 'location'>;
  private readonly open: Overlay[] = [];
  /** The number of overlay entries between the screen's own history entry and the current entry. */
  private overlayCount: number;
  /** The router's index of the current screen's history entry. */
  private screen: unknown;
  private isSettling = false;
  private traversalTimer: ReturnType<typeof setTimeout> | undefined;
  /** Changes of the history by the router that wait until a history traversal has ended. */
  private readonly deferredWrites: (() => void)[] = [];
  /**
   * The last replacement of the screen's history entry that the router requested while an overlay was open.
   * It is made again at the screen's own entry as soon as no overlay is open; undefined if there is none.
   */
  private rewritten: HistoryCall | undefined;

  constructor(page: HistoryWindow) {
    const { history } = page;
    this.history = history;
    this.page = page;
    this.overlayCount = overlayCountOf(history.state);
    this.screen = screenIndexOf(history.state);
    this.forRouter = {
      pushState: (...call) => this.write(() => this.handlePush(call)),
      replaceState: (...call) => this.write(() => this.handleReplace(call)),
    };
    page.addEventListener('popstate', (event) => this.handlePopState(event), true);
    // No overlay is open after a page load, so entries of overlays that are still in the history are skipped.
    this.settleSoon();
  }

  /**
   * Adds a history entry for an overlay that has opened. When the user presses Back, the entry is removed and `close`
   * is called; if `close` returns false, the entry is added again. Returns a function that removes the entry when the
   * overlay has been closed.
   */
  enter(close: CloseLayer): () => void {
    const overlay = { close };
    this.open.push(overlay);
    this.settleSoon();
    return () => {
      const at = this.open.indexOf(overlay);
      if (at < 0) return;
      this.open.splice(at, 1);
      this.settleSoon();
    };
  }

  /**
   * Adds or removes history entries after the current task, so that overlays that open and overlays that close in the
   * same task are counted together: a sheet that replaces another sheet takes over its history entry.
   */
  private settleSoon(): void {
    if (this.isSettling) return;
    this.isSettling = true;
    queueMicrotask(() => {
      this.isSettling = false;
      this.settle();
    });
  }

  /**
   * Runs `action` when the entries of overlays that are closed in the current task have been removed from the history;
   * in a microtask if there are none, never within the call.
   */
  afterLayers(action: () => void): void {
    this.settleSoon();
    queueMicrotask(() => this.write(action));
  }

  private settle(): void {
    if (this.traversalTimer !== undefined) return;
    const openCount = this.open.length;
    if (openCount < this.overlayCount) {
      this.traversalTimer = setTimeout(() => this.endTraversal(), TRAVERSAL_TIMEOUT_MS);
      this.history.go(openCount - this.overlayCount);
      return;
    }
    this.screen = screenIndexOf(this.history.state);
    while (this.overlayCount < openCount) {
      this.overlayCount += 1;
      this.history.pushState({ ...stateOf(this.history.state), [OVERLAY_COUNT]: this.overlayCount }, '');
    }
  }

  private handlePopState(event: Event): void {
    const { state } = this.history;
    const places = overlayCountOf(state);
    const isSameScreen = screenIndexOf(state) === this.screen;
    const isOwn = this.traversalTimer !== undefined;
    const isBack = places < this.overlayCount;
    this.overlayCount = places;
    this.screen = screenIndexOf(state);
    // If only overlay entries have changed and not the screen, the router must not receive the `popstate`
    // event.
    if (isSameScreen && (isOwn || isBack || places > 0)) event.stopImmediatePropagation();
    if (isOwn) {
      // The page may have scrolled since the overlay was opened, for example to content that replaced a form; the
      // present scroll position is kept.
      this.page.keepScroll();
      this.endTraversal();
      return;
    }
    if (isSameScreen && isBack) {
      this.rewrite();
      const closing = this.open.splice(places);
      const staying = closing.toReversed().filter(({ close }) => close() === false);
      this.open.push(...staying.toReversed());
    }
    // If the history entry that the user has reached belongs to a closed overlay, it is skipped.
    this.settleSoon();
  }

  private endTraversal(): void {
    clearTimeout(this.traversalTimer);
    this.traversalTimer = undefined;
    this.rewrite();
    for (const write of this.deferredWrites.splice(0)) write();
    this.settleSoon();
  }

  private write(write: () => void): void {
    if (this.traversalTimer === undefined) write();
    else this.deferredWrites.push(write);
  }

  /**
   * Adds the history entry of a screen that the router opens. If an overlay is open, this entry replaces the entry of
   * the overlay.
   */
  private handlePush([state, unused, url]: HistoryCall): void {
    const { pathname, search } = this.page.location;
    const stamped = { ...stateOf(state), [CAME_FROM]: pathname + search };
    if (this.overlayCount === 0) this.history.pushState(stamped, unused, url);
    else this.history.replaceState(stamped, unused, url);
    this.overlayCount = 0;
    this.rewritten = undefined;
    this.screen = screenIndexOf(state);
    this.settleSoon();
  }

  /**
   * Replaces the current history entry. While an overlay is open, the current entry is that of the overlay, so the
   * replacement is also stored and made at the entry of the screen when that entry is reached again.
   */
  private handleReplace([state, unused, url]: HistoryCall): void {
    const stamped = { ...stateOf(state), [CAME_FROM]: stateOf(this.history.state)[CAME_FROM] };
    if (this.overlayCount > 0) this.rewritten = [stamped, unused, url];
    const newState = this.overlayCount === 0 ? stamped : { ...stamped, [OVERLAY_COUNT]: this.overlayCount };
    this.history.replaceState(newState, unused, url);
    this.screen = screenIndexOf(state);
  }

  private rewrite(): void {
    if (this.rewritten === undefined || this.overlayCount > 0) return;
    this.history.replaceState(...this.rewritten);
    this.rewritten = undefined;
  }
}

function stateOf(state: unknown): Readonly<Record<string, unknown>> {
  return typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};
}

function overlayCountOf(state: unknown): number {
  return Number(stateOf(state)[OVERLAY_COUNT] ?? 0);
}

/** Returns the index of a history entry, which the router stores in the state of the entry. */
function screenIndexOf(state: unknown): unknown {
  return stateOf(state)['idx'];
}

let pageHistory: OverlayHistory | undefined;

/**
 * Adds a history entry for an overlay and returns the function that removes the entry, as
 * `OverlayHistory.enter` does. On a page without a router, does nothing and returns undefined.
 */
export function enterHistory(close: CloseLayer): (() => void) | undefined {
  return pageHistory?.enter(close);
}

/** Runs `action` as `OverlayHistory.afterLayers` does; on a page without a router, runs it immediately. */
export function afterLayers(action: () => void): void {
  if (pageHistory === undefined) action();
  else pageHistory.afterLayers(action);
}

/**
 * While `isOpen` is true, an overlay has a history entry: Back calls the latest `close` instead of leaving the screen.
 */
export function useHistoryLayer(isOpen: boolean, close: CloseLayer): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? enterHistory(() => latest.current()) : undefined), [isOpen]);
}

/**
 * Returns the path and query, with the site's base, of the screen from which the user came; undefined when
 * the current screen was opened through its URL.
 */
export function cameFrom(): string | undefined {
  const path = stateOf(window.history.state)[CAME_FROM];
  return typeof path === 'string' ? path : undefined;
}

/**
 * Returns the number of history entries that open overlays have added after the entry of the current screen.
 */
export function overlayEntries(): number {
  return overlayCountOf(window.history.state);
}

/**
 * Returns true when the current screen is the first screen of the app in this tab's history, so that Back
 * would leave the site.
 */
export function isFirstScreen(): boolean {
  return screenIndexOf(window.history.state) === 0;
}

/**
 * Creates the window object that the router uses, and starts the management of the overlays' history entries; must be
 * called once per page.
 */
export function windowForRouter(): Window {
  const overlays = new OverlayHistory({
    history: window.history,
    location: window.location,
    addEventListener: (type, listener, capture) => window.addEventListener(type, listener, capture),
    keepScroll: () => {
      const [scrollLeft, scrollTop] = [window.scrollX, window.scrollY];
      requestAnimationFrame(() => window.scrollTo({ left: scrollLeft, top: scrollTop, behavior: 'instant' }));
    },
  });
  pageHistory = overlays;
  const { history } = window;
  const historyProxy = new Proxy(history, {
    get: (_, name) =>
      name === 'pushState' || name === 'replaceState'
        ? overlays.forRouter[name]
        : bindTo(history, Reflect.get(history, name, history)),
  });
  return new Proxy(window, {
    get: (_, name) => (name === 'history' ? historyProxy : bindTo(window, Reflect.get(window, name, window))),
  });
}

/**
 * Binds a function of the browser to its original object, because it throws when it is called on a proxy;
 * returns any other value unchanged.
 */
function bindTo(owner: object, value: unknown): unknown {
  return typeof value === 'function' ? (value.bind(owner) as unknown) : value;
}
