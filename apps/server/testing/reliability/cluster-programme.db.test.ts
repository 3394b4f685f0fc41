import { expect, it } from 'vitest';
import { isLongForm } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { hasNats } from '../nats.ts';
import { requireBuiltServer } from './built-server.ts';
import { runCluster } from './cluster-programme.ts';

/**
 * A part of `npm run crash -- --programme=cluster`. The short form of the tests has the smallest cluster instead, in
 * `cluster.db.test.ts`.
 */
it.runIf(isLongForm && hasNats)(
  'CLU-105 a cluster that loses processes, NATS and lines keeps every acknowledged order and shows the right book',
  { timeout: PROGRAMME_TIMEOUT_MS },
  async () => {
    requireBuiltServer();
    const rounds = 4;
    const { answered, last, problems } = await runCluster({
      rounds,
      traders: 6,
      seed: 3,
      paceMs: 200,
      say: () => undefined,
    });
    expect(problems).toEqual([]);
    expect(answered.count).toBe(rounds);
    expect(last.acknowledged).toBeGreaterThan(20);
  },
);
