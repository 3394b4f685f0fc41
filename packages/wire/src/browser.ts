/**
 * Keys under which the browser's local storage contains the session, the email address, the interface
 * language and the permission to purchase. They must not change, because browsers have stored values under
 * these keys.
 */
export const SESSION_KEYS = {
  userId: 'User-Id',
  token: 'User-Token',
  login: 'User-Login',
  email: 'User-Email',
  locale: 'User-Lang',
  purchase: 'User-Purchase',
} as const;

/** Local storage key of a random ID of the browser; the ID is not removed when the session ends. */
export const DEVICE_ID_KEY = 'Device-Id';

/** Local storage key of the setting whether balances are shown (`1`) or hidden (`0`). */
export const BALANCES_VISIBLE_KEY = 'canSeeAsserts';
