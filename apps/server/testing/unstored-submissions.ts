import { Submissions } from '../src/platform/sequencer/submission.ts';

/**
 * Submissions for a test server without a sequencer. Concurrent requests with the same key share one execution. No
 * response is stored.
 */
export function unstoredSubmissions(): Submissions {
  return new Submissions({ find: () => undefined, expect: () => undefined });
}
