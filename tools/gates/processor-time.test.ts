import { describe, expect, it } from 'vitest';
import { followProcess, type ProcessTimes } from './processor-time.mjs';
import { gate, runSteps } from './run-steps.mjs';

const ROOT = process.cwd();

/** Creates a process with the given processor seconds. A process is identified by its process ID and its start time. */
const running = (id: number, parent: number, seconds: number, startedAt = '0'): ProcessTimes => ({
  id,
  parent,
  startedAt,
  seconds,
});

/**
 * Returns the processor seconds that are counted for process 10, given the processes that successive readings list; the
 * last list is that of the reading at the end. Returns undefined if no reading lists the process.
 */
function countedIn(...listings: readonly (readonly ProcessTimes[])[]): number | undefined {
  const remaining = [...listings];
  const { stop, sample } = followProcess(10, () => remaining.shift() ?? []);
  while (remaining.length > 1) sample();
  return stop();
}

describe('processor seconds of a process and its descendants', () => {
  it('REPO-910 include the process and its descendants, and nothing else', () => {
    const listing = [running(1, 0, 90), running(10, 1, 2), running(11, 10, 3), running(12, 11, 4)];
    expect(countedIn(listing, [...listing, running(13, 1, 50)])).toBe(9);
  });

  it('REPO-910 count an ended child once if its parent has waited for it', () => {
    expect(countedIn([running(10, 1, 1), running(11, 10, 5)], [running(10, 1, 7)])).toBe(7);
  });

  it('REPO-910 include a server that outlives its parent', () => {
    const started = [running(10, 1, 1), running(11, 10, 2), running(12, 11, 3)];
    const orphaned = [running(10, 1, 4), running(12, 1, 5)];
    expect(countedIn(started, orphaned, [running(10, 1, 4)])).toBe(9);
  });

  it('REPO-910 are taken from the newest sample when everything has ended', () => {
    expect(countedIn([running(10, 1, 2), running(11, 10, 3)], [])).toBe(5);
  });

  it('REPO-910 exclude a later process with the same ID', () => {
    const first = [running(10, 1, 1), running(11, 1, 9)];
    expect(countedIn([...first, running(12, 10, 2)], [running(10, 1, 3), running(12, 1, 40, '7')])).toBe(3);
  });

  it('REPO-910 are unknown if the system does not list processes', () => {
    expect(countedIn([], [])).toBeUndefined();
  });
});

describe('processor seconds of a step', () => {
  it('REPO-910 are counted for each of two parallel steps, including their child processes', async () => {
    const work = 'while (process.cpuUsage().user < 3_000_000) for (let n = 0; n < 1e7; n += 1);';
    const starting = `require('node:child_process').spawnSync(process.execPath, ['-e', '${work}'])`;
    const idling = 'setTimeout(() => undefined, 1_000)';
    const steps = [gate('working', 'node', ['-e', starting]), gate('idle', 'node', ['-e', idling])];
    const [working, idle] = await runSteps(steps, ROOT, () => undefined, 2);
    // The bound is lower than the work, because up to two seconds at the end are not counted, and starting the child
    // process takes a part of the measured time.
    expect(working!.processorSeconds).toBeGreaterThan(0.8);
    expect(idle!.processorSeconds).toBeLessThan(working!.processorSeconds!);
  });
});
