import { beforeAll, describe, expect, it } from 'vitest';
import { byForm, isSelectedByCommit } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { requireBuiltServer } from './built-server.ts';
import { DISTURBANCES } from './disturbances.ts';
import { runDuplicates } from './duplicates-programme.ts';
import { REPEATABLE_CALLS } from './repeatable-calls.ts';

const CALLS = byForm(200, 10_000);
const ACCOUNTS = byForm(8, 56);

/** A shorter run of `npm run crash -- --programme=duplicates`. */
describe('repeated requests', () => {
  beforeAll(requireBuiltServer);

  it.runIf(isSelectedByCommit(1, 3))(
    'REL-016 REL-017 REL-021 have one effect and one response each: concurrent, late, out of order, across restarts and kills around the commit',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      const output: string[] = [];
      const report = await runDuplicates({
        calls: CALLS,
        accounts: ACCOUNTS,
        seed: 11,
        say: (line) => output.push(line),
      });
      expect(report.problems).toEqual([]);
      expect(report.calls).toBeGreaterThanOrEqual(CALLS);
      expect(report.intents).toBeLessThan(report.calls / 2);
      expect(report.repeated).toBeGreaterThan(0);
      expect(report.misused).toBeGreaterThan(CALLS / 100);
      expect(new Set(report.kinds.keys())).toEqual(new Set(Object.keys(REPEATABLE_CALLS)));
      const inflicted = new Set(report.ready.names);
      expect(inflicted.size).toBeGreaterThanOrEqual(byForm(2, new Set(DISTURBANCES).size));
      console.log(output.join('\n'));
    },
  );
});
