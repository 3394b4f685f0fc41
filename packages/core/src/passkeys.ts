/** Maximum number of passkeys of a user. */
export const PASSKEYS_MAX = 10;
/** Maximum length of a passkey's name, in UTF-16 units. */
export const PASSKEY_NAME_LENGTH = 30;

/**
 * How a user signs in: with the password and a mailed code (`password`), or with a passkey, with or without the
 * password (`passkey`).
 */
export const SIGN_IN_METHODS = ['password', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];
