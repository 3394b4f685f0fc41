import { beforeAll, describe, expect, it } from 'vitest';
import { commitSeed, byForm, isSelectedByCommit } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { requireBuiltServer } from './built-server.ts';
import { runWriters } from './writers-programme.ts';

/** The short form tests one of the two losses, alternating between commits. */
const ROUNDS = byForm(1, 2);
const FIRST_LOSS = commitSeed % 2 === 0 ? 0 : 1;

/** The short form of `npm run crash -- --programme=writers`. */
describe('two writers', () => {
  beforeAll(requireBuiltServer);

  it.runIf(isSelectedByCommit(2, 3))(
    'REL-014 REL-015 a standby takes over from a writer that is frozen or cut off, which writes nothing more and ends',
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
      // The programme measures times on an idle machine; here other tests share the processor.
      expect(ended.count).toBe(ROUNDS);
      expect(last.acknowledged).toBeGreaterThan(20);
    },
  );
});
