import { paths, PRODUCT_RECORDS } from '@exchange/web-kit/paths.ts';
import { ALL_RECORDS, IDENTITY, REDIRECTS } from '../../apps/desktop/src/paths.ts';

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

const addresses: readonly string[] = Object.values(paths);

/** Every address of the desktop site that shows a screen of its own. */
export const DESKTOP_SCREENS = [
  ...addresses.filter((path) => !REDIRECTS.has(path)),
  ALL_RECORDS,
  PRODUCT_RECORDS,
  IDENTITY,
  NOWHERE,
];
/** Every address of the phone's site, and the views of its trading screen. */
export const MOBILE_SCREENS = [...addresses, PRODUCT_RECORDS, '/trade?symbol=BTC_USDT&view=chart', NOWHERE];
