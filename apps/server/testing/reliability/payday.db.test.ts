import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { inForm } from '../../../../tools/test-form.ts';
import { aProduct } from '../../src/modules/finance/testing/products.ts';
import { asRuntime, urlOf } from '../database.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { anExchange, type TestExchange } from '../exchange.ts';
import { requireBuiltServer } from './built-server.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const ORDERS = inForm(400, 10_000);
const KILLS = inForm(2, 12);
const OWNERS = 5;
const PERIOD = 7;
/** Bought that long ago, of a term of seven days: most days of one product are due, all of the other two. */
const RUNNING_FOR = 5;
const ENDED_FOR = 9;
const POLL_MS = 5;

interface Row {
  readonly start: string;
  readonly days: readonly number[];
  readonly amount: string;
  readonly daily: string;
}

/** Days credited at the moment, as the database says. */
async function credited({ database }: TestExchange): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>('select count(*)::int as n from finance_income');
  return rows[0]!.n;
}

describe('a payday', () => {
  beforeAll(requireBuiltServer);
  afterEach(() => vi.unstubAllEnvs());

  it(
    'FIN-011 pays each day of each order once, however often the server is killed while it pays',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      vi.stubEnv('HOUSE_TRADING', 'off');
      const exchange = await anExchange();
      const { guard } = guardedFolder();
      try {
        const wide = { startAmount: Decimal.parse('1'), maxAmount: Decimal.parse('1000000') };
        const capacity = Decimal.parse('1000000');
        await aProduct(exchange, 'daily', { ...wide, capacity, payMode: 'daily' });
        await aProduct(exchange, 'ended', { ...wide, capacity, payMode: 'daily' });
        await aProduct(exchange, 'whole', { ...wide, capacity });
        const funds = { USDT: String(ORDERS * 10) };
        const owners = await Promise.all(Array.from({ length: OWNERS }, () => exchange.aUser(funds)));
        // From here on nothing but the server that is killed does what is due.
        await exchange.doors.jobs.stop();
        const { finance } = exchange.doors.finance;
        const ages = { daily: RUNNING_FOR, ended: ENDED_FOR, whole: ENDED_FOR };
        const today = exchange.clock.now();
        const bought = await Promise.all(
          Array.from({ length: ORDERS }, (_, turn) => {
            const code = (['daily', 'ended', 'whole'] as const)[turn % 3]!;
            const since = later(today, -ages[code] * DAY_MS);
            const amount = Decimal.parse(String(10 + (turn % 7)));
            return finance.buyForHouse(owners[turn % OWNERS]!.id, code, amount, {
              ...{ origin: `payday:${turn}`, since },
            });
          }),
        );
        expect(bought.every(Boolean)).toBe(true);
        expect(await credited(exchange)).toBe(0);

        const interrupted: number[] = [];
        await exchange.restart(async () => {
          const { connection } = exchange.database;
          const server = await ServerProcess.prepare({
            databaseUrl: urlOf(asRuntime(connection)),
            databaseOwnerUrl: urlOf(connection),
            within: { dataDirectory: exchange.dataDirectory, guard },
          });
          try {
            for (let kill = 0; kill < KILLS; kill += 1) {
              const before = await credited(exchange);
              server.launch();
              // Not after it is ready: it begins as soon as it can, and is killed in the midst.
              while ((await credited(exchange)) <= before + kill * (ORDERS / 4)) await sleep(POLL_MS);
              await server.killServer();
              interrupted.push(await credited(exchange));
            }
          } finally {
            await server.close();
          }
        });
        await exchange.doors.finance.jobs.settle();

        const { rows } = await exchange.database.pool.query<Row>(
          `select o.start_at as start, array_agg(i.day order by i.day) as days,
                  sum(i.amount)::text as amount, max(o.daily_interest)::text as daily
             from finance_order o join finance_income i on i.order_id = o.id group by o.id`,
        );
        expect(rows).toHaveLength(ORDERS);
        for (const { start, days, amount, daily } of rows) {
          const count = Math.min(PERIOD, Math.floor((exchange.clock.now() - Number(start)) / DAY_MS));
          expect(days).toEqual(Array.from({ length: count }, (_, day) => day + 1));
          expect(
            Decimal.parse(amount).compare(Decimal.ofAtoms(Decimal.parse(daily).atoms * BigInt(count))),
          ).toBe(0);
        }
        const whole = rows.reduce((days, row) => days + row.days.length, 0);
        expect(interrupted.filter((days) => days > 0 && days < whole).length).toBeGreaterThan(KILLS / 2);
        console.log(`${whole} days of ${ORDERS} orders, killed at ${interrupted.join(', ')}`);
      } finally {
        // Throws unless the ledger, what is held and the books add up.
        await exchange.close();
        await guard.act();
      }
    },
  );
});
