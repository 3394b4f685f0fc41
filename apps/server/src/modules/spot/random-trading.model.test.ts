import { describe, expect, it } from 'vitest';
import { commitSeed } from '../../../../../tools/test-form.ts';
import { Coverage } from './testing/coverage.ts';
import { requireNoDifference, range } from './testing/playing.ts';

const COMMANDS = 2_500;
const FIXED_SEEDS = range(1, 6);
/**
 * A seed that is derived from the commit, so that each commit runs another random sequence. The long form (`npm run
 * model`) does not run this seed.
 */
const SEEDS_OF_COMMIT = range(1_000_000 + (commitSeed % 1_000_000_000), 1);

describe('the exchange compared with the naive one', () => {
  const coverage = new Coverage();

  it.each([
    ['six seeds', FIXED_SEEDS],
    [`the commit's seed, ${SEEDS_OF_COMMIT[0]}`, SEEDS_OF_COMMIT],
  ])(
    'SPOT-020 SPOT-200 agrees and keeps its invariants after every command: %s',
    async (_, seeds) => {
      const seedCoverage = await requireNoDifference(seeds, COMMANDS);
      expect(seedCoverage.commands).toBe(seeds.length * COMMANDS);
      coverage.add(seedCoverage);
    },
    300_000,
  );

  it('SPOT-201 has covered every kind of order, ending and refusal', () => {
    expect(coverage.missing(1)).toEqual([]);
  });
});
