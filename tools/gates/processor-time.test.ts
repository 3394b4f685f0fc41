import { describe, expect, it } from 'vitest';
import { followProcess, type ProcessTimes } from './processor-time.mjs';
import { gate, runSteps } from './run-steps.mjs';

const ROOT = process.cwd();

/** A process that has worked for so many seconds; its ID and start tell it apart. */
const running = (id: number, parent: number, seconds: number, startedAt = '0'): ProcessTimes => ({
  id,
  parent,
  startedAt,
  seconds,
});

/** What a run of listings, the last of them at the end, counts for process 10. */
function countedIn(...listings: readonly (readonly ProcessTimes[])[]): number | undefined {
  const left = [...listings];
  const { stop, sample } = followProcess(10, () => left.shift() ?? []);
  while (left.length > 1) sample();
  return stop();
}

describe('processor seconds of a process and its descendants', () => {
  it('REPO-910 are those of the process, of what it starts, and of nothing else', () => {
    const listing = [running(1, 0, 90), running(10, 1, 2), running(11, 10, 3), running(12, 11, 4)];
    expect(countedIn(listing, [...listing, running(13, 1, 50)])).toBe(9);
  });

  it('REPO-910 stay counted once the parent has waited for a child that ended', () => {
    expect(countedIn([running(10, 1, 1), running(11, 10, 5)], [running(10, 1, 7)])).toBe(7);
  });

  it('REPO-910 stay counted for a server that outlives what started it', () => {
    const started = [running(10, 1, 1), running(11, 10, 2), running(12, 11, 3)];
    const orphaned = [running(10, 1, 4), running(12, 1, 5)];
    expect(countedIn(started, orphaned, [running(10, 1, 4)])).toBe(9);
  });

  it('REPO-910 are those of the newest sample where everything has ended', () => {
    expect(countedIn([running(10, 1, 2), running(11, 10, 3)], [])).toBe(5);
  });

  it('REPO-910 are not those of a later process with the same ID', () => {
    const first = [running(10, 1, 1), running(11, 1, 9)];
    expect(countedIn([...first, running(12, 10, 2)], [running(10, 1, 3), running(12, 1, 40, '7')])).toBe(3);
  });

  it('REPO-910 are unknown where the system does not list processes', () => {
    expect(countedIn([], [])).toBeUndefined();
  });
});

describe('processor seconds of a step', () => {
  it('REPO-910 are counted for each of two steps that run at once, with the processes they start', async () => {
    const work = 'while (process.cpuUsage().user < 1_500_000) for (let n = 0; n < 1e7; n += 1);';
    const starting = `require('node:child_process').spawnSync(process.execPath, ['-e', '${work}'])`;
    const idling = 'setTimeout(() => undefined, 1_000)';
    const steps = [gate('working', 'node', ['-e', starting]), gate('idle', 'node', ['-e', idling])];
    const [working, idle] = await runSteps(steps, ROOT, () => undefined, 2);
    // At most the last half second is missed, and whoever starts takes some of a second itself.
    expect(working!.processorSeconds).toBeGreaterThan(0.8);
    expect(idle!.processorSeconds).toBeLessThan(working!.processorSeconds!);
  });
});
