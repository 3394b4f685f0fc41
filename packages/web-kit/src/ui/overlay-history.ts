import { useEffect, useRef } from 'react';

/**
 * What is open over a screen (dialogs and sheets) has a place in the browser's history, so that the way back closes
 * the topmost of them before it leaves the screen. The places are the page's own: the router never sees them,
 * and what it writes meanwhile lands where it belongs.
 */

/** The part of the browser that is used. */
export interface HistoryWindow {
  readonly history: Pick<History, 'state' | 'go' | 'pushState' | 'replaceState'>;
  readonly location: Pick<Location, 'pathname' | 'search'>;
  addEventListener(type: 'popstate', listener: (event: Event) => void, capture: boolean): void;
  /** The browser is about to scroll back to where the screen was when the overlay opened: it stays where it is now. */
  keepScroll(): void;
}

/** Closes what is open. Returns false where it stays open, such as a form that first asks whether to leave. */
export type CloseLayer = () => unknown;

interface Overlay {
  readonly close: CloseLayer;
}

/** In the state of an entry: how many overlays lie over its screen. */
const MARK = 'overlays';
/** In the state of an entry: path and query of the screen from which the person came. */
const CAME_FROM = 'cameFrom';
/** A journey through the history that never arrives is given up. */
const ARRIVES_WITHIN_MS = 1_000;

type Written = Parameters<History['pushState']>;

export class OverlayHistory {
  /** The history for the router: like the browser's, but for the places of overlays. */
  readonly forRouter: Pick<History, 'pushState' | 'replaceState'>;
  private readonly history: HistoryWindow['history'];
  private readonly page: Pick<HistoryWindow, 'keepScroll' | 'location'>;
  private readonly open: Overlay[] = [];
  /** How many places of overlays lie over the screen now, the present one included. */
  private places: number;
  /** Which of the router's entries the screen is. */
  private screen: unknown;
  private isSettling = false;
  private journey: ReturnType<typeof setTimeout> | undefined;
  /** What the router wrote during a journey. */
  private readonly waiting: (() => void)[] = [];
  /** What the router wrote in place of the screen while an overlay lay over it. */
  private rewritten: Written | undefined;

  constructor(page: HistoryWindow) {
    const { history } = page;
    this.history = history;
    this.page = page;
    this.places = placesOf(history.state);
    this.screen = screenOf(history.state);
    this.forRouter = {
      pushState: (...written) => this.write(() => this.pushed(written)),
      replaceState: (...written) => this.write(() => this.replaced(written)),
    };
    page.addEventListener('popstate', (event) => this.arrived(event), true);
    // A page that was loaded anew has nothing open.
    this.settleSoon();
  }

  /**
   * Adds a place for a layer that has opened. `close` is called when the person goes back; where it returns false, the
   * layer gets its place again. Returns the function that removes the place.
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

  /** Once all that happens together has happened: a sheet that gives way to another leaves its place to it. */
  private settleSoon(): void {
    if (this.isSettling) return;
    this.isSettling = true;
    queueMicrotask(() => {
      this.isSettling = false;
      this.settle();
    });
  }

  /** Runs `action` once the places of what has been closed just now are gone from the history. */
  afterLayers(action: () => void): void {
    this.settleSoon();
    queueMicrotask(() => this.write(action));
  }

  private settle(): void {
    if (this.journey !== undefined) return;
    const wanted = this.open.length;
    if (wanted < this.places) {
      this.journey = setTimeout(() => this.ended(), ARRIVES_WITHIN_MS);
      this.history.go(wanted - this.places);
      return;
    }
    this.screen = screenOf(this.history.state);
    while (this.places < wanted) {
      this.places += 1;
      this.history.pushState({ ...stateOf(this.history.state), [MARK]: this.places }, '');
    }
  }

  private arrived(event: Event): void {
    const { state } = this.history;
    const places = placesOf(state);
    const isSameScreen = screenOf(state) === this.screen;
    const isOwn = this.journey !== undefined;
    const isBack = places < this.places;
    this.places = places;
    this.screen = screenOf(state);
    // The router has nothing to do where the screen stays.
    if (isSameScreen && (isOwn || isBack || places > 0)) event.stopImmediatePropagation();
    if (isOwn) {
      // What took the form's place may have been scrolled to before the dialog over it was gone.
      this.page.keepScroll();
      this.ended();
      return;
    }
    if (isSameScreen && isBack) {
      this.rewrite();
      const closing = this.open.splice(places);
      const staying = closing.toReversed().filter(({ close }) => close() === false);
      this.open.push(...staying.toReversed());
    }
    // Places that overlays have left behind are passed by.
    this.settleSoon();
  }

