import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCrashes, VICTIMS } from './crash-run.ts';

const rootDirectory = fileURLToPath(new URL('../../../..', import.meta.url));
const KILLS = 2 * VICTIMS.length;
const READY_AGAIN_MS = 10_000;
const STOP_MS = 6_000;
/** Generous: what counts is what is lost, and the machine of a test run is busy. */
const PATIENCE_MS = 240_000;

/** The short form of `crash.ts`: every victim twice, under a few traders. */
describe('an exchange that is killed under its traders', () => {
  beforeAll(() => {
    // Does nothing where the built server is fresh.
    const build = spawnSync(process.execPath, ['tools/build.mjs', 'server'], { cwd: rootDirectory });
    if (build.status !== 0) throw new Error(`the server cannot be built: ${build.stderr.toString()}`);
  });

  it(
    'REL-001 REL-002 REL-003 REL-004 keeps every acknowledged order once, adds up, comes back by itself and stops in order',
    { timeout: PATIENCE_MS },
    async () => {
      const said: string[] = [];
      const report = await runCrashes({
        kills: KILLS,
        traders: 12,
        seed: 7,
        paceMs: 150,
        say: (line) => said.push(line),
      });
      expect(report.problems).toEqual([]);
      expect(report.kills.length).toBe(KILLS);
      for (const { victim, readyMs } of report.kills) expect(readyMs, victim).toBeLessThan(READY_AGAIN_MS);
      expect(Math.max(report.stopMs, report.bereftStopMs)).toBeLessThan(STOP_MS);
      // Something has to have happened, and something has to have been lost on the way and asked for again.
      expect(report.last.acknowledged).toBeGreaterThan(100);
      expect(report.last.trades).toBeGreaterThan(10);
      expect(report.retries).toBeGreaterThan(KILLS);
      console.log(said.join('\n'));
    },
  );
});
