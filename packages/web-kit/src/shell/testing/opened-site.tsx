import type { QueryClient } from '@tanstack/react-query';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';
import { type createBrowserRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';

/** A screen's code is loaded before it is shown, which takes a busy machine longer than a second. */
const PATIENCE_MS = 30_000;

type Router = ReturnType<typeof createBrowserRouter>;

/** A site's modules, loaded anew for each page: its router, and everything that its screens stand in. */
export interface SiteModules {
  readonly router: Router;
  readonly Providers: ComponentType<{ children: ReactNode }>;
  readonly startWords: () => Promise<unknown>;
  readonly queryClient: QueryClient;
}

/** A site in a page's real history. */
export class OpenedSite {
  private readonly router: Router;
  private readonly queryClient: QueryClient;
  /** How many entries the history had when the page was opened, its own included. */
  private readonly entriesBefore = window.history.length;

  private constructor({ router, queryClient }: SiteModules) {
    this.router = router;
    this.queryClient = queryClient;
  }

  /** Opens `address` as a browser does that was elsewhere before: in an entry of its own, with modules of its own. */
  static async open(address: string, load: () => Promise<SiteModules>): Promise<OpenedSite> {
    window.history.pushState(null, '', address);
    vi.resetModules();
    const modules = await load();
    const { router, Providers, startWords } = modules;
    const site = new OpenedSite(modules);
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
