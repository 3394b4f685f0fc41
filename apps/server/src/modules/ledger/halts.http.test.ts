import { claimFaucet } from '@exchange/wire/account.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { operate as operatorCall } from '../../../testing/operators.ts';
import type { RequestFields } from '../../../testing/calling.ts';
import { eventually } from '../../../testing/eventually.ts';

type Fields = RequestFields<typeof wire.createOrder>;

describe('a halted asset', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  async function operate(path: string, fields?: Record<string, string>) {
    const answer = await operatorCall(exchange, `/ops/${path}`, fields);
    return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) };
  }

  const health = async () => {
    const answer = await fetch(`${exchange.consoleUrl}/health`);
    return (await answer.json()) as { status: string; components: Record<string, unknown> };
  };
  const buy = (more: Fields = {}): Fields => ({
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    tradeType: 'buy',
    orderType: 'limit',
    price: '49000',
    amount: '0.01',
    ...more,
  });

  it('LED-030 LED-031 EDGE-170 EDGE-620 takes no posting of any module, over a restart, until an operator lifts the halt with a reason', async () => {
    const trader = await exchange.aUser({ USDT: '2000', BTC: '1' });
    const { id } = await trader.request(wire.createOrder, buy());
    const refusesAll = async () => {
      expect(await trader.call(wire.createOrder, buy())).toMatchObject({ errKey: 'l.asset_halted' });
      expect(await trader.call(wire.createOrder, buy({ tradeType: 'sell' }))).toMatchObject({
        errKey: 'l.asset_halted',
      });
      expect(await trader.call(claimFaucet)).toMatchObject({ errKey: 'l.asset_halted' });
      const cancelled = await trader.call(wire.cancelOrder, { id });
      expect(cancelled).toMatchObject({ code: -10, errKey: 'l.asset_halted' });
      expect(cancelled.text).toContain('USDT');
    };

    expect(await operate('assets/usdt/halt', { publicCause: 'technical' })).toMatchObject({
      status: 400,
      field: 'reason',
    });
    expect(await operate('assets/nothing/halt', { reason: 'x', publicCause: 'other' })).toMatchObject({
      status: 400,
    });
    const why = { reason: 'the bank statement differs', publicCause: 'technical' };
    expect(await operate('assets/usdt/halt', why)).toMatchObject({ asset: 'USDT', isHalted: true });
    await refusesAll();
    await exchange.restart();
    await refusesAll();
    expect(await health()).toMatchObject({
      status: 'up',
      components: {
        ledger: {
          isUp: false,
          reason: expect.stringMatching(
            /^USDT is halted since 20.*Z by owner: the bank statement differs$/,
          ) as string,
        },
      },
    });
    // A halted coin does not make the server count as down for load balancers and the container's
    // health check.
    for (const port of [exchange.url, exchange.consoleUrl])
      expect((await fetch(`${port}/health`)).status).toBe(200);
    expect(await (await fetch(`${exchange.consoleUrl}/metrics`)).text()).toMatch(/^ledger_halted_assets 1$/m);
    const standing = exchange.log.lines.filter(({ event }) => event === 'ledger.halt_stands');
    expect(standing.map(({ fields }) => fields['asset'])).toEqual(['USDT']);

    expect(await operate('assets/usdt/lift', {})).toMatchObject({ status: 400, field: 'reason' });
    expect(await operate('assets/btc/lift', { reason: 'x' })).toMatchObject({ status: 400 });
    await operate('assets/usdt/lift', { reason: 'it was the bank' });
    expect(await trader.request(wire.cancelOrder, { id })).toMatchObject({ status: 3 });
    expect(await trader.call(claimFaucet)).toMatchObject({ code: 1 });
    expect((await health()).status).toBe('up');
    expect(await operate('assets')).toMatchObject({
      halted: [],
      changes: [
        { asset: 'USDT', isHalted: false, by: 'owner, approved by approver', reason: 'it was the bank' },
        { asset: 'USDT', isHalted: true, by: 'owner', reason: 'the bank statement differs' },
      ],
    });
    const rewrite = exchange.database.pool.query(`update ledger_halt_change set set_by = 'nobody'`);
    await expect(rewrite).rejects.toThrow('append-only');
  });

  it('LED-032 what is due by time waits until the halt is lifted, without a step in vain', async () => {
    const trader = await exchange.aUser({ USDT: '2000' });
    const expireTime = String(exchange.clock.now() + 60_000);
    const { id } = await trader.request(wire.createOrder, buy({ timeInForce: 'GTT', expireTime }));
    await operate('assets/usdt/halt', { reason: 'looking at it', publicCause: 'other' });
    await exchange.advanceTime(61_000);
    const sequence = async () => {
      const { rows } = await exchange.database.pool.query<{ sequence: string }>(
        'select sequence::text from writer',
      );
      return rows[0]!.sequence;
    };
    const before = await sequence();
    for (let tick = 0; tick < 5; tick += 1) await exchange.doors.spot.tick();
    expect(await sequence()).toBe(before);
    expect(await trader.request(wire.orderDetail, { id })).toMatchObject({ status: 0 });
    await operate('assets/usdt/lift', { reason: 'all is well' });
    await eventually(async () =>
      expect(await trader.request(wire.orderDetail, { id })).toMatchObject({ status: 3 }),
    );
  });
});
