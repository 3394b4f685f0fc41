import { HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { convertRecords } from '@exchange/wire/convert.ts';
import { messagePage } from '@exchange/wire/message.ts';
import {
  createRecurring,
  endRecurring,
  pauseRecurring,
  recurringBuys,
  recurringPlans,
  resumeRecurring,
} from '@exchange/wire/recurring.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { createSaver } from '../finance/testing/products.ts';
import { buyDue, createSaverWithPlan, DAILY_ETH } from './testing/crawl.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await anExchange();
});
// Closing the exchange after all tests throws unless the ledger's audit passes.
afterAll(() => exchange.close());

const BASKET = { ...DAILY_ETH, amount: '100', coins: 'ETH:75,BTC:25' };

async function balanceOf(user: TestTrader, coin: string): Promise<string> {
  const { list } = await user.request(spotAssets, { currency: coin });
  return list[0]?.availableCurrency ?? '0';
}

/** Advances the clock to the next buy of a user's newest plan, plus `laterMs`, and returns the time of that buy. */
async function passNextTime(trader: TestTrader, laterMs = MINUTE_MS): Promise<number> {
  const { nextTime } = (await trader.request(recurringPlans)).list[0]!;
  await exchange.advanceTime(nextTime - exchange.clock.now() + laterMs);
  return nextTime;
}

const messagesOf = async (trader: TestTrader) =>
  (await trader.request(messagePage, { type: '3' })).list.map(({ title }) => title);

