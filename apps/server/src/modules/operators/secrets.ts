import { CODE_FIELD } from '../../platform/console/operation.ts';

const SECRETS: ReadonlySet<string> = new Set(['recoveryCodes', 'password', CODE_FIELD]);

/** A replacer for `JSON.stringify` that replaces codes and passwords by `hidden`. */
export function hideSecrets(key: string, value: unknown): unknown {
  return SECRETS.has(key) ? 'hidden' : value;
}

/** Whether an answer contains codes or passwords. */
export function hasSecrets(answer: unknown): boolean {
  let isFound = false;
  JSON.stringify(answer, (key, value: unknown) => {
    isFound ||= SECRETS.has(key);
    return value;
  });
  return isFound;
}
