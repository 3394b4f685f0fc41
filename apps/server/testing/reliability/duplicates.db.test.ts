import { beforeAll, describe, expect, it } from 'vitest';
import { requireBuiltServer } from './built-server.ts';
import { runDuplicates } from './duplicates-programme.ts';

const PATIENCE_MS = 180_000;

/** The short form of `npm run crash -- --programme=duplicates`. */
describe('a call that is sent again and again', () => {
  beforeAll(requireBuiltServer);

  it(
    'REL-016 REL-017 has one effect and one answer: at once, after a restart, and after a kill between commit and answer',
    { timeout: PATIENCE_MS },
    async () => {
      const report = await runDuplicates({ rounds: 1, copies: 5, seed: 11, say: () => undefined });
      expect(report.problems).toEqual([]);
      expect(report.keys).toBe(24);
      expect(report.sent).toBeGreaterThanOrEqual(120);
    },
  );
});
