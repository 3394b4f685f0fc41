import { expect, it } from 'vitest';
import { requireBuiltServer } from './built-server.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { commitSeed, byForm } from '../../../../tools/test-form.ts';
import { CROWDS, runCrowds } from './crowd-programme.ts';

/**
 * The kinds of load that cost the server the most. To save time, the short form tests only one of them, which the
 * current Git commit selects.
 */
const COSTLY = ['pipelined openapi.json', 'an hour of the tape', 'malformed requests'] as const;
const SHORT: readonly string[] = [COSTLY[commitSeed % COSTLY.length]!];

it(
  'EDGE-740 EDGE-755 CON-720 no load from one address makes another address’s orders or the exchange’s own work fail, and the tape has every second',
  { timeout: PROGRAMME_TIMEOUT_MS },
  async () => {
    requireBuiltServer();
    const figures = await runCrowds({
      connections: byForm(100, 500),
      forMs: byForm(1_500, 5_000),
      kinds: byForm(SHORT, CROWDS),
      seed: 1,
      say: () => undefined,
    });
    for (const { kind, orders, failed, complaints, missing } of figures) {
      expect([kind, failed, complaints, missing]).toEqual([kind, 0, [], 0]);
      expect(orders).toBeGreaterThan(0);
    }
  },
);
