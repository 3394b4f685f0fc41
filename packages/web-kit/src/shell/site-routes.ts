import { SCREENS, type ScreenName } from '@exchange/wire/screens.ts';
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { withWords } from '../i18n/words.ts';
import { loadScreen } from '../part/load-chunk.ts';
import { paths, redirectsOf, type Replaced } from '../paths.ts';
import { redirectFrom } from './guard.ts';

/** Loads the file of a screen, which is a chunk of its own. */
export type ScreenLoader = () => Promise<{ default: ComponentType }>;

/** What a site draws: each screen of the table that no other one replaces there. */
export type SiteScreens<ReplacedName extends ScreenName> = Readonly<
  Record<Exclude<ScreenName, ReplacedName>, ScreenLoader>
>;

/** The route of a screen, loaded when it is first opened; only home needs no more words than an app starts with. */
export function screenRoute(path: string, load: ScreenLoader): RouteObject {
  return {
    path,
    lazy: async () => {
      const chunk = loadScreen(load, path);
      return { Component: (await (path === paths.home ? chunk : withWords(chunk))).default };
    },
  };
}

/** The routes of a site's screens, or of those that are named. */
export function screenRoutes(screens: Readonly<Partial<Record<ScreenName, ScreenLoader>>>): RouteObject[] {
  return (Object.entries(screens) as [ScreenName, ScreenLoader][]).map(([name, load]) => {
    const screen = SCREENS[name];
    return screenRoute('pattern' in screen ? screen.pattern : screen.path, load);
  });
}

/** The routes of addresses that lead to another address. They do so before anything is drawn: the screen has not changed. */
export function redirectRoutes(replaced: Replaced): RouteObject[] {
  return [...redirectsOf(replaced)].map(([path, to]) => ({
    path,
    loader: ({ request }) => redirectFrom(request, to),
  }));
}

/**
 * Screens within a frame that stays where one of them fails, in loading or drawing. The boundary is a route of its own:
 * the router draws none of a route whose own code did not come.
 */
export function withinFrame(screens: RouteObject[], ErrorBoundary: ComponentType): RouteObject {
  return { ErrorBoundary, children: screens };
}
