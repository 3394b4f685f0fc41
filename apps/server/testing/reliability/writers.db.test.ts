import { beforeAll, describe, expect, it } from 'vitest';
import { PROGRAMME_PATIENCE_MS } from '../eventually.ts';
import { requireBuiltServer } from './built-server.ts';
import { runWriters } from './writers-programme.ts';

const ROUNDS = 2;

/** The short form of `npm run crash -- --programme=writers`. */
describe('two writers', () => {
  beforeAll(requireBuiltServer);

  it(
    'REL-014 REL-015 a standby takes over from a writer that is frozen or cut off, which writes nothing more and ends',
    { timeout: PROGRAMME_PATIENCE_MS },
    async () => {
      const { takeover, ended, last, problems } = await runWriters({
        rounds: ROUNDS,
        traders: 6,
        seed: 9,
        paceMs: 150,
        say: () => undefined,
      });
      expect(problems).toEqual([]);
      expect(takeover.count).toBe(ROUNDS);
      // How fast is measured by the programme on a quiet machine; here other tests share the processor.
      expect(ended.count).toBe(ROUNDS);
      expect(last.acknowledged).toBeGreaterThan(20);
    },
  );
});
