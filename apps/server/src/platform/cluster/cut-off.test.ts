import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { CutOff } from './cut-off.ts';

describe('a node that is cut off from the writer', () => {
  const clock = new FakeClock();
  const link = { isConnected: true };
  let events: string[];
  let cutOff: CutOff;

  beforeEach(() => {
    vi.useFakeTimers();
    events = [];
    link.isConnected = true;
    cutOff = new CutOff({
      link,
      clock,
      onCutOff: () => events.push('cut off'),
      onConnected: () => events.push('connected'),
    });
    cutOff.start();
  });
  afterEach(async () => {
    await cutOff.stop();
    vi.useRealTimers();
  });

  function pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      vi.advanceTimersByTime(500);
    }
  }

  it('CLU-112 is noticed after five seconds, and once', () => {
    pass(10_000);
    link.isConnected = false;
    pass(4_500);
    expect(events).toEqual([]);
    pass(500);
    expect(events).toEqual(['cut off']);
    pass(60_000);
    expect(events).toEqual(['cut off']);
    link.isConnected = true;
    pass(500);
    expect(events).toEqual(['cut off', 'connected']);
  });

  it('CLU-112 is not noticed at a short interruption', () => {
    link.isConnected = false;
    pass(4_000);
    link.isConnected = true;
    pass(500);
    link.isConnected = false;
    pass(4_000);
    expect(events).toEqual([]);
  });
});
