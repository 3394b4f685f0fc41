import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { DISTURBANCES } from './disturbances.ts';
import { REPEATABLE_CALLS, type IntendedRequest } from './repeatable-calls.ts';
import { callsOf, drawWave, type Wave } from './wave-plan.ts';

const ACCOUNTS = 40;
const demand = {
  claimKeys: Array.from({ length: ACCOUNTS }, (_, owner) => `claim-${owner}`),
  prices: { btc: 97_000, eth: 3_400 },
};

function waveOf(seed: number, wave = 0): Wave {
  return drawWave(seededRandom(seed), { ...demand, wave });
}

describe('the plan of a wave', () => {
  it('REL-016 is the same for the same seed and differs for another seed', () => {
    expect(waveOf(5)).toEqual(waveOf(5));
    expect(waveOf(6).queues).not.toEqual(waveOf(5).queues);
  });

  it('REL-016 sends every kind of request, each one to five times, some of them together', () => {
    const { requests, queues } = waveOf(5);
    const copies = new Map<IntendedRequest, number>();
    for (const { intent, copies: sentCopies } of queues.flat())
      copies.set(intent, (copies.get(intent) ?? 0) + sentCopies);
    expect(new Set(requests.map(({ kind }) => kind))).toEqual(new Set(Object.keys(REPEATABLE_CALLS)));
    expect(copies.size).toBe(requests.length);
    expect(new Set(copies.values())).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(queues.flat().some((sending) => sending.copies > 1)).toBe(true);
    expect(callsOf(waveOf(5))).toBe([...copies.values()].reduce((sum, count) => sum + count, 0));
  });

  it('REL-016 uses a different request id for every request, in all waves', () => {
    const keys = [0, 1, 2].flatMap((wave) =>
      waveOf(5, wave)
        .requests.filter(({ kind }) => kind !== 'claim')
        .map(({ key }) => key),
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(Math.max(...keys.map(({ length }) => length))).toBeLessThanOrEqual(36);
  });

  it('REL-016 mixes the copies, and sends no request before its target', () => {
    const queue = waveOf(5).queues[0]!;
    const last = new Map<IntendedRequest, number>();
    let early = 0;
    let late = 0;
    for (const [index, { intent }] of queue.entries()) {
      if (intent.target !== undefined && !last.has(intent.target)) early += 1;
      if (last.has(intent) && index - last.get(intent)! > 1) late += 1;
      last.set(intent, index);
    }
    expect(early).toBe(0);
    expect(late).toBeGreaterThan(5);
  });

  it('REL-016 disturbs the server in every way within two waves', () => {
    const kinds = [0, 1].flatMap((wave) => waveOf(5, wave).disturbances.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(DISTURBANCES));
  });

  it('REL-017 has different input for every request id that has input', () => {
    const { requests } = waveOf(5);
    const hasInput = ({ kind }: IntendedRequest) => REPEATABLE_CALLS[kind].idempotent && kind !== 'claim';
    expect(requests.filter(({ other }) => other !== undefined)).toEqual(requests.filter(hasInput));
    const unchanged = requests.filter(
      ({ fields, other }) => JSON.stringify(other) === JSON.stringify(fields),
    );
    expect(unchanged).toEqual([]);
  });
});
