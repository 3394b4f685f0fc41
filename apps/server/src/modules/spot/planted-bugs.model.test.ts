import { afterEach, describe, expect, it } from 'vitest';
import { PLANTED_BUGS } from './testing/planted-bugs/all.ts';
import { realWith, uproot, type PlantedBug } from './testing/planted-bugs/plant.ts';
import { play } from './testing/playing.ts';

const SEEDS = 12;
const COMMANDS = 1_500;

/** The first difference as the model test would meet it; undefined when none showed. */
async function firstDifference(bug: PlantedBug | null): Promise<string | undefined> {
  const create = await realWith(bug);
  for (let seed = 1; seed <= SEEDS; seed += 1) {
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
    expect(await firstDifference(bug)).toBeUndefined();
  }, 180_000);

  it.each(PLANTED_BUGS)(
    'SPOT-210 is noticed: $name',
    async (planted) => {
      bug = planted;
      expect(await firstDifference(planted)).toBeDefined();
    },
    180_000,
  );
});
