import { Decimal, sum } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS, startOfDay } from '@exchange/core/time.ts';
import { buyFinance } from '@exchange/wire/finance.ts';
import { coinCosts, holdings, tradeRecords } from '@exchange/wire/portfolio.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import { createProduct, createSaver, purchase } from '../finance/testing/products.ts';
import { MonthlySums } from './index.ts';
import { summedBefore } from './monthly-sums.ts';

/**
 * Days of interest of each saver. The first `EARLIER_DAYS` of them are backdated to a month whose
 * statement rows are summed.
 */
const DAYS = 5;
const EARLIER_DAYS = 3;

describe('statement rows that only repeat', () => {
  let exchange: TestExchange;
  let earlier: number;
  let code = 0;

  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());
  beforeEach(async () => {
    const until = summedBefore(exchange.clock.now());
    const before = new Date(until - DAY_MS);
    earlier = Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1);
    await exchange.database.pool.query(
      `update ledger_movement_sum set summed_until = 0, until = null, account = null, failed = '{}'`,
    );
  });

  /**
   * Creates a saver with interest of two products; the first days are backdated to a month whose
   * statement rows are summed.
   */
  async function aSaverOfLongAgo(): Promise<TestTrader> {
    const trader = await createSaver(exchange, { USDT: '5000', ETH: '2' });
    for (let at = 0; at < 2; at += 1) {
      const product = await createProduct(exchange, `long-ago-${(code += 1)}`, { payMode: 'daily' });
      await trader.request(buyFinance, purchase(product, '100'));
    }
    for (let day = 0; day <= DAYS; day += 1) {
      const midnight = startOfDay(later(exchange.clock.now(), DAY_MS));
      await exchange.advanceTime(later(midnight, MINUTE_MS) - exchange.clock.now());
      await exchange.doors.finance.jobs.settle();
    }
    await trader.request(tradeRecords);
    // Only the times of statement rows are changed; ledger entries are append-only.
    await exchange.database.pool.query(
      `update ledger_movement as row set at = $2::bigint + aged.turn * $3::bigint from (
         select entry, dense_rank() over (order by at) as turn from ledger_movement where owner = $1 and kind = 'finance.paid'
       ) as aged where aged.entry = row.entry and row.owner = $1 and aged.turn <= $4`,
      [trader.id, earlier, HOUR_MS, EARLIER_DAYS],
    );
    return trader;
  }
  const rowsOf = async (trader: TestTrader) => (await trader.request(tradeRecords, { pageSize: '100' })).list;
  const interestOf = async (trader: TestTrader) =>
    (await rowsOf(trader)).filter(({ kind }) => kind === 'finance.paid');
  const totalOf = (rows: readonly { readonly amount: string }[]) =>
    sum(rows.map(({ amount }) => Decimal.parse(amount))).toString();
  const sums = () => exchange.doors.monthlySums;

  it('LED-1050 LED-1051 become one row per account, kind and month after a year, with the sum, the count and the balance after it', async () => {
    const trader = await aSaverOfLongAgo();
    const before = await rowsOf(trader);
    const interest = before.filter(({ kind }) => kind === 'finance.paid');
    expect(interest).toHaveLength(2 * DAYS);
    const owned = async () => {
      const { list, total } = await trader.request(holdings);
      return { list, total };
    };
    const [held, costs] = [await owned(), await trader.request(coinCosts)];
    // The page cursor is the third of the statement rows that the run replaces by one monthly sum.
    const old = interest.slice(2 * (DAYS - EARLIER_DAYS));
    const behind = { pageSize: '100', after: old[2]!.id };

    expect(await sums().run()).toBe(true);

    const after = await rowsOf(trader);
    const [monthly, ...others] = (await interestOf(trader)).filter(({ entries }) => entries !== 1);
    expect(others).toEqual([]);
    expect(monthly).toEqual({
      ...old[0],
      amount: totalOf(old),
      entries: 2 * EARLIER_DAYS,
      refId: '',
    });
    expect(after).toHaveLength(before.length - 2 * EARLIER_DAYS + 1);
    expect(after.filter(({ id }) => id !== monthly!.id)).toEqual(
      before.filter(({ id }) => !old.some((row) => row.id === id)),
    );
    expect(totalOf(after)).toBe(totalOf(before));
    expect(await owned()).toEqual(held);
    expect(await trader.request(coinCosts)).toEqual(costs);
    // The page after a cursor within the summed month contains only rows that were older than the cursor.
    const isOlder = new Set(
      before.slice(before.findIndex(({ id }) => id === behind.after) + 1).map(({ id }) => id),
    );
    for (const row of (await trader.request(tradeRecords, behind)).list) expect(isOlder).toContain(row.id);
    expect((await exchange.audit()).problems).toEqual([]);
    // The next movement on the statement continues from the balance of the newest row, which was not summed.
    const product = await createProduct(exchange, `long-ago-${(code += 1)}`);
    await trader.request(buyFinance, purchase(product, '100'));
    const [newest, second] = await rowsOf(trader);
    expect(newest).toMatchObject({ kind: 'finance.bought', amount: '-100' });
    expect(Decimal.parse(newest!.balance).minus(Decimal.parse(second!.balance)).toString()).toBe('-100');
  });

  it('LED-1050 rows of the last year and of other kinds stay single, and a row that is alone in its month stays as it is', async () => {
    const trader = await aSaverOfLongAgo();
    const { pool } = exchange.database;
    const until = summedBefore(exchange.clock.now());
    const only = `kind = 'finance.paid' and owner = $1`;
    await pool.query(`update ledger_movement set at = $2 where ${only}`, [trader.id, until]);
    const [{ id } = { id: '' }] = await interestOf(trader);
    await pool.query(`update ledger_movement set at = $2 where ${only} and entry = $3`, [
      trader.id,
      until - 1,
      id.split('-')[0],
    ]);
    const before = await rowsOf(trader);
    expect(await sums().run()).toBe(true);
    expect(await rowsOf(trader)).toEqual(before);
    expect(before.every(({ entries }) => entries === 1)).toBe(true);
  });

  it('LED-1052 LED-1053 the process may end at any time: nothing is lost or counted twice, and the next process completes the pass', async () => {
    const traders = [await aSaverOfLongAgo(), await aSaverOfLongAgo()];
    const before = await Promise.all(traders.map(rowsOf));
    const { database, bulkheads, portfolio } = exchange.doors;
    let isDone = false;
    for (let diesAt = 1; !isDone; diesAt += 1) {
      let moment = 0;
      const live = () => {
        moment += 1;
        // Simulates a crash: fails with the SQLSTATE of a session that the database terminated.
        if (moment === diesAt) throw Object.assign(new Error('killed'), { code: '57P01' });
      };
      const dying = new MonthlySums({
        clock: exchange.clock,
        bulkheads: new Bulkheads({ clock: exchange.clock, log: exchange.log }),
        count: (owner) => portfolio.costs.countAll(owner),
        database: {
          store: new Proxy(database.store, {
            get: (store, name) => {
              live();
              const value: unknown = Reflect.get(store, name);
              return typeof value === 'function' ? (value.bind(store) as unknown) : value;
            },
          }),
          transaction: async (run) => {
            live();
            const done = await database.transaction(async (tx) => {
              const result = await run(tx);
              live();
              return result;
            });
            live();
            return done;
          },
        },
      });
      const outcome = await dying.run().catch(String);
      isDone = outcome === true;
      expect([true, 'Error: killed']).toContain(outcome);
      for (const [at, trader] of traders.entries()) {
        const now = await rowsOf(trader);
        expect(totalOf(now)).toBe(totalOf(before[at]!));
        const entries = now.reduce((count, row) => count + row.entries, 0);
        expect(entries).toBe(before[at]!.length);
      }
    }
    expect(bulkheads.failing()).toEqual([]);
    for (const trader of traders)
      expect((await interestOf(trader)).filter(({ entries }) => entries > 1)).toMatchObject([
        { entries: 2 * EARLIER_DAYS },
      ]);
  });

  it('LED-1053 an account that cannot be summed is reported and tried again, and the others are summed meanwhile', async () => {
    const [stuck, other] = [await aSaverOfLongAgo(), await aSaverOfLongAgo()];
    const { pool } = exchange.database;
    await pool.query(
      `alter table ledger_movement add constraint stuck check (owner <> '${stuck.id}' or entries = 1) not valid`,
    );
    expect(await sums().run()).toBe(false);
    expect(await sums().run()).toBe(false);
    expect((await interestOf(other)).at(-1)?.entries).toBe(2 * EARLIER_DAYS);
    expect((await interestOf(stuck)).at(-1)?.entries).toBe(1);
    expect(exchange.doors.bulkheads.failing()).toMatchObject([{ work: 'monthly sums' }]);
    await pool.query('alter table ledger_movement drop constraint stuck');
    await exchange.advanceTime(MINUTE_MS);
    expect(await sums().run()).toBe(true);
    expect((await interestOf(stuck)).at(-1)?.entries).toBe(2 * EARLIER_DAYS);
    expect(exchange.doors.bulkheads.failing()).toEqual([]);
  });

  it('LED-1050 whole months of UTC are older than a year', () => {
    const at = (text: string) => instant(Date.parse(text));
    expect(summedBefore(at('2026-11-30T23:59:59.999Z'))).toBe(at('2025-11-01T00:00:00Z'));
    expect(summedBefore(at('2026-12-01T00:00:00Z'))).toBe(at('2025-12-01T00:00:00Z'));
    expect(summedBefore(at('2024-02-29T12:00:00Z'))).toBe(at('2023-02-01T00:00:00Z'));
  });
});
