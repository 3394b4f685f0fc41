import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import type { QueryClient } from '@tanstack/react-query';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { type createBrowserRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';

/** A screen's code is loaded before it is shown, which takes a busy machine longer than a second. */
const PATIENCE_MS = 30_000;

type Router = ReturnType<typeof createBrowserRouter>;

/** Loads a site's `routes.tsx`. */
type LoadRoutes = () => Promise<{ readonly router: Router }>;

/** Signs the person in whom the tests' server knows, as a page that is opened next finds it on the device. */
export function storeSession(): void {
  localStorage.setItem(SESSION_KEYS.userId, 'u');
  localStorage.setItem(SESSION_KEYS.email, 'a@b.example');
  localStorage.setItem(SESSION_KEYS.token, 't');
}

/** A site in a page's real history. */
export class OpenedSite {
  private readonly router: Router;
  private readonly queryClient: QueryClient;
  /** How many entries the history had when the page was opened, its own included. */
  private readonly entriesBefore = window.history.length;

  private constructor(router: Router, queryClient: QueryClient) {
    this.router = router;
    this.queryClient = queryClient;
  }

  /** Opens `address` as a browser does that was elsewhere before: in an entry of its own, with modules of its own. */
  static async open(address: string, loadRoutes: LoadRoutes): Promise<OpenedSite> {
    window.history.pushState(null, '', address);
    vi.resetModules();
    const [{ router }, { Providers }, { startWords }, { setServerOrigin }, { queryClient }] =
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

  /** The address in the browser's bar. */
  get address(): string {
    return window.location.pathname + window.location.search;
  }

  /** Waits until the browser's bar shows `address`, and fails where it never does. */
  async shows(address: string): Promise<void> {
    await waitFor(
      () => {
        const isIdle = this.router.state.navigation.state === 'idle';
        if (this.address !== address || !isIdle) throw new Error(`shown is ${this.address}, not ${address}`);
      },
      { timeout: PATIENCE_MS },
    );
  }

  /** How many entries have been added since the page was opened. */
  get addedEntries(): number {
    return window.history.length - this.entriesBefore;
  }

  /** Goes somewhere within the site, as a link does. */
  async follow(path: string): Promise<void> {
    await act(() => this.router.navigate(path));
  }

  /** Goes back by the browser's button. */
  async back(): Promise<void> {
    await act(async () => window.history.back());
  }

  /** Closes the page, with what it has requested. */
  async close(): Promise<void> {
    cleanup();
    this.router.dispose();
    await this.queryClient.cancelQueries();
    this.queryClient.clear();
  }
}
