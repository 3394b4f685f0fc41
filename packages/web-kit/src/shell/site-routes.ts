import { SCREENS, type ScreenName } from '@exchange/wire/screens.ts';
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { withWords } from '../i18n/words.ts';
import { loadScreen } from '../part/load-chunk.ts';
import { paths } from '../paths.ts';
import { redirectFrom } from './guard.ts';

/** Imports the module of a screen, which is a separate chunk of the app. */
export type ScreenLoader = () => Promise<{ default: ComponentType }>;

/**
 * The loaders of all screens of a site. Screens in `ReplacedName`, which this site does not have because it shows other
 * screens instead, are excluded.
 */
export type SiteScreens<ReplacedName extends ScreenName> = Readonly<
  Record<Exclude<ScreenName, ReplacedName>, ScreenLoader>
>;

/**
 * Returns the lazily loaded route of a screen. Every screen except home also waits for all texts of the
 * interface language.
 */
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

/**
 * Returns the routes of redirects. Each redirects in a route loader, so that nothing is rendered for the old
 * path.
 */
export function redirectRoutes(redirects: ReadonlyMap<string, string>): RouteObject[] {
  return [...redirects].map(([path, to]) => ({
    path,
    loader: ({ request }) => redirectFrom(request, to),
    // The router logs a warning for a route without an element, so a redirect has the element `null`.
    element: null,
  }));
}

/**
 * Groups screens within a frame that stays visible when a screen fails to load or render. The error boundary belongs to
 * a parent route, because the router cannot render a route whose code has failed to load.
 */
export function withinFrame(screens: RouteObject[], ErrorBoundary: ComponentType): RouteObject {
  return { ErrorBoundary, children: screens };
}
