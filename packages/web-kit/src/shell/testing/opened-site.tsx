import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import type { QueryClient } from '@tanstack/react-query';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { type createBrowserRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { overlayEntries } from '../../ui/overlay-history.ts';

/**
 * Maximum time in milliseconds that a test waits for an address. Loading the code of a screen takes more than a second
 * on a busy machine.
 */
const PATIENCE_MS = 30_000;

type Router = ReturnType<typeof createBrowserRouter>;

/** Function that imports the module `routes.tsx` of a site. */
type LoadRoutes = () => Promise<{ readonly router: Router }>;

/** Stores a session of the test server's user in the browser; pages opened afterwards are signed in. */
export function storeSession(): void {
  localStorage.setItem(SESSION_KEYS.userId, 'u');
  localStorage.setItem(SESSION_KEYS.email, 'a@b.example');
  localStorage.setItem(SESSION_KEYS.token, 't');
}

/** One of the two apps, rendered in a test with the real browser history. */
export class OpenedSite {
  private readonly router: Router;
  private readonly queryClient: QueryClient;
  /** The length of the browser history when the page was opened; includes the entry of the page. */
  private readonly entriesBefore = window.history.length;

  private constructor(router: Router, queryClient: QueryClient) {
    this.router = router;
    this.queryClient = queryClient;
  }

  /**
   * Opens a URL as a browser does when the user comes from another site: with a new history entry and newly loaded
   * modules.
   */
  static async open(address: string, loadRoutes: LoadRoutes): Promise<OpenedSite> {
    window.history.pushState(null, '', address);
    vi.resetModules();
    const [{ router }, { Providers }, { loadAllWords: startWords }, { setServerOrigin }, { queryClient }] =
      await Promise.all([
        loadRoutes(),
        import('../providers.tsx'),
        import('../../i18n/words.ts'),
        import('../../api/client.ts'),
        import('../../api/query-client.ts'),
      ]);
    setServerOrigin(location.origin);
    const site = new OpenedSite(router, queryClient);
    await startWords();
    render(
      <Providers>
        <RouterProvider router={router} />
      </Providers>,
    );
    return site;
  }

  get address(): string {
    return window.location.pathname + window.location.search;
  }

  /** Waits until the address bar shows `address` and the router is idle; fails after the time limit. */
  async waitForAddress(address: string): Promise<void> {
    await waitFor(
      () => {
        const isIdle = this.router.state.navigation.state === 'idle';
        if (this.address !== address || !isIdle) throw new Error(`shown is ${this.address}, not ${address}`);
      },
      { timeout: PATIENCE_MS },
    );
    // React replaces the screen in a transition, which ends after the router has become idle.
    await act(() => Promise.resolve());
  }

  /** The number of history entries added since the page was opened, including the entries of open overlays. */
  get addedEntries(): number {
    return window.history.length - this.entriesBefore;
  }

  /**
   * The number of history entries added for screens since the page was opened, without the entries of open overlays.
   */
  get addedScreens(): number {
    return this.addedEntries - overlayEntries();
  }

  async follow(path: string): Promise<void> {
    await act(() => this.router.navigate(path));
  }

  async back(): Promise<void> {
    await act(async () => window.history.back());
  }

  /** Unmounts the page and removes its cached responses. */
  async close(): Promise<void> {
    cleanup();
    this.router.dispose();
    await this.queryClient.cancelQueries();
    this.queryClient.clear();
  }
}
