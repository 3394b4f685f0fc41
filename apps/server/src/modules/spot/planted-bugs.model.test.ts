import { afterEach, describe, expect, it } from 'vitest';
import { commitSeed, inForm } from '../../../../../tools/test-form.ts';
import { PLANTED_BUGS } from './testing/planted-bugs/all.ts';
import { realWith, uproot, type PlantedBug } from './testing/planted-bugs/plant.ts';
import { play } from './testing/playing.ts';

const SEEDS = 12;
const COMMANDS = 1_500;
/** In the short form one bug of each so many, another one with each commit. */
const OF_SO_MANY = 8;
const TRIED = inForm(
  PLANTED_BUGS.filter((_, index) => index % OF_SO_MANY === commitSeed % OF_SO_MANY),
  PLANTED_BUGS,
);

/** The first difference as the model test would meet it; undefined when none showed. */
async function firstDifference(bug: PlantedBug | null, seeds = SEEDS): Promise<string | undefined> {
  const create = await realWith(bug);
  for (let seed = 1; seed <= seeds; seed += 1) {
    const played = await play(seed, COMMANDS, create);
    if ('difference' in played) return `seed ${seed}, command ${played.story.length}: ${played.difference}`;
  }
  return undefined;
}

describe('bugs planted in the exchange', () => {
  let bug: PlantedBug | null = null;

  afterEach(() => uproot(bug));

  it('SPOT-210 the exchange without a bug agrees with the naive one', async () => {
    bug = null;
    expect(await firstDifference(bug, inForm(2, SEEDS))).toBeUndefined();
  }, 180_000);

  it.each(TRIED)(
    'SPOT-210 is noticed: $name',
    async (planted) => {
      bug = planted;
      expect(await firstDifference(planted)).toBeDefined();
    },
    180_000,
  );
});
