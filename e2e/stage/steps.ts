import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';

/** Where pictures are kept; not part of the repository. */
export const SHOTS = fileURLToPath(new URL('../shots/', import.meta.url));

/** Makes the tests of a suite steps of one story: after the first that fails, the rest is skipped. */
export function reportSteps(): void {
  let isBroken = false;
  beforeEach(({ skip }) => skip(isBroken, 'an earlier step failed'));
  afterEach(({ task }) => {
    isBroken ||= task.result?.state === 'fail';
  });
}
