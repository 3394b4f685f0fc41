import { afterEach, describe, expect, it } from 'vitest';
import { commitSeed, byForm } from '../../../../../tools/test-form.ts';
import { PLANTED_BUGS } from './testing/planted-bugs/all.ts';
import { realWith, uproot, type PlantedBug } from './testing/planted-bugs/plant.ts';
import { play } from './testing/playing.ts';

const SEEDS = 12;
const COMMANDS = 1_500;
/**
 * The short form of the tests runs only one in this many planted bugs; a seed that is derived from the commit
 * determines which ones.
 */
const SHORT_FORM_SHARE = 8;
const SELECTED = byForm(
  PLANTED_BUGS.filter((_, index) => index % SHORT_FORM_SHARE === commitSeed % SHORT_FORM_SHARE),
  PLANTED_BUGS,
);

/**
 * The first difference that the model test finds between an exchange with a bug and the reference;
 * undefined if it finds none.
 */
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
    expect(await firstDifference(bug, byForm(2, SEEDS))).toBeUndefined();
  }, 180_000);

  it.each(SELECTED)(
    'SPOT-210 detects the bug: $name',
    async (planted) => {
      bug = planted;
      expect(await firstDifference(planted)).toBeDefined();
    },
    180_000,
  );
});
