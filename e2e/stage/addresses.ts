import { paths, PRODUCT_RECORDS } from '@exchange/web-kit/paths.ts';
import { ALL_RECORDS, IDENTITY, REDIRECTS } from '../../apps/desktop/src/paths.ts';

export const NOWHERE = '/nowhere';
/** Screens that visitors see differently from members. */
export const FOR_VISITORS = [
  '/main',
  '/market',
  '/trade',
  '/login/login',
  '/login/register',
  '/login/forget',
];

const addresses: readonly string[] = Object.values(paths);

/** Every path of the desktop site with a screen of its own. */
export const DESKTOP_SCREENS = [
  ...addresses.filter((path) => !REDIRECTS.has(path)),
  ALL_RECORDS,
  PRODUCT_RECORDS,
  IDENTITY,
  NOWHERE,
];
/** Every path of the mobile site, and the views of its trading screen. */
export const MOBILE_SCREENS = [...addresses, PRODUCT_RECORDS, '/trade?symbol=BTC_USDT&view=chart', NOWHERE];
