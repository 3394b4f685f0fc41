import { expect, it } from 'vitest';
import { byForm, isSelectedByCommit } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { requireBuiltServer } from './built-server.ts';
import { runStreams } from './streams-programme.ts';

/** A shorter run of `npm run crash -- --programme=streams`. */
it.runIf(isSelectedByCommit(1, 3))(
  'PAPI-145 many connections with ten streams each miss no event while others read nothing, and books built from streams equal snapshots',
  { timeout: PROGRAMME_TIMEOUT_MS },
  async () => {
    requireBuiltServer();
    const figures = await runStreams({
      sockets: byForm(40, 2_000),
      slowSockets: byForm(2, 100),
      forMs: byForm(6_000, 300_000),
      say: () => undefined,
    });
    expect(figures.problems).toEqual([]);
    expect(figures.ended).toBe(0);
    expect(figures.compared).toBeGreaterThan(0);
    expect(figures.events).toBeGreaterThan(100);
  },
);
