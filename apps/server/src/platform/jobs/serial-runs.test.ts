import { describe, expect, it } from 'vitest';
import { SerialRuns } from './serial-runs.ts';

/** Work for tests. Each run records the value at its beginning, and ends when the test ends it. */
class HeldWork {
  value = 0;
  readonly seen: number[] = [];
  readonly ends: ((failure?: Error) => void)[] = [];
  parallel = 0;
  parallelMost = 0;

  readonly runs = new SerialRuns(async () => {
    const seen = this.value;
    this.seen.push(seen);
    this.parallel += 1;
    this.parallelMost = Math.max(this.parallelMost, this.parallel);
    try {
      await new Promise<void>((resolve, reject) => {
        this.ends.push((failure) => (failure === undefined ? resolve() : reject(failure)));
      });
    } finally {
      this.parallel -= 1;
    }
    return seen;
  });
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('runs one after another', () => {
  it('JOB-1250 a call during a run gets a run that begins after it, and shares it with other such calls', async () => {
    const work = new HeldWork();
    const first = work.runs.run();
    work.value = 1;
    const second = work.runs.run();
    const third = work.runs.run();
    expect(work.seen).toEqual([0]);
    work.value = 2;
    work.ends[0]!();
    expect(await first).toBe(0);
    await turn();
    expect(work.seen).toEqual([0, 2]);
    work.ends[1]!();
    expect(await second).toBe(2);
    expect(await third).toBe(2);
    await work.runs.whenIdle();
    expect(work.seen).toEqual([0, 2]);
  });

  it('JOB-1250 a failure reaches only the callers of its run, and the waiting run begins all the same', async () => {
    const work = new HeldWork();
    const first = work.runs.run();
    const second = work.runs.run();
    work.ends[0]!(new Error('the disk is full'));
    await expect(first).rejects.toThrow('the disk is full');
    await turn();
    work.ends[1]!();
    expect(await second).toBe(0);
  });

  it('JOB-1250 two runs never overlap, also when a call arrives at the moment at which a run ends', async () => {
    const work = new HeldWork();
    const results = [work.runs.run()];
    for (let at = 0; at < 20; at += 1) {
      results.push(work.runs.run());
      void results[at]!.then(() => results.push(work.runs.run()));
      work.ends[at]!();
      await turn();
    }
    const isIdle = work.runs.whenIdle();
    for (let at = 20; at < work.ends.length; at += 1) {
      work.ends[at]!();
      await turn();
    }
    await isIdle;
    await Promise.all(results);
    expect(work.parallelMost).toBe(1);
    expect(work.seen).toHaveLength(work.ends.length);
  });
});
