import { describe, expect, it } from 'vitest';
import { SharedAnswer } from './shared-answer.ts';

describe('a shared answer', () => {
  it('EDGE-753 an answer is read once for concurrent callers, and again when it was invalidated, is too old, or failed', async () => {
    let nowMs = 0;
    let reads = 0;
    let isBroken = false;
    const shared = new SharedAnswer(
      () => {
        reads += 1;
        return isBroken ? Promise.reject(new Error('away')) : Promise.resolve(reads);
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

  it('EDGE-753 an answer read before an invalidation is not cached, even when its read ends later', async () => {
    const ends: ((value: string) => void)[] = [];
    const shared = new SharedAnswer(() => new Promise<string>((resolve) => ends.push(resolve)), {
      clock: { monotonicMs: () => 0 },
      maxAgeMs: 1_000,
    });
    const oldAnswer = shared.get();
    shared.invalidate();
    const newAnswer = shared.get();
    ends[1]!('new');
    ends[0]!('old');
    expect(await oldAnswer).toBe('old');
    expect(await newAnswer).toBe('new');
    expect(await shared.get()).toBe('new');
  });
});
