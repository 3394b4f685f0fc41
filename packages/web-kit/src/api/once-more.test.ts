import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallFailed, CallRefused, onceMore } from './client.ts';

const LOST = new CallFailed('network', 'l.network');
const LATE = new CallFailed('timeout', 'l.timeout');

/** Answers the tries in turn, each after its time; writes down how long each was given. */
function tries(...outcomes: readonly (readonly [afterMs: number, outcome: Error | string])[]) {
  const given: number[] = [];
  const send = async (timeoutMs: number): Promise<string> => {
    const [afterMs, outcome] = outcomes[given.length]!;
    given.push(timeoutMs);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    if (typeof outcome === 'string') return outcome;
    throw outcome;
  };
  return { given, send };
}

/** What became of the call, and when. */
async function endOf(send: (timeoutMs: number) => Promise<string>): Promise<[unknown, number]> {
  const startedMs = performance.now();
  const end = onceMore(send).then(
    (answer): [unknown, number] => [answer, performance.now() - startedMs],
    (error: unknown): [unknown, number] => [error, performance.now() - startedMs],
  );
  await vi.runAllTimersAsync();
  return end;
}

describe('a keyed call', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('WEB-128 that lost its connection is made once more in what is left of its time', async () => {
    const { given, send } = tries([2_000, LOST], [500, 'placed']);
    expect(await endOf(send)).toEqual(['placed', 3_500]);
    expect(given).toEqual([12_000, 9_000]);
  });

  it('WEB-128 takes no longer than one call may, lost or late', async () => {
    const twice = tries([2_000, LOST], [9_000, LATE]);
    expect(await endOf(twice.send)).toEqual([LATE, 12_000]);
    const atTheEnd = tries([11_500, LOST]);
    expect(await endOf(atTheEnd.send)).toEqual([LOST, 11_500]);
  });

  it('WEB-128 whose time is over, or that was refused, is not repeated by itself', async () => {
    const late = tries([12_000, LATE]);
    expect(await endOf(late.send)).toEqual([LATE, 12_000]);
    const refusal = new CallRefused(-1, 'no');
    expect(await endOf(tries([100, refusal]).send)).toEqual([refusal, 100]);
  });
});
