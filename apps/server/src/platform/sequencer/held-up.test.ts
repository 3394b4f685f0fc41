import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { HeldUp } from './held-up.ts';

describe('commands that wait for the database', () => {
  const clock = new FakeClock();
  const sequencer = { heldUpMs: 0 };
  let changes: number;
  let heldUp: HeldUp;

  beforeEach(() => {
    vi.useFakeTimers();
    changes = 0;
    sequencer.heldUpMs = 0;
    heldUp = new HeldUp({ sequencer, clock, onChange: () => (changes += 1) });
    heldUp.start();
  });
  afterEach(async () => {
    await heldUp.stop();
    vi.useRealTimers();
  });

  /** Sets for how long nothing has been stored, and waits until this is noticed. */
  function holdUp(ms: number): void {
    sequencer.heldUpMs = ms;
    vi.advanceTimersByTime(1_000);
  }

  it('REL-024 are noticed after two seconds, and not at shorter waits', () => {
    holdUp(1_999);
    expect([heldUp.since, changes]).toEqual([undefined, 0]);
    holdUp(2_000);
    expect([heldUp.since, changes]).toEqual([clock.now(), 1]);
    holdUp(30_000);
    expect(changes).toBe(1);
    holdUp(0);
    expect([heldUp.since, changes]).toEqual([undefined, 2]);
  });

  it('REL-024 keep the time since which they wait', () => {
    holdUp(2_000);
    const { since } = heldUp;
    clock.advance(20_000);
    holdUp(22_000);
    expect(heldUp.since).toBe(since);
  });
});
