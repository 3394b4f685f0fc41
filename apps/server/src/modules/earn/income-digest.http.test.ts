import { DAY_MS, later, MINUTE_MS, startOfDay } from '@exchange/core/time.ts';
import { overview } from '@exchange/wire/account.ts';
import { buyFinance } from '@exchange/wire/finance.ts';
import { messageDetail, messagePage, setMessageSetting } from '@exchange/wire/message.ts';
import { buyMining } from '@exchange/wire/mining.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { createProduct, createSaver, purchase } from '../finance/testing/products.ts';
import { createMiningProduct } from '../mining/testing/products.ts';

describe('digest of a day’s income', () => {
  let exchange: TestExchange;
  let code = 0;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  /** Sets the clock to the given number of minutes after the next midnight UTC. */
  async function passToMinute(minute: number): Promise<void> {
    const midnight = startOfDay(later(exchange.clock.now(), DAY_MS));
    await exchange.advanceTime(later(midnight, minute * MINUTE_MS) - exchange.clock.now());
  }
  async function settleProducts(): Promise<void> {
    await exchange.doors.finance.jobs.settle();
    await exchange.doors.mining.jobs.settle();
  }
  const sendDigests = () => exchange.doors.income.jobs.settle();
  const dailyProduct = () => createProduct(exchange, `digest-${(code += 1)}`, { payMode: 'daily' });
  const miningProduct = () => createMiningProduct(exchange, `digest-${(code += 1)}`);

  async function digests(trader: TestTrader) {
    await trader.request(overview);
    const { list } = await trader.request(messagePage, { type: '3', pageSize: '50' });
    expect(list.filter(({ title }) => /^(?:Interest|Mining income) received/.test(title))).toEqual([]);
    return list.filter(({ title }) => title.startsWith('Income for '));
  }

  it('MSG-960 MSG-961 twenty-two products pay in one day, and the owner gets one message with names, amounts and sums', async () => {
    const trader = await createSaver(exchange, { USDT: '10000', LTC: '1000' });
    for (let at = 0; at < 21; at += 1)
      await trader.request(buyFinance, purchase(await dailyProduct(), '100'));
    const ltc = await createMiningProduct(exchange, `digest-${(code += 1)}`, { asset: 'LTC' });
    await trader.request(buyMining, purchase(ltc, '100'));
    await passToMinute(0);
    // Interest is paid at 00:00 UTC and mining income at 00:10. An order is paid for the first time after its first
    // whole UTC day.
    await passToMinute(5);
    await settleProducts();
    await exchange.advanceTime(10 * MINUTE_MS);
    await settleProducts();
    await sendDigests();
    expect(await digests(trader)).toEqual([]);
    await exchange.advanceTime(16 * MINUTE_MS);
    await Promise.all([sendDigests(), sendDigests()]);
    await sendDigests();
    const [digest, ...others] = await digests(trader);
    expect(others).toEqual([]);
    const paid = new Date(startOfDay(exchange.clock.now()) - DAY_MS);
    const day = paid.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    expect(digest).toMatchObject({ title: `Income for ${day}` });
    const { content, place } = await trader.request(messageDetail, { id: digest!.id });
    expect(place).toBe('statement');
    expect(content).toContain('Total: 0.1 LTC + 2.1 USDT');
    expect(content.match(/^Fixed digest-\d+: 0\.1 USDT$/gm)).toHaveLength(20);
    expect(content).toContain('\nand 2 more\n');
  });

  it('MSG-962 income after the cut-off is in the digest of the next day; a day without income has none', async () => {
    const trader = await createSaver(exchange, { USDT: '1000' });
    await trader.request(buyMining, purchase(await miningProduct(), '100'));
    await passToMinute(0);
    await passToMinute(31);
    await sendDigests();
    // The job that pays the daily income runs only an hour after the cut-off of this day's digest.
    await exchange.advanceTime(60 * MINUTE_MS);
    await settleProducts();
    await sendDigests();
    expect(await digests(trader)).toEqual([]);
    await passToMinute(15);
    await settleProducts();
    await passToMinute(-60);
    await sendDigests();
    const [digest, ...others] = await digests(trader);
    expect(others).toEqual([]);
    expect((await trader.request(messageDetail, { id: digest!.id })).content).toContain('Total: 0.2 USDT');
    await passToMinute(45);
    await sendDigests();
    expect(await digests(trader)).toHaveLength(1);
  });

  it('MSG-963 a user who switched income messages off gets no digest, and the same income is not reported later', async () => {
    const trader = await createSaver(exchange, { USDT: '1000' });
    await trader.request(buyFinance, purchase(await dailyProduct(), '100'));
    await trader.request(setMessageSetting, { topic: 'income', inbox: '0', mail: '0' });
    await passToMinute(0);
    await passToMinute(5);
    await settleProducts();
    await exchange.advanceTime(30 * MINUTE_MS);
    await sendDigests();
    await trader.request(setMessageSetting, { topic: 'income', inbox: '1' });
    await sendDigests();
    expect(await digests(trader)).toEqual([]);
  });

  it('MSG-964 a failure between claim and message loses nothing, and a restart repeats nothing', async () => {
    const trader = await createSaver(exchange, { USDT: '1000' });
    await trader.request(buyFinance, purchase(await dailyProduct(), '100'));
    await passToMinute(0);
    await passToMinute(5);
    await settleProducts();
    await exchange.advanceTime(30 * MINUTE_MS);
    const { pool } = exchange.database;
    await pool.query("alter table message add constraint no_digest check (kind <> 'incomeDigest') not valid");
    await sendDigests();
    const failed = exchange.doors.bulkheads.failing().find(({ key }) => key === trader.id);
    expect(failed).toMatchObject({ work: 'income digests', cause: expect.stringContaining('no_digest') });
    expect(await digests(trader)).toEqual([]);
    await pool.query('alter table message drop constraint no_digest');
    exchange.clock.shift(MINUTE_MS);
    await sendDigests();
    expect(await digests(trader)).toHaveLength(1);
    await exchange.restart();
    await sendDigests();
    expect(await digests(trader)).toHaveLength(1);
  });

  it('MSG-1058 health and metrics show how long digests are late, and nothing otherwise', async () => {
    // Sends the digests of the income from earlier tests, which are due at the next cut-off.
    await passToMinute(31);
    await sendDigests();
    const trader = await createSaver(exchange, { USDT: '1000' });
    await trader.request(buyFinance, purchase(await dailyProduct(), '100'));
    const { income } = exchange.doors;
    await passToMinute(0);
    await passToMinute(5);
    await settleProducts();
    // The digest of income that was paid after midnight is due at 00:30 UTC, so until then it is not late.
    expect(await income.lateSeconds()).toBe(0);
    await exchange.advanceTime(26 * MINUTE_MS);
    const late = await income.lateSeconds();
    expect(late).toBeGreaterThanOrEqual(60);
    expect(await income.health()).toMatchObject({ isUp: true, facts: { lateSeconds: expect.any(Number) } });
    await exchange.advanceTime(30 * MINUTE_MS);
    expect(await income.health()).toMatchObject({
      isUp: false,
      reason: expect.stringContaining('income waits for its digest since'),
    });
    expect((await income.lateSeconds()) - late).toBeGreaterThanOrEqual(30 * 60);
    await sendDigests();
    expect(await income.health()).toEqual({ isUp: true, facts: { lateSeconds: 0 } });
    expect(await income.lateSeconds()).toBe(0);
  });
});
