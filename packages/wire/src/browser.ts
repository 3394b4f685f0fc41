/**
 * Names that browsers have stored since the first version of the application, in bookmarks and in local
 * storage. They must not change.
 */

/** Keys of the session in local storage. */
export const SESSION_KEYS = {
  userId: 'User-Id',
  token: 'User-Token',
  login: 'User-Login',
  email: 'User-Email',
  locale: 'User-Lang',
  purchase: 'User-Purchase',
} as const;

/** A random id of the browser; it is kept after the session ends. */
export const DEVICE_ID_KEY = 'Device-Id';

/** `1` shows balances, `0` hides them. */
export const BALANCES_VISIBLE_KEY = 'canSeeAsserts';
