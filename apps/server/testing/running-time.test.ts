import { describe, expect, it } from 'vitest';
import { RunningTime } from './running-time.ts';

describe('time of the running process', () => {
  it('REPO-1144 passes while the process ticks, and at most half a second without a tick', () => {
    let realMs = 1_000;
    const time = new RunningTime(() => realMs);
    const passed = (ms: number) => {
      const before = realMs - time.stalledMs;
      realMs += ms;
      return realMs - time.stalledMs - before;
    };
    for (let tick = 0; tick < 20; tick += 1) {
      expect(passed(50)).toBe(50);
      time.tick();
    }
    expect(time.stalledMs).toBe(0);
    expect(passed(4_000)).toBe(500);
    time.tick();
    // After the next tick the stall ends, and the running time continues from its last value.
    expect(time.stalledMs).toBe(3_500);
    expect(passed(400)).toBe(400);
    expect(passed(400)).toBe(100);
  });
});
