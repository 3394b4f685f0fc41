import { CODE_FIELD } from '../../platform/console/operation.ts';

const SECRETS: ReadonlySet<string> = new Set(['recoveryCodes', 'password', CODE_FIELD]);

/**
 * A replacer for `JSON.stringify`: replaces the values of fields that contain recovery codes, passwords or
 * authenticator codes by `hidden`.
 */
export function hideSecrets(key: string, value: unknown): unknown {
  return SECRETS.has(key) ? 'hidden' : value;
}

/** True if the response of an operation has a field with recovery codes, a password or an authenticator code. */
export function hasSecrets(answer: unknown): boolean {
  let isFound = false;
  JSON.stringify(answer, (key, value: unknown) => {
    isFound ||= SECRETS.has(key);
    return value;
  });
  return isFound;
}
