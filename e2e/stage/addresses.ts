import { LEGAL_PAGES, paths as desktopPaths, REDIRECTS } from '../../apps/desktop/src/paths.ts';
import { paths as mobilePaths } from '../../apps/mobile/src/paths.ts';

export const NOWHERE = '/nowhere';
/** What visitors see that members see otherwise. */
export const FOR_VISITORS = [
  '/main',
  '/market',
  '/trade',
  '/login/login',
  '/login/register',
  '/login/forget',
];

const redirected = new Set(REDIRECTS.map(([from]) => from));

/** Every address of the desktop site that shows a screen of its own. */
export const DESKTOP_SCREENS = [
  ...addressesIn(desktopPaths).filter((path) => !redirected.has(path)),
  ...LEGAL_PAGES.map((page) => desktopPaths.about.page(page)),
  NOWHERE,
];
/** Every address of the phone's site, and the views of its trading screen. */
export const MOBILE_SCREENS = [...addressesIn(mobilePaths), '/trade?symbol=BTC_USDT&view=chart', NOWHERE];

/** Every address of a table of paths, however deep; patterns and functions stand for addresses named elsewhere. */
function addressesIn(table: object): string[] {
  const found = Object.values(table).flatMap((entry: unknown) =>
    typeof entry === 'string'
      ? [entry]
      : typeof entry === 'object' && entry !== null
        ? addressesIn(entry)
        : [],
  );
  return [...new Set(found)].filter((path) => !path.includes(':'));
}
