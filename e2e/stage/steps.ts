import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';

/** Folder of screenshots; not part of the repository. */
export const SHOTS = fileURLToPath(new URL('../shots/', import.meta.url));

/** Makes the tests of a suite depend on each other: after the first failure the remaining tests are skipped. */
export function reportSteps(): void {
  let isBroken = false;
  beforeEach(({ skip }) => skip(isBroken, 'an earlier step failed'));
  afterEach(({ task }) => {
    isBroken ||= task.result?.state === 'fail';
  });
}
