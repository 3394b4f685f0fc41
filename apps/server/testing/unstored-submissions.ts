import { Submissions } from '../src/platform/sequencer/submission.ts';

/**
 * Returns an object that recognizes repeated requests for a test server without a sequencer. Concurrent
 * requests with the same idempotency key are executed once and get the same response. A repetition after that
 * response is executed again, because no response is stored.
 */
export function unstoredSubmissions(): Submissions {
  return new Submissions({ find: () => undefined, expect: () => undefined });
}
