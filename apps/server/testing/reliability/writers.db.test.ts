import { beforeAll, describe, expect, it } from 'vitest';
import { commitSeed, byForm, isSelectedByCommit } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { requireBuiltServer } from './built-server.ts';
import { LOSSES, runWriters } from './writers-programme.ts';

/** Number of rounds. The short form has one round with one kind of loss, which the current Git commit selects. */
const ROUNDS = byForm(1, 2 * LOSSES.length);
const FIRST_LOSS = commitSeed % LOSSES.length;
/** Number of rounds in which the process of the old writer survives the loss, so that it must exit by itself. */
const SURVIVED = Array.from(
  { length: ROUNDS },
  (_, round) => LOSSES[(FIRST_LOSS + round) % LOSSES.length],
).filter((loss) => loss !== 'process killed').length;

/** The short form of `npm run crash -- --programme=writers`. */
describe('two writers', () => {
  beforeAll(requireBuiltServer);

  it.runIf(isSelectedByCommit(2, 3))(
    'REL-014 REL-015 CLU-099 a standby takes over warm from a writer that is killed, frozen or cut off, which writes nothing more and ends',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      const { takeover, ended, last, problems } = await runWriters({
        rounds: ROUNDS,
        firstLoss: FIRST_LOSS,
        traders: 6,
        seed: 9,
        paceMs: 150,
        say: () => undefined,
      });
      expect(problems).toEqual([]);
      expect(takeover.count).toBe(ROUNDS);
      // The durations in `takeover` and `ended` are not compared with the programme's time limits, because
      // these apply to an idle machine, and other tests share the processor here.
      expect(ended.count).toBe(SURVIVED);
      expect(last.acknowledged).toBeGreaterThan(20);
    },
  );
});
