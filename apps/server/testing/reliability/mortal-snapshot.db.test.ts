import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import { inclusion, liabilities } from '@exchange/wire/proofs.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { commitSeed, byForm, isSelectedByCommit } from '../../../../tools/test-form.ts';
import { dayOf, dayText } from '../../src/modules/proofs/domain.ts';
import { testDatabase } from '../database.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { TestExchange } from '../exchange.ts';
import { seededRandom } from '../seeded-random.ts';
import { requireBuiltServer } from './built-server.ts';
import { fundOwners, killOverSnapshot, snapshotFaults } from './mortal-snapshot.ts';

const KILLS = byForm(2, 24);
const OWNERS = byForm(200, 2_000);
/**
 * Latest time of day, in milliseconds after midnight UTC, at which the test starts. The killed servers use the system
 * clock, and the test must not run across midnight.
 */
const LATEST_START_MS = DAY_MS - HOUR_MS / 2;

describe('a proof snapshot during server kills', () => {
  beforeAll(requireBuiltServer);
  afterEach(() => vi.unstubAllEnvs());

  it.runIf(isSelectedByCommit(1, 2))(
    'POL-013 a server killed while it takes or publishes the snapshot publishes nothing partial, and the day gets one complete snapshot',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async ({ skip }) => {
      if (Date.now() % DAY_MS > LATEST_START_MS) skip('the day is about to end');
      vi.stubEnv('HOUSE_TRADING', 'off');
      const exchange = new TestExchange(await testDatabase(), {});
      await exchange.start();
      try {
        const user = await exchange.aUser({ USDT: '250' });
        await fundOwners(exchange, OWNERS);
        const day = dayText(dayOf(exchange.clock.now()));
        const kills = await killOverSnapshot(exchange, {
          kills: KILLS,
          random: seededRandom(commitSeed),
          published: async () => expect(await snapshotFaults(exchange)).toEqual([]),
          unpublished: async () => {
            expect((await exchange.call(liabilities)).data.list).toEqual([]);
            expect(await user.call(inclusion, { day })).toMatchObject({ errKey: 'l.not_found' });
          },
        });
        console.log(
          kills
            .map(({ done, whole, isPublished }) => `${done} of ${whole}${isPublished ? ', published' : ''}`)
            .join('; '),
        );
        await exchange.doors.proofs.liabilities.takeDue();
        expect(await snapshotFaults(exchange)).toEqual([]);
        expect(kills).toHaveLength(KILLS);
        const midwayKills = kills.filter(
          ({ done, whole, isPublished }) => done > 0 && done < whole && !isPublished,
        );
        expect(midwayKills.length).toBeGreaterThanOrEqual(KILLS / 2);
      } finally {
        // `close` throws if the ledger, the holds or the order books are inconsistent.
        await exchange.close();
      }
    },
  );
});
