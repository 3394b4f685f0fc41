import { beforeAll, describe, expect, it } from 'vitest';
import { byForm, isSelectedByCommit } from '../../../../tools/test-form.ts';
import { RECOVERY_MAX_MS, PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { runCrashes } from './crash-programme.ts';
import { requireBuiltServer } from './built-server.ts';

const KILLS = byForm(2, 4);
const FREEZES = 1;

/** A shorter run of `npm run crash`: a few kills and a suspension, with a few traders. */
describe('an exchange that is killed while users trade', () => {
  beforeAll(requireBuiltServer);

  it.runIf(isSelectedByCommit(0, 3))(
    'REL-001 REL-002 REL-003 REL-004 REL-005 keeps every acknowledged order once, stays consistent, recovers by itself and stops in order',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      const output: string[] = [];
      const report = await runCrashes({
        kills: KILLS,
        freezes: FREEZES,
        freezeMs: 1_500,
        traders: byForm(8, 12),
        seed: 7,
        paceMs: 150,
        say: (line) => output.push(line),
      });
      expect(report.problems).toEqual([]);
      expect(report.ready.count).toBe(KILLS + FREEZES);
      expect(report.ready.slowestMs).toBeLessThan(RECOVERY_MAX_MS);
      expect(Math.max(report.stopMs, report.bereftStopMs)).toBeLessThan(RECOVERY_MAX_MS);
      // Proves that the traders sent requests, that orders were executed and stop orders triggered, and that
      // requests were sent again.
      expect(report.last.acknowledged).toBeGreaterThan(byForm(30, 60));
      expect(report.last.trades).toBeGreaterThan(5);
      expect(report.last.triggered).toBeGreaterThan(0);
      expect(report.retries).toBeGreaterThan(KILLS);
      console.log(output.join('\n'));
    },
  );
});
