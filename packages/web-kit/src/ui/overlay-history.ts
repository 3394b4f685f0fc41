import { useEffect, useRef } from 'react';

/**
 * The part of the browser's window that the management of overlay entries uses. Each overlay (dialog or
 * sheet) has a history entry, so that the Back button closes the topmost overlay before it leaves the screen.
 */
export interface HistoryWindow {
  readonly history: Pick<History, 'state' | 'go' | 'pushState' | 'replaceState'>;
  readonly location: Pick<Location, 'pathname' | 'search'>;
  addEventListener(type: 'popstate', listener: (event: Event) => void, capture: boolean): void;
  /** Prevents the browser from restoring the scroll position at which the overlay was opened. */
  keepScroll(): void;
}

/**
 * Closes the overlay. Returns false when it stays open, for example a form that first asks for confirmation.
 */
export type CloseLayer = () => unknown;

interface Overlay {
  readonly close: CloseLayer;
}

/** Key in the state of a history entry: the number of overlays over its screen. */
const OVERLAY_COUNT = 'overlays';
/** Key in the state of a history entry: path and query of the previous screen. */
const CAME_FROM = 'cameFrom';
/** Milliseconds after which a history traversal counts as failed. */
const TRAVERSAL_TIMEOUT_MS = 1_000;

type HistoryCall = Parameters<History['pushState']>;

export class OverlayHistory {
  /** The history for the router, which hides the entries of overlays. */
  readonly forRouter: Pick<History, 'pushState' | 'replaceState'>;
  private readonly history: HistoryWindow['history'];
  private readonly page: Pick<HistoryWindow, 'keepScroll' | 'location'>;
  private readonly open: Overlay[] = [];
  /** The number of overlay entries on top of the current screen, up to the current entry. */
  private overlayCount: number;
  /** Identifies the router's history entry of the current screen. */
  private screen: unknown;
  private isSettling = false;
  private traversalTimer: ReturnType<typeof setTimeout> | undefined;
  /** History changes of the router that are deferred during a history traversal. */
  private readonly deferredWrites: (() => void)[] = [];
  /** The router's latest replacement of the screen's history entry while an overlay was open. */
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
    // No overlay is open after a page load, so leftover entries of overlays are skipped.
    this.settleSoon();
  }

  /**
   * Adds a history entry for an opened overlay. `close` is called when the user goes back; when it returns
   * false, the entry is restored. Returns a function that removes the entry.
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
   * Adjusts the history after all simultaneous changes are complete: a sheet replaced by another sheet passes
   * its entry on.
   */
  private settleSoon(): void {
    if (this.isSettling) return;
    this.isSettling = true;
    queueMicrotask(() => {
      this.isSettling = false;
      this.settle();
    });
  }

  /** Runs `action` after the entries of overlays that have just been closed are removed from the history. */
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
    // Only overlay entries changed, not the screen, so the router must not see the event.
    if (isSameScreen && (isOwn || isBack || places > 0)) event.stopImmediatePropagation();
    if (isOwn) {
      // The page may have scrolled to content that replaced a form before the dialog closed; that position is
      // kept.
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
    // Skips leftover history entries of closed overlays.
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

  /** A screen opened from an overlay replaces the overlay's history entry. */
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
   * While an overlay is open, the history entry of the screen below cannot be rewritten; that happens when it
   * is reached again.
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

/** The index that the router stores in the state of its history entries. */
function screenIndexOf(state: unknown): unknown {
  return stateOf(state)['idx'];
}

let pageHistory: OverlayHistory | undefined;

/**
 * Adds a history entry for an overlay, see `OverlayHistory.enter`. Does nothing on a page without a router
 * history.
 */
export function enterHistory(close: CloseLayer): (() => void) | undefined {
  return pageHistory?.enter(close);
}

/** Runs `action` as `OverlayHistory.afterLayers` does; immediately on a page without a router history. */
export function afterLayers(action: () => void): void {
  if (pageHistory === undefined) action();
  else pageHistory.afterLayers(action);
}

/**
 * Adds a history entry for an overlay while `isOpen`: Back calls the latest `close` instead of leaving the
 * screen.
 */
export function useHistoryLayer(isOpen: boolean, close: CloseLayer): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? enterHistory(() => latest.current()) : undefined), [isOpen]);
}

/**
 * Path and query (with base path) of the previous screen; undefined when the current screen was opened
 * through its URL.
 */
export function cameFrom(): string | undefined {
  const path = stateOf(window.history.state)[CAME_FROM];
  return typeof path === 'string' ? path : undefined;
}

/** The number of entries that open overlays have added on top of the current screen. */
export function overlayEntries(): number {
  return overlayCountOf(window.history.state);
}

/**
 * True when the current screen is the first entry of this tab's history in the app, so that Back would leave
 * the site.
 */
export function isFirstScreen(): boolean {
  return screenIndexOf(window.history.state) === 0;
}

/**
 * Creates the window object for the router and starts the management of overlay entries; call it once per
 * page.
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

/** Native functions throw when they are called on a proxy, so they are bound to the original object. */
function bindTo(owner: object, value: unknown): unknown {
  return typeof value === 'function' ? (value.bind(owner) as unknown) : value;
}