  private ended(): void {
    clearTimeout(this.journey);
    this.journey = undefined;
    this.rewrite();
    for (const write of this.waiting.splice(0)) write();
    this.settleSoon();
  }

  private write(write: () => void): void {
    if (this.journey === undefined) write();
    else this.waiting.push(write);
  }

  /** The next screen takes the place of the overlay that led to it. */
  private pushed([state, unused, url]: Written): void {
    const { pathname, search } = this.page.location;
    const stamped = { ...stateOf(state), [CAME_FROM]: pathname + search };
    if (this.places === 0) this.history.pushState(stamped, unused, url);
    else this.history.replaceState(stamped, unused, url);
    this.places = 0;
    this.rewritten = undefined;
    this.screen = screenOf(state);
    this.settleSoon();
  }

  /** The screen below is rewritten, too, once it is come back to. */
  private replaced([state, unused, url]: Written): void {
    const stamped = { ...stateOf(state), [CAME_FROM]: stateOf(this.history.state)[CAME_FROM] };
    if (this.places > 0) this.rewritten = [stamped, unused, url];
    const kept = this.places === 0 ? stamped : { ...stamped, [MARK]: this.places };
    this.history.replaceState(kept, unused, url);
    this.screen = screenOf(state);
  }

  private rewrite(): void {
    if (this.rewritten === undefined || this.places > 0) return;
    this.history.replaceState(...this.rewritten);
    this.rewritten = undefined;
  }
}

function stateOf(state: unknown): Readonly<Record<string, unknown>> {
  return typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};
}

function placesOf(state: unknown): number {
  return Number(stateOf(state)[MARK] ?? 0);
}

/** The router numbers its entries. */
function screenOf(state: unknown): unknown {
  return stateOf(state)['idx'];
}

let pages: OverlayHistory | undefined;

/** Adds a place to the page's history, as `OverlayHistory.enter` does. Does nothing on a page whose router keeps no history. */
export function enterHistory(close: CloseLayer): (() => void) | undefined {
  return pages?.enter(close);
}

/** Runs `action` as `OverlayHistory.afterLayers` does; at once on a page whose router keeps no history. */
export function afterLayers(action: () => void): void {
  if (pages === undefined) action();
  else pages.afterLayers(action);
}

/** Gives what is open a place in the history while `isOpen`: Back calls the latest `close` instead of leaving the screen. */
export function useHistoryLayer(isOpen: boolean, close: CloseLayer): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? enterHistory(() => latest.current()) : undefined), [isOpen]);
}

/**
 * Path and query, base path included, of the screen from which the present one was reached; undefined where it was
 * opened by its address.
 */
export function cameFrom(): string | undefined {
  const path = stateOf(window.history.state)[CAME_FROM];
  return typeof path === 'string' ? path : undefined;
}

/** Whether the present screen is the first of this tab's history in the app, so that Back would leave the site. */
export function isFirstScreen(): boolean {
  return screenOf(window.history.state) === 0;
}

/** The window as the router is to know it, which begins the keeping of places; once per page. */
export function windowForRouter(): Window {
  const overlays = new OverlayHistory({
    history: window.history,
    location: window.location,
    addEventListener: (type, listener, capture) => window.addEventListener(type, listener, capture),
    keepScroll: () => {
      const [left, top] = [window.scrollX, window.scrollY];
      requestAnimationFrame(() => window.scrollTo({ left, top, behavior: 'instant' }));
    },
  });
  pages = overlays;
  const { history } = window;
  const seen = new Proxy(history, {
    get: (_, name) =>
      name === 'pushState' || name === 'replaceState'
        ? overlays.forRouter[name]
        : boundOf(history, Reflect.get(history, name, history)),
  });
  return new Proxy(window, {
    get: (_, name) => (name === 'history' ? seen : boundOf(window, Reflect.get(window, name, window))),
  });
}

/** The browser's functions are called on the browser's objects only. */
function boundOf(owner: object, value: unknown): unknown {
  return typeof value === 'function' ? (value.bind(owner) as unknown) : value;
}
