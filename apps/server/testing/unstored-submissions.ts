import { Submissions } from '../src/platform/sequencer/submission.ts';

/**
 * Submissions for a server without a sequencer: concurrent requests with one key share an execution, and no
 * response is stored.
 */
export function unstoredSubmissions(): Submissions {
  return new Submissions({ find: () => undefined, expect: () => undefined });
}
