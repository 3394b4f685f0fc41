import { beforeAll, describe, expect, it } from 'vitest';
import { byForm, isSelectedByCommit } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { runBank } from './bank-programme.ts';
import { requireBuiltServer } from './built-server.ts';

const FOR_MS = byForm(6_000, 10_000);

/** A shorter run of `npm run crash -- --programme=bank`. */
describe('users with their own bookkeeping', () => {
  beforeAll(requireBuiltServer);

  it.runIf(isSelectedByCommit(0, 2))(
    'REL-019 REL-020 find every balance, order and fill as published by the feed, while all accounts always sum to zero',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      const report = await runBank({
        clients: 10,
        forMs: FOR_MS,
        paceMs: 200,
        seed: 17,
        say: () => undefined,
      });
      expect(report.problems).toEqual([]);
      expect(report.answers.get('ok')).toBeGreaterThan(50);
      expect(report.fills).toBeGreaterThan(5);
      expect(report.sums).toBeGreaterThan(3);
    },
  );
});
