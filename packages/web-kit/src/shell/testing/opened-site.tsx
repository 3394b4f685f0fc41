import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import type { QueryClient } from '@tanstack/react-query';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { type createBrowserRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { overlayEntries } from '../../ui/overlay-history.ts';

/** Time limit in milliseconds; loading the code of a screen takes more than a second on a busy machine. */
const PATIENCE_MS = 30_000;

type Router = ReturnType<typeof createBrowserRouter>;

/** Imports a site's `routes.tsx`. */
type LoadRoutes = () => Promise<{ readonly router: Router }>;

/** Stores a session of the test server's user, which the next opened page finds. */
export function storeSession(): void {
  localStorage.setItem(SESSION_KEYS.userId, 'u');
  localStorage.setItem(SESSION_KEYS.email, 'a@b.example');
  localStorage.setItem(SESSION_KEYS.token, 't');
}

/** One of the two apps, rendered with the page's real history. */
export class OpenedSite {
  private readonly router: Router;
  private readonly queryClient: QueryClient;
  /** The length of the browser history when the page was opened, including the page's own entry. */
  private readonly entriesBefore = window.history.length;

  private constructor(router: Router, queryClient: QueryClient) {
    this.router = router;
    this.queryClient = queryClient;
  }

  /** Opens a URL like a browser coming from another site: in a new history entry and with fresh modules. */
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

  /** Path and query in the address bar. */
  get address(): string {
    return window.location.pathname + window.location.search;
  }

  /** Waits until the address bar shows `address` and React shows its screen; fails on timeout. */
  async waitForAddress(address: string): Promise<void> {
    await waitFor(
      () => {
        const isIdle = this.router.state.navigation.state === 'idle';
        if (this.address !== address || !isIdle) throw new Error(`shown is ${this.address}, not ${address}`);
      },
      { timeout: PATIENCE_MS },
    );
    // React replaces the screen in a transition, after the router has become idle.
    await act(() => Promise.resolve());
  }

  /** The number of history entries added since the page was opened, those of open overlays included. */
  get addedEntries(): number {
    return window.history.length - this.entriesBefore;
  }

  /** The number of history entries of screens added since the page was opened. */
  get addedScreens(): number {
    return this.addedEntries - overlayEntries();
  }

  /** Navigates within the site like a link. */
  async follow(path: string): Promise<void> {
    await act(() => this.router.navigate(path));
  }

  /** Presses the browser's Back button. */
  async back(): Promise<void> {
    await act(async () => window.history.back());
  }

  /** Unmounts the page and drops its cached requests. */
  async close(): Promise<void> {
    cleanup();
    this.router.dispose();
    await this.queryClient.cancelQueries();
    this.queryClient.clear();
  }
}
