import { MINUTE_MS } from '@exchange/core/time.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { byForm, isLongForm, isSelectedByCommit } from '../../../../tools/test-form.ts';
import { testDatabase } from '../database.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { TestExchange } from '../exchange.ts';
import { requireBuiltServer } from './built-server.ts';
import { fundLiquidations, secondsExpiries, subscriptionSales } from './mortal-ends.ts';
import { financePaydays, fundCosts, incomeDigests, miningIncome } from './mortal-income.ts';
import { killOver } from './mortal-work.ts';

/** Intended number of kills for each kind of due work. */
const KILLS_EACH = byForm(1, 20);
/** Maximum number of kills of the server in the whole test. */
const KILLS_MOST = byForm(4, 400);
const ROWS = byForm(120, 2_000);
const SALES = byForm({ projects: 8, participants: 6 }, { projects: 12, participants: 120 });
const OWNERS = 5;
/**
 * Milliseconds by which the clock of the preparing exchange is behind the system clock, so that everything that it
 * leaves open has expired when the killed server starts.
 */
const BEFORE_MS = 10 * MINUTE_MS;

describe('due work', () => {
  beforeAll(requireBuiltServer);
  afterEach(() => vi.unstubAllEnvs());

  it.runIf(isSelectedByCommit(0, 2))(
    'FIN-011 MIN-011 FUND-005 FUND-014 CON-019 SUB-007 MSG-1057 each row has its result once, however often the server is killed during it',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      vi.stubEnv('HOUSE_TRADING', 'off');
      const exchange = new TestExchange(await testDatabase(), {});
      exchange.clock.shift(-BEFORE_MS);
      await exchange.start();
      try {
        const funds = { USDT: String(200_000 + ROWS * 100) };
        const users = await Promise.all(Array.from({ length: OWNERS }, () => exchange.aUser(funds)));
        const owners = users.map(({ id }) => id);
        // The exchange stops its own jobs, so that they do not process the due work before the kills.
        await exchange.doors.jobs.stop();
        const [seconds, subscription, paydays, mining, costs, digests] = await Promise.all([
          secondsExpiries(exchange, owners, ROWS),
          subscriptionSales(exchange, SALES),
          financePaydays(exchange, owners, ROWS),
          miningIncome(exchange, owners, ROWS),
          fundCosts(exchange, owners, ROWS),
          incomeDigests(exchange, owners, ROWS),
        ]);
        const liquidations = await fundLiquidations(exchange, owners, ROWS);
        const works = [subscription, liquidations, paydays, seconds, mining, costs, digests];
        const kills = await killOver(exchange, works, {
          kills: KILLS_EACH,
          most: KILLS_MOST,
          meanwhile: () => exchange.clock.shift(BEFORE_MS),
        });
        for (const work of works) expect(await work.problems(exchange), work.name).toEqual([]);
        const midwayKills = kills.filter(({ done, whole }) => done < whole);
        // On a slow machine the test notices progress late, so more kinds of work are already complete at a kill.
        expect(midwayKills.length).toBeGreaterThan(kills.length / 3);
        console.log(kills.map(({ name, done, whole }) => `${name} ${done} of ${whole}`).join(', '));
        const countOf = (work: string) => midwayKills.filter(({ name }) => name === work).length;
        // Only the long form requires that each kind of work was interrupted `KILLS_EACH` times. The short form has too
        // few kills for this.
        const uninterrupted = works.filter(({ name }) => isLongForm && countOf(name) < KILLS_EACH);
        expect(uninterrupted.map(({ name }) => name)).toEqual([]);
      } finally {
        // `close` throws if the ledger, the holds or the order books are inconsistent.
        await exchange.close();
      }
    },
  );
});
