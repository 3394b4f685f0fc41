import { beforeAll, describe, expect, it } from 'vitest';
import { isSelectedByCommit } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { requireBuiltServer } from './built-server.ts';
import { runRaces } from './races-programme.ts';

/** A shorter run of `npm run crash -- --programme=races`. */
describe('concurrent commands of one user', () => {
  beforeAll(requireBuiltServer);

  it.runIf(isSelectedByCommit(1, 2))(
    'REL-018 every order is cancelled at most once, and holds, balances and lists agree after each round',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      const report = await runRaces({ rounds: 2, clients: 5, parallel: 24, seed: 13, say: () => undefined });
      expect(report.problems).toEqual([]);
      expect(report.commands).toBe(2 * 5 * (24 + 6));
      // Some cancellations must have succeeded and some must have been refused. Otherwise no two commands competed for
      // an order.
      expect(report.cancelled).toBeGreaterThan(0);
      expect(report.late).toBeGreaterThan(0);
    },
  );
});
