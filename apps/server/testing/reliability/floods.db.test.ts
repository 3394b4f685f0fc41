import { beforeAll, describe, expect, it } from 'vitest';
import { isLongForm } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { requireBuiltServer } from './built-server.ts';
import { runFloods } from './floods-programme.ts';

/**
 * Tests floods of requests for longer than `stalls.http.test.ts` does on every commit, and for a shorter time than the
 * command `npm run crash -- --programme=floods`.
 */
describe('floods', () => {
  beforeAll(requireBuiltServer);

  it.runIf(isLongForm)(
    'CON-720 during each kind of flood every second gets a point and no position is void',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      const report = await runFloods({ forMs: 45_000, say: () => undefined });
      expect(report.problems).toEqual([]);
      expect(report.settled).toBeGreaterThan(0);
    },
  );
});
