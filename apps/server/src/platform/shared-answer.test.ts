import { describe, expect, it } from 'vitest';
import { SharedAnswer } from './shared-answer.ts';

describe('an answer that is the same for everybody', () => {
  it('EDGE-753 is read once for all who ask at a time, and again when it was invalidated, is too old, or failed', async () => {
    let nowMs = 0;
    let readings = 0;
    let isBroken = false;
    const shared = new SharedAnswer(
      () => {
        readings += 1;
        return isBroken ? Promise.reject(new Error('away')) : Promise.resolve(readings);
      },
      { clock: { monotonicMs: () => nowMs }, maxAgeMs: 1_000 },
    );
    expect(await Promise.all([shared.get(), shared.get(), shared.get()])).toEqual([1, 1, 1]);
    nowMs = 999;
    expect(await shared.get()).toBe(1);
    shared.invalidate();
    expect(await shared.get()).toBe(2);
    nowMs = 1_999;
    expect(await shared.get()).toBe(3);
    shared.invalidate();
    isBroken = true;
    await expect(shared.get()).rejects.toThrow('away');
    isBroken = false;
    expect(await shared.get()).toBe(5);
  });

  it('EDGE-753 shows nobody what was read before it changed, even where that reading ends later', async () => {
    const ends: ((value: string) => void)[] = [];
    const shared = new SharedAnswer(() => new Promise<string>((resolve) => ends.push(resolve)), {
      clock: { monotonicMs: () => 0 },
      maxAgeMs: 1_000,
    });
    const before = shared.get();
    shared.invalidate();
    const after = shared.get();
    ends[1]!('new');
    ends[0]!('old');
    expect(await before).toBe('old');
    expect(await after).toBe('new');
    expect(await shared.get()).toBe('new');
  });
});
