import { beforeEach, describe, expect, it } from 'vitest';
import { OverlayHistory } from './overlay-history.ts';

interface Entry {
  state: unknown;
  url: string;
}

/** A simulated browser history with its entries and the current entry, and a router that follows each navigation. */
class Browser {
  entries: Entry[] = [{ state: { idx: 0 }, url: '/first' }];
  at = 0;
  visited: string[] = [];
  keptScrolls = 0;
  private readonly first: ((event: Event) => void)[] = [];

  readonly history = {
    get state(): unknown {
      return browser.entries[browser.at]?.state;
    },
    pushState: (state: unknown, _: string, url?: string | URL | null) => {
      this.entries = [...this.entries.slice(0, this.at + 1), { state, url: String(url ?? this.url) }];
      this.at += 1;
    },
    replaceState: (state: unknown, _: string, url?: string | URL | null) => {
      this.entries[this.at] = { state, url: String(url ?? this.url) };
    },
    go: (delta = 0) => void this.travel(delta),
  };
  readonly location = {
    get pathname(): string {
      return browser.url.split('?')[0] ?? '';
    },
    get search(): string {
      const query = browser.url.split('?')[1];
      return query === undefined ? '' : `?${query}`;
    },
  };
  readonly keepScroll = () => void (this.keptScrolls += 1);
  readonly addEventListener = (_: string, listener: (event: Event) => void) => void this.first.push(listener);

  get url(): string {
    return this.entries[this.at]?.url ?? '';
  }

  /** Simulates the Back button (`delta` -1) or the Forward button (1); resolves when all navigation is complete. */
  async travel(delta: number): Promise<void> {
    await soon();
    if (this.entries[this.at + delta] === undefined) return;
    this.at += delta;
    const event = new Event('popstate', { cancelable: true });
    let isStopped = false;
    event.stopImmediatePropagation = () => {
      isStopped = true;
    };
    for (const listener of this.first) listener(event);
    if (!isStopped) this.visited.push(this.url);
    await settle();
  }
}

/** Waits until all simulated navigation is complete. */
async function settle(): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) await soon();
}

/** Resolves in a later task, because real browsers also traverse their history asynchronously. */
function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

let browser: Browser;
let overlays: OverlayHistory;
let closed: string[];

beforeEach(() => {
  browser = new Browser();
  overlays = new OverlayHistory(browser);
  closed = [];
});

const open = async (name: string) => {
  const leave = overlays.enter(() => closed.push(name));
  await settle();
  return leave;
};
const navigate = async (url: string, idx: number) => {
  overlays.forRouter.pushState({ idx }, '', url);
  await settle();
};

describe('the Back button', () => {
  it('WEB-216 closes open overlays one after the other before it leaves the screen', async () => {
    await navigate('/second', 1);
    await open('dialog');
    await open('question');
    await browser.travel(-1);
    expect(closed).toEqual(['question']);
    await browser.travel(-1);
    expect(closed).toEqual(['question', 'dialog']);
    expect([browser.url, browser.visited]).toEqual(['/second', []]);
    await browser.travel(-1);
    expect([browser.url, browser.visited]).toEqual(['/first', ['/first']]);
  });

  it('WEB-216 leaves at once after an overlay was closed by its own button, and Forward finds no leftover', async () => {
    await navigate('/second', 1);
    const leave = await open('dialog');
    leave();
    await settle();
    expect(browser.url).toBe('/second');
    await browser.travel(-1);
    expect(browser.url).toBe('/first');
    await browser.travel(1);
    await browser.travel(1);
    expect([browser.url, browser.at, closed]).toEqual(['/second', 1, []]);
    expect(browser.visited).toEqual(['/first', '/second']);
  });

  it('WEB-216 keeps the scroll position after closing an overlay, unless the user went back', async () => {
    const leave = await open('dialog');
    leave();
    await settle();
    expect(browser.keptScrolls).toBe(1);
    await open('question');
    await browser.travel(-1);
    expect([closed, browser.keptScrolls]).toEqual([['question'], 1]);
  });

  it('WEB-216 an overlay that is replaced by another one passes its entry on', async () => {
    const leave = await open('sheet');
    leave();
    overlays.enter(() => closed.push('next'));
    await settle();
    expect(browser.entries).toHaveLength(2);
    await browser.travel(-1);
    expect([closed, browser.at]).toEqual([['next'], 0]);
  });

  it('WEB-216 a screen opened from a sheet leads back to the screen below the sheet', async () => {
    const leave = await open('pairs');
    overlays.forRouter.pushState({ idx: 1 }, '', '/other');
    leave();
    await settle();
    expect(browser.entries.map(({ url }) => url)).toEqual(['/first', '/other']);
    await browser.travel(-1);
    expect([browser.url, browser.visited, closed]).toEqual(['/first', ['/first'], []]);
  });

  it('WEB-216 a URL written by a sheet stays after closing it, in either order', async () => {
    const leave = await open('filter');
    overlays.forRouter.replaceState({ idx: 0 }, '', '/first?pair=BTC');
    leave();
    await settle();
    expect([browser.url, browser.at]).toEqual(['/first?pair=BTC', 0]);

    const leaveAgain = await open('filter');
    leaveAgain();
    await Promise.resolve();
    overlays.forRouter.replaceState({ idx: 0 }, '', '/first?pair=ETH');
    await settle();
    expect([browser.url, browser.at]).toEqual(['/first?pair=ETH', 0]);
    expect(browser.visited).toEqual([]);
  });

  it('WEB-216 a reload with an open dialog stays on its screen', async () => {
    await open('dialog');
    overlays = new OverlayHistory(browser);
    await settle();
    expect([browser.at, browser.url]).toEqual([0, '/first']);
  });

  it('WEB-931 a layer that stays open gets its entry back, and the ones above are closed', async () => {
    const closes: string[] = [];
    overlays.enter(() => {
      closes.push('form');
      return closes.length > 1;
    });
    await settle();
    await browser.travel(-1);
    expect([closes, browser.url, browser.at]).toEqual([['form'], '/first', 1]);
    await browser.travel(-1);
    expect([closes, browser.url, browser.at]).toEqual([['form', 'form'], '/first', 0]);
    expect(browser.visited).toEqual([]);
  });

  it('WEB-931 an entry names the previous screen, also after its URL was rewritten', async () => {
    const stateOf = () => browser.history.state as { readonly cameFrom?: string };
    await navigate('/second?coin=BTC', 1);
    expect(stateOf().cameFrom).toBe('/first');
    overlays.forRouter.replaceState({ idx: 1 }, '', '/second?coin=ETH');
    expect(stateOf().cameFrom).toBe('/first');
    const leave = await open('dialog');
    overlays.forRouter.pushState({ idx: 2 }, '', '/third');
    leave();
    await settle();
    expect(stateOf().cameFrom).toBe('/second?coin=ETH');
  });
});
