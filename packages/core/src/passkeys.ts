/** Greatest number of passkeys of an account. */
export const PASSKEYS_MAX = 10;
/** Greatest length of a passkey's name, in UTF-16 units. */
export const PASSKEY_NAME_LENGTH = 30;

/**
 * How a user signs in. `password`: with the password and a mailed code; `passkey`: with a passkey, with or
 * without the password.
 */
export const SIGN_IN_METHODS = ['password', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];
