import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ending } from './ending.ts';

function anEnding() {
  const exits: number[] = [];
  let stopped: () => void = () => undefined;
  let broken: (cause: Error) => void = () => undefined;
  let stops = 0;
  const stop = () => {
    stops += 1;
    return new Promise<void>((resolve, reject) => {
      stopped = resolve;
      broken = reject;
    });
  };
  const ending = new Ending({ stop, exit: (code) => exits.push(code), timeoutMs: 60_000 });
  return {
    ending,
    exits,
    stops: () => stops,
    stopped: () => stopped(),
    broken: () => broken(new Error('stuck')),
  };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('the end of the process', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('EDGE-184 waits for everything to stop, also when more fails meanwhile', async () => {
    const { ending, exits, stops, stopped } = anEnding();
    ending.fail();
    ending.fail();
    await settled();
    expect([exits, stops()]).toEqual([[], 1]);
    stopped();
    await settled();
    expect(exits).toEqual([1]);
  });

  it('EDGE-184 tells a failure during a stop that was asked for, and only at its end', async () => {
    const { ending, exits, stopped } = anEnding();
    ending.ask();
    ending.fail();
    await settled();
    expect(exits).toEqual([]);
    stopped();
    await settled();
    expect(exits).toEqual([1]);
  });

  it('EDGE-184 is at once for a person who asks again, and good when all has stopped', async () => {
    const again = anEnding();
    again.ending.ask();
    again.ending.ask();
    expect(again.exits).toEqual([1]);
    const once = anEnding();
    once.ending.ask();
    once.stopped();
    await settled();
    expect(once.exits).toEqual([0]);
  });

  it('EDGE-184 comes though a stop fails, or after a failure never ends', async () => {
    const failing = anEnding();
    failing.ending.ask();
    failing.broken();
    await settled();
    expect(failing.exits).toEqual([1]);
    const stuck = anEnding();
    stuck.ending.fail();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(stuck.exits).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(stuck.exits).toEqual([1]);
  });
});
