/**
 * Names that browsers have kept since the first version of the application: paths that people have
 * bookmarked and keys that their devices have stored.
 */

/** The keys of the session in local storage. */
export const SESSION_KEYS = {
  userId: 'User-Id',
  token: 'User-Token',
  login: 'User-Login',
  email: 'User-Email',
  locale: 'User-Lang',
  purchase: 'User-Purchase',
} as const;

/** A random id of the browser; it stays when the session ends. */
export const DEVICE_ID_KEY = 'Device-Id';

/** `1` shows balances, `0` hides them. */
export const BALANCES_VISIBLE_KEY = 'canSeeAsserts';
