import { describe, expect, it } from 'vitest';
import { Coverage } from './testing/coverage.ts';
import { prove, range } from './testing/playing.ts';

const COMMANDS = 5_000;
const SEEDS_AT_ONCE = 10;
const LEAST = 5;

describe('the exchange beside the naive one, seeds 51 to 100', () => {
  const met = new Coverage();

  it.each([51, 61, 71, 81, 91])(
    'SPOT-020 SPOT-200 agrees and stays sound after every command, ten seeds from %i',
    async (first) => {
      const seen = await prove(range(first, SEEDS_AT_ONCE), COMMANDS);
      expect(seen.commands).toBe(SEEDS_AT_ONCE * COMMANDS);
      met.add(seen);
    },
    300_000,
  );

  it('SPOT-201 has met every kind of order, ending and refusal', () => {
    expect(met.missing(LEAST)).toEqual([]);
  });
});
