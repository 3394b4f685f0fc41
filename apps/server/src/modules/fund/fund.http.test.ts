import { Decimal, sum } from '@exchange/core/decimal.ts';
import { heldProfit } from '@exchange/core/fund.ts';
import { DAY_MS, startOfDay } from '@exchange/core/time.ts';
import { overview } from '@exchange/wire/account.ts';
import * as wire from '@exchange/wire/fund.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { proofTape } from '@exchange/wire/proof.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { createSaver, TRADE_PASSWORD } from '../finance/testing/products.ts';
import { runVerifier } from '../../../testing/verifier.ts';
import { createFund, createHolding, fundTerms } from './testing/funds.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const PASSWORD = { assetsPwd: TRADE_PASSWORD };
const AUTHOR = { by: 'test', reason: 'a test' };

describe('leveraged funds', () => {
  let exchange: TestExchange;
  let fund: string;
  let steep: string;
  beforeAll(async () => {
    exchange = await anExchange();
    fund = await createFund(exchange, 'pair');
    const constituents = [{ symbol: 'btcusdt', weight: d('0.2') }];
    steep = await createFund(exchange, 'steep', { constituents });
  });
  afterAll(() => exchange.close());

  const coins = async (user: TestTrader) =>
    (await user.request(spotAssets, { currency: 'USDT' })).list[0]?.availableCurrency;
  const record = async (user: TestTrader, id: string) => {
    const { list } = await user.request(wire.fundRecords, { pageSize: '100' });
    return list.find((position) => position.id === id)!;
  };
  const ended = (user: TestTrader, status: '2' | '3' | '4') =>
    eventually(async () => {
      const { list } = await user.request(wire.fundRecords, { status });
      if (list.length === 0) throw new Error('nothing ended yet');
      return list;
    });
  const expectMessage = (user: TestTrader, title: RegExp) =>
    eventually(async () => {
      const { list } = await user.request(messagePage, { pageSize: '50' });
      expect(list.map((message) => message.title).filter((text) => title.test(text))).toHaveLength(1);
    });

  it('FUND-001 FUND-016 everybody sees each fund with its value, basket and candles', async () => {
    const seen = await eventually(async () => {
      const { data } = await exchange.call(wire.fundDetail, { id: fund });
      expect(data.nav).toBe('100');
      return data;
    });
    expect(seen).toMatchObject({ leverages: [1, 2, 3], status: 1, insurance: '10000', degraded: 0 });
    expect(seen.composition.map(({ coin, share }) => [coin, share])).toEqual([
      ['BTC', '0.5'],
      ['ETH', '0.5'],
    ]);
    expect((await exchange.call(wire.fundList)).data.list.map(({ code }) => code)).toEqual(['steep', 'pair']);
    await eventually(async () => {
      const { data } = await exchange.call(wire.fundNav, { id: fund, timer: '5min', size: '10' });
      expect(data.at(-1)).toMatchObject({ open: '100', high: '100', low: '100', close: '100' });
    });
  });

  it('FUND-004 FUND-013 FUND-019 refuses invalid purchases with the limit and the value, and moves nothing', async () => {
    const saver = await createSaver(exchange, { USDT: '1000' });
    const ask = (fields: object) =>
      saver.call(wire.buyFund, { id: fund, margin: '100', leverage: '2', ...PASSWORD, ...fields });
    expect(await ask({ assetsPwd: '000001' })).toMatchObject({ code: -4 });
    expect(await ask({ leverage: '5' })).toMatchObject({
      code: -1,
      errKey: 'l.fund_leverage',
      data: { field: 'leverage', limit: '1, 2, 3', value: '5' },
    });
    expect(await ask({ margin: '9.5' })).toMatchObject({
      code: -7,
      errKey: 'l.amount_min',
      data: { limit: '10', value: '9.5' },
    });
    expect(await ask({ margin: '1000.5' })).toMatchObject({
      code: -6,
      data: { limit: '1000', value: '1000.5' },
    });
    const rich = await createSaver(exchange, { USDT: '600000' });
    const much = { id: fund, margin: '500001', leverage: '2', ...PASSWORD } as const;
    expect(await rich.call(wire.buyFund, much)).toMatchObject({
      code: -10,
      errKey: 'l.fund_not_covered',
      data: { limit: '1000000', value: '1000002' },
    });
    const { fund: module } = exchange.doors;
    await module.funds.publish(fundTerms('stopped', { isOpen: false }), AUTHOR);
    const { list } = (await exchange.call(wire.fundList)).data;
    const stopped = list.find(({ code }) => code === 'stopped')!;
    expect(stopped.status).toBe(2);
    expect(await ask({ id: stopped.id })).toMatchObject({ code: -10, errKey: 'l.fund_closed' });
    expect(await coins(saver)).toBe('1000');
  });

  it('FUND-002 FUND-003 FUND-006 FUND-009 FUND-018 buys at the next value, sells parts at the next value or a limit price', async () => {
    const saver = await createSaver(exchange, { USDT: '1000' });
    const ticket = { id: fund, margin: '100.0005', leverage: '3' } as const;
    expect(await saver.request(wire.previewFund, ticket)).toEqual({
      nav: '100',
      quantity: '3',
      usedMargin: '100',
      notional: '300',
      // The liquidation price is (3 × 100 − 100) / (3 × 0.99). The daily cost is 0.01 % of 300 (0.03) plus 0.05 % of
      // 200 (0.10).
      liqPrice: '67.34006735',
      dailyCost: '0.13',
    });
    const fields = { ...ticket, ...PASSWORD, clientId: 'once' };
    const [bought, repeated] = [
      await saver.request(wire.buyFund, fields),
      await saver.request(wire.buyFund, fields),
    ];
    expect(repeated).toEqual(bought);
    expect(bought.navTime).toBe(Math.floor(bought.acceptTime / 1_000) * 1_000 + 1_000);
    const held = await eventually(async () => {
      const found = await record(saver, bought.orderId);
      expect(found.status).toBe(1);
      return found;
    });
    expect(held.openSecond).toBeGreaterThanOrEqual(bought.navTime);
    expect(held).toMatchObject({
      buyPrice: '100',
      quantity: '3',
      margin: '100',
      liqPrice: '67.34006735',
      profit: '0',
    });
    expect(await coins(saver)).toBe('900');
    expect(await saver.request(overview)).toMatchObject({ fund: '100' });

    const sell = (quantity: string, salePrice?: string) =>
      saver.call(wire.sellFund, {
        id: held.id,
        quantity,
        sellType: salePrice === undefined ? '1' : '2',
        ...(salePrice === undefined ? {} : { salePrice }),
      });
    expect(await sell('0.0005')).toMatchObject({ errKey: 'l.fund_step', data: { limit: '0.001' } });
    expect((await sell('2', '115')).code).toBe(1);
    expect(await sell('1.5')).toMatchObject({ errKey: 'l.fund_free', data: { limit: '1', value: '1.5' } });
    await exchange.setPrice('btcusdt', '60000');
    expect((await sell('1')).code).toBe(1);
    const [sold] = await ended(saver, '2');
    // The payout is a third of the margin of 100 (33.33) plus a profit of 10; no day's costs are charged yet.
    expect(sold).toMatchObject({
      quantity: '1',
      salePrice: '110',
      sellType: 1,
      payout: '43.33333333',
      profit: '10',
    });
    expect(await record(saver, held.id)).toMatchObject({ quantity: '2', free: '0', margin: '66.66666667' });
    await exchange.setPrice('btcusdt', '66000');
    const all = await eventually(async () => {
      const list = await ended(saver, '2');
      expect(list).toHaveLength(2);
      return list;
    });
    expect(all.find(({ id }) => id === held.id)).toMatchObject({
      quantity: '2',
      sellType: 2,
      salePrice: '116',
      payout: '98.66666667',
    });
    expect(await coins(saver)).toBe('1042');
    await expectMessage(saver, /limit sell executed/);
    expect(await sell('1')).toMatchObject({ errKey: 'l.fund_not_holding' });
    await exchange.setPrice('btcusdt', '50000');
  });

  it('FUND-005 FUND-010 charges each day once, and added margin lowers the liquidation price', async () => {
    const saver = await createSaver(exchange, { USDT: '1000' });
    const single = await createHolding(exchange, saver.id, fund, { margin: '100', leverage: 1 });
    const triple = await createHolding(exchange, saver.id, fund, { margin: '100', leverage: 3 });
    await exchange.advanceTime(DAY_MS);
    await saver.request(overview);
    await exchange.advanceTime(DAY_MS);
    const { jobs } = exchange.doors.fund;
    await eventually(async () => {
      await Promise.all([jobs.settle(), jobs.settle()]);
      expect((await record(saver, triple)).cost).toBe('0.26');
    });
    expect(await record(saver, single)).toMatchObject({ cost: '0.02', profit: '-0.02' });
    // The liquidation price after two days' costs of 0.26 is 200.26 / (3 × 0.99).
    expect(await record(saver, triple)).toMatchObject({ liqPrice: '67.42760943', profit: '-0.26' });
    const added = await saver.request(wire.addFundMargin, { id: triple, amount: '50', ...PASSWORD });
    expect(added).toEqual({ margin: '150', liqPrice: '50.5925926' });
    expect(await saver.call(wire.addFundMargin, { id: single, amount: '50', ...PASSWORD })).toMatchObject({
      errKey: 'l.fund_no_borrowing',
    });
    const { sellId } = await saver.request(wire.sellFund, {
      id: triple,
      quantity: '3',
      sellType: '2',
      salePrice: '500',
    });
    expect(await saver.request(wire.cancelFundSell, { id: sellId })).toEqual({ cancelled: 1 });
    expect(await saver.request(wire.cancelFundSell, { id: sellId })).toEqual({ cancelled: 0 });
    await saver.request(wire.sellFund, { id: triple, quantity: '3', sellType: '1' });
    await ended(saver, '2');
  });

  it('FUND-1000 margin plus profit is the equity, per holding and in total; costs are subtracted once', async () => {
    const saver = await createSaver(exchange, { USDT: '1000' });
    const triple = await createHolding(exchange, saver.id, fund, { margin: '100', leverage: 3 });
    const other = await createHolding(exchange, saver.id, steep, { margin: '50', leverage: 1 });
    await exchange.advanceTime(DAY_MS);
    const { jobs } = exchange.doors.fund;
    await eventually(async () => {
      await jobs.settle();
      expect((await record(saver, triple)).cost).toBe('0.13');
      expect((await record(saver, other)).cost).not.toBe('0');
    });
    await exchange.setPrice('btcusdt', '60000');
    const shown = await eventually(async () => {
      const { totals, list } = await saver.request(wire.fundRecords, { status: '1' });
      expect(new Set(list.map(({ marketPrice }) => marketPrice))).toEqual(new Set(['110', '120']));
      return { totals, list };
    });
    const sumOf = (field: 'margin' | 'profit') => sum(shown.list.map((row) => d(row[field])));
    expect(shown.totals.margin).toBe(sumOf('margin').toString());
    expect(shown.totals.profit).toBe(sumOf('profit').toString());
    expect(shown.totals.equity).toBe(sumOf('margin').plus(sumOf('profit')).toString());
    expect((await saver.request(overview)).fund).toBe(shown.totals.equity);
    // Computes profit and equity from the totals per fund, as the screens do; the results equal those of the server.
    const profits = shown.totals.held.map((held) => {
      const [margin, quantity, cost, costs, lost] = [
        held.margin,
        held.quantity,
        held.cost,
        held.costs,
        held.lost,
      ].map(d) as [Decimal, Decimal, Decimal, Decimal, Decimal];
      return heldProfit({ margin, quantity, cost, costs, lost }, d(held.fundId === fund ? '110' : '120'));
    });
    expect(sum(profits).toString()).toBe(shown.totals.profit);
    await exchange.setPrice('btcusdt', '50000');
  });

  it('FUND-690 a sale right after 00:00 UTC is charged the new day', async () => {
    const saver = await createSaver(exchange, { USDT: '1000' });
    const [whole, limited] = [
      await createHolding(exchange, saver.id, fund, { margin: '100', leverage: 3 }),
      await createHolding(exchange, saver.id, fund, { margin: '100', leverage: 3 }),
    ];
    await saver.request(wire.sellFund, { id: limited, quantity: '1', sellType: '2', salePrice: '105' });
    await exchange.advanceTime(startOfDay(exchange.clock.now()) + DAY_MS + 1_000 - exchange.clock.now());
    await saver.request(wire.sellFund, { id: whole, quantity: '3', sellType: '1' });
    const [sold] = await ended(saver, '2');
    expect(sold).toMatchObject({ id: whole, salePrice: '100', cost: '0.13', payout: '99.87' });
    await exchange.setPrice('btcusdt', '56000');
    const all = await eventually(async () => {
      const list = await ended(saver, '2');
      expect(list).toHaveLength(2);
      return list;
    });
    // The sale of one of three units bears a third of the day's cost of 0.13: 0.04333333.
    expect(all.find(({ sellType }) => sellType === 2)).toMatchObject({ quantity: '1', cost: '0.04333333' });
    await exchange.setPrice('btcusdt', '50000');
    await saver.request(wire.sellFund, { id: limited, quantity: '2', sellType: '1' });
    await eventually(async () => expect(await ended(saver, '2')).toHaveLength(3));
  });

  it('FUND-024 an order cannot be cancelled once the value that executes it is known', async () => {
    const saver = await createSaver(exchange, { USDT: '1000' });
    const id = await createHolding(exchange, saver.id, fund, { leverage: 1 });
    const { sellId } = await saver.request(wire.sellFund, {
      id,
      quantity: '1',
      sellType: '2',
      salePrice: '105',
    });
    const offeredAt = exchange.clock.now();
    const blockedConnection = await exchange.database.pool.connect();
    await blockedConnection.query('begin');
    await blockedConnection.query('lock table fund_sell in access exclusive mode');
    try {
      await exchange.setPrice('btcusdt', '60000');
      await eventually(() => {
        const { value, t } = exchange.doors.fund.watch.valueOf(fund)!;
        expect([value?.toString(), t > offeredAt]).toEqual(['110', true]);
      });
      const cancelling = saver.request(wire.cancelFundSell, { id: sellId });
      await new Promise((resolve) => setTimeout(resolve, 200));
      await blockedConnection.query('rollback');
      expect(await cancelling).toEqual({ cancelled: 0 });
    } finally {
      blockedConnection.release();
      await exchange.setPrice('btcusdt', '50000');
    }
    await ended(saver, '2');
  });

  it('FUND-006 FUND-007 FUND-008 FUND-017 FUND-020 MSG-045 warns, liquidates at the first value that requires it, and no user owes anything', async () => {
    const [saver, daring] = [
      await createSaver(exchange, { USDT: '1000' }),
      await createSaver(exchange, { USDT: '100' }),
    ];
    const id = await createHolding(exchange, saver.id, fund, { leverage: 3 });
    const deep = await createHolding(exchange, daring.id, steep, { leverage: 3 });
    await exchange.setPrice('btcusdt', '17600');
    const [gone] = await ended(daring, '3');
    // The margin of 100 is lost, and the equity of the position is below zero. The insurance pool pays the shortfall;
    // the user pays nothing more.
    expect(gone).toMatchObject({ id: deep, salePrice: '35.2', payout: '0', profit: '-100', fee: '0' });
    expect(await coins(daring)).toBe('0');
    const { data: after } = await exchange.call(wire.fundDetail, { id: steep });
    expect(after.insurance).toBe('9905.6');
    await expectMessage(saver, /margin ratio below 1\.5/);
    // After a minimal margin was added, no second mail about the same warning is sent.
    await saver.request(wire.addFundMargin, { id, amount: '0.00000001', ...PASSWORD });
    await exchange.setPrice('btcusdt', '17590');
    await exchange.setPrice('btcusdt', '17400');
    await expectMessage(saver, /margin ratio below 1\.2/);
    expect((await record(saver, id)).marginRatio).toBe('1.088');
    await exchange.setPrice('btcusdt', '17300');
    const [liquidated] = await ended(saver, '3');
    expect(liquidated).toMatchObject({ id, salePrice: '67.3', fee: '1.0095', payout: '0.89050001' });
    await expectMessage(saver, /position liquidated/);
    const mails = await fetch(`${exchange.url}/dev/mail.json?to=${saver.email}`);
    const { list } = (await mails.json()) as { list: readonly { subject: string }[] };
    expect(
      list.filter(({ subject }) => /^\[Amethyst\] .*(?:liquidated|margin ratio)/.test(subject)),
    ).toHaveLength(3);
    // The public proof contains everything that is needed to recompute the liquidation from the index tape.
    const { data: proof } = await exchange.call(wire.fundProof, { id });
    expect(JSON.stringify(proof)).not.toContain(saver.id);
    const [from, to] = [String(proof.openSecond), String(proof.closeSecond)];
    const tapes = await Promise.all(
      proof.constituents.map(async ({ symbol }) => {
        const { data } = await exchange.call(proofTape, { symbol, from, to });
        return [`${symbol}.json`, data] as const;
      }),
    );
    const files = { 'proof.json': proof, ...Object.fromEntries(tapes) };
    expect(runVerifier('fund', files)).toMatchObject({ isValid: true });
    const other = { ...proof, closePrice: '67.4' };
    expect(runVerifier('fund', { ...files, 'proof.json': other }).output).toContain(
      'another value at its end',
    );
    await exchange.setPrice('btcusdt', '50000');
  });

  it('FUND-014 FUND-025 a fall while the server is down liquidates at its own second, read from the tape, and no user can act before it', async () => {
    const saver = await createSaver(exchange, { USDT: '200' });
    const id = await createHolding(exchange, saver.id, fund, { leverage: 3 });
    await exchange.doors.fund.watch.stop();
    await exchange.setPrice('btcusdt', '17250');
    await exchange.setPrice('btcusdt', '50000');
    expect((await record(saver, id)).status).toBe(1);
    // After the start of the watch, which applies the unit values to positions, adding margin and cancelling sell
    // orders is refused until the first unit value is published.
    await exchange.doors.fund.watch.start();
    const early = { code: -10, errKey: 'l.fund_no_value' };
    const more = { id, amount: '50', ...PASSWORD };
    expect(await saver.call(wire.addFundMargin, more)).toMatchObject(early);
    expect(await saver.call(wire.cancelFundSell, { id })).toMatchObject(early);
    await exchange.restart();
    const [found] = await ended(saver, '3');
    expect(found).toMatchObject({ id, salePrice: '67.25' });
  });

  it('FUND-691 a missed value is judged after the days before it are charged', async () => {
    const saver = await createSaver(exchange, { USDT: '1000' });
    const id = await createHolding(exchange, saver.id, fund, { margin: '100', leverage: 3 });
    await exchange.doors.fund.watch.stop();
    await exchange.advanceTime(startOfDay(exchange.clock.now()) + DAY_MS + 60_000 - exchange.clock.now());
    // The daily cost of 0.13 raises the liquidation price from 67.34 to 67.38, so a unit value of 67.36
    // liquidates the position only if the cost is charged first.
    await exchange.setPrice('btcusdt', '17360');
    await exchange.setPrice('btcusdt', '50000');
    await exchange.doors.fund.watch.start();
    const [found] = await ended(saver, '3');
    expect(found).toMatchObject({ id, salePrice: '67.36', cost: '0.13' });
  });

  it('FUND-011 FUND-012 FUND-015 FIN-034 a closed fund ends every position; open positions keep their terms and basket', async () => {
    const saver = await createSaver(exchange, { USDT: '500' });
    const { funds, jobs } = exchange.doors.fund;
    await expect(funds.publish(fundTerms('pair', { divisor: d('200') }), AUTHOR)).rejects.toThrow(
      'l.fund_basket_fixed',
    );
    expect(await funds.publish(fundTerms('pair'), AUTHOR)).toMatchObject({ version: 1 });
    const id = await createHolding(exchange, saver.id, fund, { leverage: 2 });
    expect(await funds.publish(fundTerms('pair', { mmr: d('0.02') }), AUTHOR)).toMatchObject({ version: 2 });
    expect((await record(saver, id)).mmr).toBe('0.01');
    const shown = { id: fund, margin: '50', leverage: '1', version: '1', ...PASSWORD };
    expect(await saver.call(wire.buyFund, shown)).toMatchObject({
      errKey: 'l.terms_changed',
      data: { limit: '2', value: '1' },
    });
    // For more than a minute no unit value is processed, so the purchase is refunded.
    await exchange.doors.fund.watch.stop();
    const { orderId } = await saver.request(wire.buyFund, {
      id: steep,
      margin: '50',
      leverage: '1',
      ...PASSWORD,
    });
    expect(await record(saver, orderId)).toMatchObject({ status: 0, quantity: '0' });
    await exchange.advanceTime(61_000);
    await jobs.settle();
    expect(await coins(saver)).toBe('400');
    await expectMessage(saver, /purchase canceled/);
    await exchange.doors.fund.watch.start();
    await funds.close('pair', AUTHOR);
    const [exited] = await ended(saver, '4');
    expect(exited).toMatchObject({ id, salePrice: '100', payout: '100' });
    expect(await coins(saver)).toBe('500');
    await expectMessage(saver, /was closed/);
    const chinese = { headers: { 'accept-language': 'zh-CN' } };
    const { data: inbox } = await saver.call(messagePage, { pageSize: '50' }, chinese);
    expect(inbox.list.map(({ title }) => title).filter((title) => title.startsWith('基金 pair'))).not.toEqual(
      [],
    );
    expect((await exchange.call(wire.fundDetail, { id: fund })).data.status).toBe(3);
  });

  it('FUND-980 a request returns one of the user’s holdings; another user’s is not found', async () => {
    const owner = await createSaver(exchange, { USDT: '1000' });
    const id = await createHolding(exchange, owner.id, await createFund(exchange, 'by-id'), { leverage: 3 });
    const { list } = await owner.request(wire.fundRecords);
    expect(await owner.request(wire.fundRecordDetail, { id })).toEqual(list[0]);
    const other = await createSaver(exchange, { USDT: '1000' });
    expect(await other.call(wire.fundRecordDetail, { id })).toMatchObject({ errKey: 'l.not_found' });
  });

  it('FUND-840 with 250 other funds a fund has its value, shows its records and is liquidated', async () => {
    const { funds } = exchange.doors.fund;
    const first = await createFund(exchange, 'many-0');
    await sql`insert into fund_product
      select (jsonb_populate_record(f, jsonb_build_object('id', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'),
        'code', 'many-' || n, 'open_notional', 0))).*
      from fund_product f, generate_series(1, 250) n where f.id = ${first}`.execute(
      exchange.doors.database.store,
    );
    const { id: owner } = await exchange.aUser({ USDT: '1000' });
    const fund = await createFund(exchange, 'behind');
    const id = await createHolding(exchange, owner, fund, { leverage: 3 });
    await exchange.setPrice('btcusdt', '30000');
    await exchange.setPrice('ethusdt', '1500');
    await eventually(async () => {
      const { list } = await funds.positions(owner, 'liquidated', { pageNo: 1, pageSize: 10 });
      expect(list.map(({ position }) => position.id)).toEqual([id]);
    });
    const {
      list: [seen],
    } = await exchange.call(wire.fundList, { pageSize: '10' }).then(({ data }) => data);
    expect(seen?.id).toBe(fund);
    const rest = sql`insert into fund_product
      select (jsonb_populate_record(f, jsonb_build_object('id', gen_random_uuid(), 'code', 'more-' || n,
        'open_notional', 0))).*
      from fund_product f, generate_series(1, 800) n where f.id = ${first}`;
    await rest.execute(exchange.doors.database.store);
    await expect(createFund(exchange, 'one-more')).rejects.toThrow('1000');
  });
});