describe('recurring buys', () => {
  it('RCB-003 RCB-004 RCB-010 each time buys once, at the rate of an instant exchange, however often it is tried', async () => {
    const { trader, id } = await createSaverWithPlan(exchange, { amount: '300' });
    const time = await passNextTime(trader);
    await exchange.setPrice('ethusdt', '3000');
    const { commands, jobs } = exchange.doors.recurring;
    await Promise.all([jobs.settle(), jobs.settle()]);
    // A second command for the same buy, as another process could send it.
    const side = { asset: 'USDT', digits: 8, index: '1' };
    const again = commands.buy.input.parse({
      owner: trader.id,
      id,
      scheduledAt: time,
      missed: 0,
      nextAt: time + 24 * HOUR_MS,
      decision: { kind: 'buy', from: side, coins: [] },
    });
    expect(await exchange.doors.sequencer.execute(commands.buy, again)).toEqual({ done: 0 });
    await exchange.restart();
    await buyDue(exchange);
    const [exchanged] = (await trader.request(convertRecords)).list;
    // The ETH for 300 USDT at a price of 3,000, less the spread of 0.1 % and the fee of 0.1 %.
    expect(exchanged).toMatchObject({ from: 'USDT', to: 'ETH', fromAmount: '300', toAmount: '0.09980009' });
    expect([await balanceOf(trader, 'USDT'), await balanceOf(trader, 'ETH')]).toEqual(['700', '0.09980009']);
    const { list, sum } = await trader.request(recurringBuys, { id });
    const coin = { currency: 'ETH', amount: '300', received: '0.09980009', exchangeId: exchanged!.id };
    expect([sum, list[0]]).toMatchObject([1, { planId: id, time, missed: 0, coins: [coin] }]);
    const [plan] = (await trader.request(recurringPlans)).list;
    expect(plan).toMatchObject({
      nextTime: time + 24 * HOUR_MS,
      skipped: 0,
      coins: [
        { buys: 1, paid: '300', received: '0.09980009', firstPaid: '300', firstReceived: '0.09980009' },
      ],
    });
    expect(await messagesOf(trader)).toContain('Recurring buy completed: ETH');
  });

  it('RCB-005 after an outage only the latest time is bought, and not later than six hours after it', async () => {
    const { trader } = await createSaverWithPlan(exchange);
    const first = await passNextTime(trader, 2 * 24 * HOUR_MS + 5 * HOUR_MS);
    await buyDue(exchange);
    const { list, sum } = await trader.request(recurringBuys);
    expect([sum, list[0]]).toMatchObject([1, { time: first + 48 * HOUR_MS, missed: 2 }]);
    expect(list[0]!.coins[0]!.exchangeId).toBeDefined();
    await passNextTime(trader, 7 * HOUR_MS);
    await buyDue(exchange);
    const [late] = (await trader.request(recurringBuys)).list;
    expect(late).toMatchObject({ missed: 0, coins: [{ skipped: 'late', received: '0' }] });
    expect(await messagesOf(trader)).toContain('Recurring buy skipped: ETH');
  });

  it('RCB-005 waits while there is no price', async () => {
    const { trader } = await createSaverWithPlan(exchange);
    await passNextTime(trader);
    exchange.prices.isSilent = true;
    exchange.clock.shift(MINUTE_MS);
    await exchange.doors.recurring.jobs.settle();
    expect((await trader.request(recurringBuys)).sum).toBe(0);
    exchange.prices.isSilent = false;
    await exchange.advanceTime(1_000);
    await buyDue(exchange);
    expect((await trader.request(recurringBuys)).list[0]!.coins[0]!.skipped).toBeUndefined();
  });

  it('RCB-011 a coin without a price holds up the others of its basket for nearly six hours, and is then skipped alone', async () => {
    const coins = 'ETH:75,LTC:25';
    const { trader } = await createSaverWithPlan(exchange, Object.assign({}, BASKET, { coins }));
    const { silentPairs } = exchange.prices;
    silentPairs.add('ltcusdt');
    await passNextTime(trader);
    await exchange.advanceTime(6 * HOUR_MS - 7 * MINUTE_MS);
    await buyDue(exchange);
    expect((await trader.request(recurringBuys)).sum).toBe(0);
    silentPairs.add('ethusdt');
    await exchange.advanceTime(2 * MINUTE_MS);
    await exchange.doors.recurring.jobs.settle();
    expect((await trader.request(recurringBuys)).sum).toBe(0);
    silentPairs.delete('ethusdt');
    await exchange.advanceTime(MINUTE_MS);
    await buyDue(exchange);
    silentPairs.clear();
    const [buy] = (await trader.request(recurringBuys)).list;
    expect(buy!.coins.map(({ currency, amount, skipped }) => [currency, amount, skipped])).toEqual([
      ['ETH', '75', undefined],
      ['LTC', '25', 'late'],
    ]);
    expect(await balanceOf(trader, 'USDT')).toBe('925');
    expect(await messagesOf(trader)).toEqual(
      expect.arrayContaining(['Recurring buy completed: ETH', 'Recurring buy skipped: LTC']),
    );
  });

  it('RCB-006 a short balance skips the whole basket, a halted coin only itself', async () => {
    const { trader: poor } = await createSaverWithPlan(exchange, BASKET, '99');
    const { trader: rich } = await createSaverWithPlan(exchange, BASKET);
    await exchange.doors.halting.halt('BTC', { by: 'test', reason: 'a look' });
    await passNextTime(rich);
    await buyDue(exchange);
    await exchange.doors.halting.lift('BTC', { by: 'test', reason: 'all is well' });
    const skipsOf = async (trader: TestTrader) =>
      (await trader.request(recurringBuys)).list[0]!.coins.map(({ amount, skipped }) => [amount, skipped]);
    expect(await skipsOf(poor)).toEqual([
      ['75', 'short'],
      ['25', 'short'],
    ]);
    expect(await skipsOf(rich)).toEqual([
      ['75', undefined],
      ['25', 'halted'],
    ]);
    expect([await balanceOf(poor, 'USDT'), await balanceOf(rich, 'USDT')]).toEqual(['99', '925']);
    expect((await poor.request(recurringPlans)).list[0]).toMatchObject({ skipped: 1, status: 'active' });
    expect(await messagesOf(rich)).toEqual(
      expect.arrayContaining(['Recurring buy completed: ETH', 'Recurring buy skipped: BTC']),
    );
  });

  it('RCB-001 RCB-009 refuses invalid plans at their field', async () => {
    const trader = await createSaver(exchange, { USDT: '1000' });
    const refused = async (fields: Readonly<Record<string, string>>) => {
      const { errKey, data } = await trader.call(createRecurring, { ...DAILY_ETH, ...fields });
      return [errKey, (data as { field?: string } | undefined)?.field];
    };
    expect(await refused({ coins: 'ETH:60' })).toEqual(['l.recurring_shares', 'coins']);
    expect(await refused({ coins: 'ETH:50,ETH:50' })).toEqual(['l.recurring_coins', 'coins']);
    expect(await refused({ currency: 'ETH' })).toEqual(['l.recurring_coins', 'coins']);
    expect(await refused({ amount: '0.5' })).toEqual(['l.amount_min', 'amount']);
    expect(await refused({ amount: '1.123456789' })).toEqual(['l.amount_decimals', 'amount']);
    expect(await refused({ time: '24:00' })).toEqual(['l.field_invalid', 'time']);
    expect(await refused({ timeZone: 'Mars/Base' })).toEqual(['l.field_invalid', 'timeZone']);
    expect(await refused({ frequency: 'week' })).toEqual(['l.field_required', 'weekday']);
    expect(await refused({ frequency: 'month' })).toEqual(['l.field_required', 'monthDay']);
    const visitor = await exchange.aUser({ USDT: '1000' });
    expect((await visitor.call(createRecurring, DAILY_ETH)).code).toBe(-3);
  });

  it('RCB-009 pauses, resumes and ends a plan of its owner, who has at most ten', async () => {
    const { trader, id } = await createSaverWithPlan(exchange);
    expect(await trader.request(pauseRecurring, { id })).toMatchObject({ status: 'paused', nextTime: 0 });
    expect(await trader.request(pauseRecurring, { id })).toMatchObject({ status: 'paused' });
    await exchange.advanceTime(48 * HOUR_MS);
    await buyDue(exchange);
    const resumed = await trader.request(resumeRecurring, { id });
    expect(resumed.nextTime).toBeGreaterThan(exchange.clock.now());
    expect((await trader.request(recurringBuys)).sum).toBe(0);
    const other = await createSaver(exchange, { USDT: '10' });
    for (const endpoint of [pauseRecurring, resumeRecurring, endRecurring, recurringBuys])
      expect((await other.call(endpoint, { id })).errKey).toBe('l.not_found');
    expect(await trader.request(endRecurring, { id })).toMatchObject({ status: 'ended' });
    expect((await trader.call(resumeRecurring, { id })).errKey).toBe('l.recurring_ended');
    expect((await trader.request(recurringPlans, { ended: '1' })).sum).toBe(1);
    for (let count = 0; count < 10; count += 1) await trader.request(createRecurring, DAILY_ETH);
    expect(await trader.call(createRecurring, DAILY_ETH)).toMatchObject({
      errKey: 'l.recurring_max',
      data: { limit: '10', value: '11' },
    });
  });
});
