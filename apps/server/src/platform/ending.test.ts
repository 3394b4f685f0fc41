import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ending } from './ending.ts';

function createEnding() {
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

  it('EDGE-184 the process waits for the stop even when further failures occur', async () => {
    const { ending, exits, stops, stopped } = createEnding();
    ending.fail();
    ending.fail();
    await settled();
    expect([exits, stops()]).toEqual([[], 1]);
    stopped();
    await settled();
    expect(exits).toEqual([1]);
  });

  it('EDGE-184 a failure during a requested stop changes the exit code only', async () => {
    const { ending, exits, stopped } = createEnding();
    ending.requestStop();
    ending.fail();
    await settled();
    expect(exits).toEqual([]);
    stopped();
    await settled();
    expect(exits).toEqual([1]);
  });

  it('EDGE-184 a second request exits at once, and a completed stop exits successfully', async () => {
    const secondRequest = createEnding();
    secondRequest.ending.requestStop();
    secondRequest.ending.requestStop();
    expect(secondRequest.exits).toEqual([1]);
    const singleRequest = createEnding();
    singleRequest.ending.requestStop();
    singleRequest.stopped();
    await settled();
    expect(singleRequest.exits).toEqual([0]);
  });

  it('CLU-073 a requested stop begins after the announcement of it, and a failure is not announced', async () => {
    const order: string[] = [];
    let announced: () => void = () => undefined;
    const options = {
      drain: () => {
        order.push('drain');
        return new Promise<void>((resolve) => {
          announced = resolve;
        });
      },
      stop: () => Promise.resolve(void order.push('stop')),
      exit: (code: number) => order.push(`exit ${code}`),
      timeoutMs: 60_000,
    };
    new Ending(options).requestStop();
    await settled();
    expect(order).toEqual(['drain']);
    announced();
    await settled();
    new Ending(options).fail();
    await settled();
    expect(order).toEqual(['drain', 'stop', 'exit 0', 'stop', 'exit 1']);
  });

  it('EDGE-184 the process ends when a stop fails, or never finishes after a failure', async () => {
    const failing = createEnding();
    failing.ending.requestStop();
    failing.broken();
    await settled();
    expect(failing.exits).toEqual([1]);
    const stuck = createEnding();
    stuck.ending.fail();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(stuck.exits).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(stuck.exits).toEqual([1]);
  });
});
