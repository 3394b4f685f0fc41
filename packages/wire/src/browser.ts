/**
 * Keys of the session in the browser's local storage. They are stored since the first version of the
 * application and must not change.
 */
export const SESSION_KEYS = {
  userId: 'User-Id',
  token: 'User-Token',
  login: 'User-Login',
  email: 'User-Email',
  locale: 'User-Lang',
  purchase: 'User-Purchase',
} as const;

/** Local storage key of a random id of the browser, which is kept after the session ends. */
export const DEVICE_ID_KEY = 'Device-Id';

/** Local storage key of the setting that shows balances (`1`) or hides them (`0`). */
export const BALANCES_VISIBLE_KEY = 'canSeeAsserts';
