import type { Locale } from '@exchange/core/locale.ts';
import { SCREENS } from '@exchange/wire/screens.ts';
import { SCREEN_WORDS } from '@exchange/wire/words/screens.ts';

/**
 * Paths of screens that the search for screens does not list: they need a parameter, their title does not
 * name them, or only visitors need them.
 */
const UNNAMED: ReadonlySet<string> = new Set([
  SCREENS.home.path,
  SCREENS.trade.path,
  SCREENS.order.path,
  SCREENS.message.path,
  SCREENS.login.path,
  SCREENS.register.path,
  SCREENS.forget.path,
]);

/**
 * Returns the screens that users can search by their names, in the sequence of `SCREENS`; of several screens
 * with the same title only the first. `isShown` returns whether the site has the screen with a path.
 */
export function namedScreens(
  locale: Locale,
  isShown: (path: string) => boolean,
): readonly { readonly path: string; readonly name: string }[] {
  const paths = new Map<string, string>();
  for (const { path, title } of Object.values(SCREENS)) {
    const name = typeof title === 'string' ? SCREEN_WORDS[locale].titles[title] : title[locale];
    if (!UNNAMED.has(path) && isShown(path) && !paths.has(name)) paths.set(name, path);
  }
  return [...paths].map(([name, path]) => ({ path, name }));
}
