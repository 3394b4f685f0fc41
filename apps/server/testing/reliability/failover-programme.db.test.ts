import { expect, it } from 'vitest';
import { isLongForm } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { findDatabasePrograms } from '../patroni/programs.ts';
import { requireBuiltServer } from './built-server.ts';
import { runFailover } from './failover-programme.ts';

const found = findDatabasePrograms();
const programs = 'programs' in found ? found.programs : undefined;

/** A part of `npm run crash -- --programme=failover`. It needs packages that `npm test` does not install. */
it.runIf(isLongForm && programs !== undefined)(
  'CLU-106 CLU-107 a database of three machines that loses machines keeps every acknowledged order',
  { timeout: PROGRAMME_TIMEOUT_MS },
  async () => {
    requireBuiltServer();
    const rounds = 3;
    const { answered, complete, last, problems } = await runFailover({
      programs: programs!,
      rounds,
      traders: 4,
      seed: 2,
      paceMs: 200,
      say: () => undefined,
    });
    expect(problems).toEqual([]);
    expect([answered.count, complete.count]).toEqual([rounds, rounds]);
    expect(last.acknowledged).toBeGreaterThan(20);
  },
);
