import { SCREENS, type ScreenName } from '@exchange/wire/screens.ts';
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { withWords } from '../i18n/words.ts';
import { loadScreen } from '../part/load-chunk.ts';
import { paths } from '../paths.ts';
import { redirectFrom } from './guard.ts';

/** Imports the module of a screen, which is a separate chunk. */
export type ScreenLoader = () => Promise<{ default: ComponentType }>;

/** All screens of a site except those that it replaces by others. */
export type SiteScreens<ReplacedName extends ScreenName> = Readonly<
  Record<Exclude<ScreenName, ReplacedName>, ScreenLoader>
>;

/** The lazily loaded route of a screen. Every screen except home also loads the complete translations. */
export function screenRoute(path: string, load: ScreenLoader): RouteObject {
  return {
    path,
    lazy: async () => {
      const chunk = loadScreen(load, path);
      return { Component: (await (path === paths.home ? chunk : withWords(chunk))).default };
    },
  };
}

export function screenRoutes(screens: Readonly<Partial<Record<ScreenName, ScreenLoader>>>): RouteObject[] {
  return (Object.entries(screens) as [ScreenName, ScreenLoader][]).map(([name, load]) => {
    const screen = SCREENS[name];
    return screenRoute('pattern' in screen ? screen.pattern : screen.path, load);
  });
}

/** The routes of redirects. They redirect in a loader, before anything renders, because the screen does not change. */
export function redirectRoutes(redirects: ReadonlyMap<string, string>): RouteObject[] {
  return [...redirects].map(([path, to]) => ({
    path,
    loader: ({ request }) => redirectFrom(request, to),
    // Without an element the router logs a warning.
    element: null,
  }));
}

/**
 * Groups screens within a frame that stays visible when one of them fails to load or render. The error
 * boundary needs its own route, because the router cannot render a route whose code failed to load.
 */
export function withinFrame(screens: RouteObject[], ErrorBoundary: ComponentType): RouteObject {
  return { ErrorBoundary, children: screens };
}
