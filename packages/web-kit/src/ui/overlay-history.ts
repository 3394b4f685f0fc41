/**
 * What is open over a screen (dialogs and sheets) has a place in the browser's history, so that the way back closes
 * the topmost of them before it leaves the screen. The places are the page's own: the router never sees them,
 * and what it writes meanwhile lands where it belongs.
 */

/** The part of the browser that is used. */
export interface HistoryWindow {
  readonly history: Pick<History, 'state' | 'go' | 'pushState' | 'replaceState'>;
  addEventListener(type: 'popstate', listener: (event: Event) => void, capture: boolean): void;
  /** The browser is about to scroll back to where the screen was when the overlay opened: it stays where it is now. */
  keepScroll(): void;
}

interface Overlay {
  readonly close: () => void;
}

/** In the state of an entry: how many overlays lie over its screen. */
const MARK = 'overlays';
/** A journey through the history that never arrives is given up. */
const ARRIVES_WITHIN_MS = 1_000;

type Written = Parameters<History['pushState']>;

export class OverlayHistory {
  /** The history for the router: like the browser's, but for the places of overlays. */
  readonly forRouter: Pick<History, 'pushState' | 'replaceState'>;
  private readonly history: HistoryWindow['history'];
  private readonly page: Pick<HistoryWindow, 'keepScroll'>;
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

  /** Takes a place for something that has opened; `close` is called when the person goes back. Gives the way to leave it. */
  enter(close: () => void): () => void {
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
      for (const { close } of this.open.splice(places).toReversed()) close();
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
  private pushed(written: Written): void {
    if (this.places === 0) this.history.pushState(...written);
    else this.history.replaceState(...written);
    this.places = 0;
    this.rewritten = undefined;
    this.screen = screenOf(written[0]);
    this.settleSoon();
  }

  /** The screen below is rewritten, too, once it is come back to. */
  private replaced([state, unused, url]: Written): void {
    if (this.places > 0) this.rewritten = [state, unused, url];
    const kept = this.places === 0 ? state : { ...stateOf(state), [MARK]: this.places };
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

/** Takes a place in the page's history; gives the way to leave it. Nothing happens on a page whose router keeps no history. */
export function enterHistory(close: () => void): (() => void) | undefined {
  return pages?.enter(close);
}

/** The window as the router is to know it, which begins the keeping of places; once per page. */
export function windowForRouter(): Window {
  const overlays = new OverlayHistory({
    history: window.history,
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
