import { Submissions } from '../src/platform/sequencer/submission.ts';

/** For an edge without a sequencer: requests under one key share a run, and no answer outlives it. */
export function unstoredSubmissions(): Submissions {
  return new Submissions({ find: () => undefined, expect: () => undefined });
}
