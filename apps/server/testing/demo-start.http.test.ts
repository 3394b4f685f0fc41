import { coinListing } from '@exchange/wire/coin-info.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { undescribedValues } from './described-rows.ts';
import { eventually } from './eventually.ts';
import { anExchange, type TestExchange } from './exchange.ts';
import { operate } from './operators.ts';

/** Coins that the test halts. The demo's products use them for payments, sales and trading. */
const HALTED = ['USDT', 'BTC', 'XRP'] as const;

describe('a demo with all its data', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange({ asksVenues: true, settings: { HOUSE_TRADING: 'on' } });
  }, 300_000);
  afterAll(() => exchange.close(), 60_000);

  const rows = async (query: string) => (await exchange.database.pool.query(query)).rows as unknown[];
  const demoData = async () => {
    const answer = await fetch(`${exchange.consoleUrl}/health`);
    const { status, components } = (await answer.json()) as {
      status: string;
      components: Record<string, { isUp: boolean; reason?: string }>;
    };
    return { status, part: components['demo data']! };
  };
  /** Reads how many objects exist of each kind that the demo creates only once. */
  const demoCounts = () =>
    rows(`select
      (select count(*)::int from finance_order) as finance,
      (select count(*)::int from mining_order) as mining,
      (select count(*)::int from fund_position where origin like 'demo:%') as funds,
      (select count(*)::int from withdrawal) as withdrawals,
      (select count(*)::int from withdrawal_address) as addresses,
      (select count(*)::int from demo_part) as parts`);

  it('OPS-1121 every list of the console answers the described columns with values of their kinds', async () => {
    const [trader] = (await rows(`select id from user_account where email like 'demo.trader@%'`)) as {
      id: string;
    }[];
    const lists = exchange.operations.filter(({ rows: described }) => described !== undefined);
    const answered: string[] = [];
    for (const { path, rows: described } of lists) {
      const to = path
        .replace(':user', trader!.id)
        .replace(':account/:asset', 'fees/USDT')
        .replace(':code', 'usdt-14');
      if (to.includes(':')) continue;
      const answer = (await (await operate(exchange, to)).json()) as Record<string, unknown>;
      const undescribed = path.endsWith('/versions') ? [] : undescribedValues(described!, answer);
      expect([path, undescribed]).toEqual([path, []]);
      if ((answer[described!.in] as readonly unknown[]).length > 0) answered.push(path);
    }
    // More than 25 lists must have rows, because a list without rows does not show whether its rows match their
    // description.
    expect(answered.length).toBeGreaterThan(25);
  }, 60_000);

  it('SUB-1070 lists a pair of the token of its settled sale, quoted and traded with the allocated tokens', async () => {
    const { doors } = exchange;
    expect((await exchange.call(coinListing, { coin: 'ORCH' })).data).toMatchObject({
      issued: 1,
      pairs: ['orchusdt'],
    });
    const [maker, takers] = await Promise.all(
      ['subscriber-1', 'subscriber-2'].map((name) => doors.identity.ensureSystemUser(name)),
    );
    const quotes = () => doors.spot.openOrders(maker!).filter(({ symbol }) => symbol === 'orchusdt');
    await eventually(() => {
      expect(new Set(quotes().map(({ side }) => side))).toEqual(new Set(['buy', 'sell']));
    });
    expect(doors.market.indexPrice('orchusdt')?.price.isPositive()).toBe(true);

    // The demo trader claims the allocated tokens and sells some of them.
    const { id: trader } = await doors.identity.ensureDemoTrader();
    const { subscription } = doors.subscription;
    const { list } = await subscription.records(trader, undefined, { pageNo: 1, pageSize: 50 });
    const record = list.find(({ project }) => project.symbol === 'ORCH')!;
    await subscription.claim(trader, record.commitment.id);
    await doors.spot.place(trader, {
      symbol: 'orchusdt',
      side: 'sell',
      type: 'market',
      amount: Decimal.ofWhole(5_000),
      timeInForce: 'IOC',
    });
    await eventually(async () => {
      expect(await rows(`select price from spot_trade where symbol = 'orchusdt' limit 1`)).not.toEqual([]);
    });
    expect(takers).not.toBe(maker);

    // The only outside account of the token in the ledger is that of the token's issue. After a restart the market
    // maker has quotes again on both sides.
    expect((await exchange.audit()).problems).toEqual([]);
    expect(
      await rows(`select address from ledger_account where asset = 'ORCH' and address like 'world:%'`),
    ).toEqual([{ address: 'world:ORCH:issue' }]);
    await exchange.restart();
    await eventually(() => {
      expect(new Set(quotes().map(({ side }) => side))).toEqual(new Set(['buy', 'sell']));
    });
  }, 300_000);

  it('EDGE-621 EDGE-622 opens its ports at the start, seeds the parts it can, and seeds the missing parts at the start after the halt', async () => {
    expect(await demoData()).toMatchObject({ status: 'up', part: { isUp: true } });
    const countsBefore = await demoCounts();
    // Simulates a first start during which the coins were halted: two parts of the demo data are missing, and the coins
    // are still halted.
    await rows(`delete from demo_part where name in ('spot trade xrpusdt sell', 'spot stop')`);
    for (const asset of HALTED)
      await exchange.doors.halting.halt(asset, { by: 'test', reason: 'looking at it' });
    exchange.log.lines.splice(0);
    await exchange.restart();
    expect((await fetch(`${exchange.url}/health`)).status).toBe(200);
    expect(await operate(exchange, '/ops/assets').then(({ status }) => status)).toBe(200);
    const missingParts = exchange.log.lines
      .filter(({ event }) => event === 'demo.part_not_made')
      .map(({ fields }) => fields['part']);
    expect(missingParts).toEqual(expect.arrayContaining(['spot trade xrpusdt sell', 'spot stop']));
    const { status, part } = await demoData();
    expect(status).toBe('up');
    expect(part.isUp).toBe(false);
    expect(part.reason).toContain('are tried at the next start');

    for (const asset of HALTED)
      await exchange.doors.halting.lift(asset, { by: 'test', reason: 'all is well' });
    exchange.log.lines.splice(0);
    await exchange.restart();
    expect(exchange.log.lines.filter(({ event }) => event === 'demo.part_not_made')).toEqual([]);
    expect(await demoData()).toMatchObject({ part: { isUp: true } });
    expect(await demoCounts()).toMatchObject([{ parts: (countsBefore[0] as { parts: number }).parts }]);
  }, 300_000);
});
