import { claimFaucet, faucetState } from '@exchange/wire/account.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { HOUR_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';

describe('the faucet', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  async function balances(trader: TestTrader): Promise<Record<string, string>> {
    const { list } = await trader.request(spotAssets);
    const nonZero = list.filter(({ availableCurrency }) => availableCurrency !== '0');
    return Object.fromEntries(
      nonZero.map(({ currencyName, availableCurrency }) => [currencyName, availableCurrency]),
    );
  }

  it('FAU-001 credits a starting balance and returns the time of the next claim', async () => {
    const trader = await exchange.aUser();
    expect(await balances(trader)).toEqual({});
    const before = exchange.clock.now();
    const { credited, nextTime } = await trader.request(claimFaucet);
    expect(Object.fromEntries(credited.map(({ currency, amount }) => [currency, amount]))).toEqual(
      await balances(trader),
    );
    expect(await balances(trader)).toEqual({ USDT: '10000', BTC: '0.05', ETH: '1' });
    expect(nextTime - before).toBeGreaterThanOrEqual(24 * HOUR_MS);
    expect(nextTime - exchange.clock.now()).toBeLessThanOrEqual(24 * HOUR_MS);
  });

  it('FAU-002 pays once in 24 hours and reports the remaining hours, rounded up', async () => {
    const trader = await exchange.aUser();
    await trader.request(claimFaucet);
    expect(await trader.call(claimFaucet)).toMatchObject({
      code: -9,
      errKey: 'l.faucet_wait',
      data: { hours: '24' },
    });
    await exchange.advanceTime(23 * HOUR_MS);
    expect(await trader.call(claimFaucet)).toMatchObject({ code: -9, data: { hours: '1' } });
    await exchange.advanceTime(HOUR_MS);
    await trader.request(claimFaucet);
    expect(await balances(trader)).toEqual({ USDT: '20000', BTC: '0.1', ETH: '2' });
  });

  it('FAU-027 returns the time of the next claim, wherever the last one was made', async () => {
    const trader = await exchange.aUser();
    expect(await trader.request(faucetState)).toEqual({ nextTime: 0 });
    const { nextTime } = await trader.request(claimFaucet);
    expect(await trader.request(faucetState)).toEqual({ nextTime });
    expect(await (await exchange.aUser()).request(faucetState)).toEqual({ nextTime: 0 });
  });

  it('FAU-003 credits exactly one of 50 parallel claims', async () => {
    const trader = await exchange.aUser();
    const answers = await Promise.all(Array.from({ length: 50 }, () => trader.call(claimFaucet)));
    expect(answers.filter(({ code }) => code === 1).length).toBe(1);
    expect(answers.filter(({ errKey }) => errKey === 'l.faucet_wait').length).toBe(49);
    expect(await balances(trader)).toEqual({ USDT: '10000', BTC: '0.05', ETH: '1' });
  });

  it('FAU-004 returns the first answer to a repeated request id', async () => {
    const trader = await exchange.aUser();
    const first = await trader.request(claimFaucet, { clientId: 'mine' });
    expect(await trader.request(claimFaucet, { clientId: 'mine' })).toEqual(first);
    await exchange.restart();
    expect(await trader.request(claimFaucet, { clientId: 'mine' })).toEqual(first);
    expect(await balances(trader)).toEqual({ USDT: '10000', BTC: '0.05', ETH: '1' });
  });

  it('FAU-005 tops up an inventory to the wanted amounts and no further', async () => {
    const trader = await exchange.aUser({ USDT: '100' });
    await exchange.fund(trader, { USDT: '250', BTC: '1' });
    await exchange.fund(trader, { USDT: '200', BTC: '1' });
    expect(await balances(trader)).toEqual({ USDT: '250', BTC: '1' });
  });

  it('FAU-006 gives the demo trader initial balances only once', async () => {
    const demo = await exchange.doors.identity.ensureDemoTrader();
    await exchange.doors.faucet.fundDemoTrader(demo.id);
    await exchange.doors.faucet.fundDemoTrader(demo.id);
    const entries = await exchange.database.pool.query(
      `select 1 from ledger_account where owner = $1 and asset = 'USDT' and balance = 50000`,
      [demo.id],
    );
    expect(entries.rowCount).toBe(1);
  });
});
