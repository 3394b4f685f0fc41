import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later, MINUTE_MS, startOfDay } from '@exchange/core/time.ts';
import { overview } from '@exchange/wire/account.ts';
import { messagePage } from '@exchange/wire/message.ts';
import {
  buyMining,
  miningDetail,
  miningIncome,
  miningOrders,
  miningProducts,
  redeemMining,
} from '@exchange/wire/mining.ts';
import { agreement } from '@exchange/wire/parameter.ts';
import { spotAssets, spotMovements } from '@exchange/wire/spot.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { createSaver, purchase } from '../finance/testing/products.ts';
import { createMiningProduct, listedMiningProduct, terms } from './testing/products.ts';

const d = (text: string): Decimal => Decimal.parse(text);

describe('mining', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const settle = () => exchange.doors.mining.jobs.settle();
  const passTo = (until: number) => exchange.advanceTime(until - exchange.clock.now());
  /**
   * Advances the clock by `days`, an even number, without running the income job; a request every two days
   * keeps the session open.
   */
  async function sleep(trader: TestTrader, days: number): Promise<void> {
    for (let day = 0; day < days; day += 2) {
      await exchange.advanceTime(2 * DAY_MS);
      await trader.request(overview);
    }
  }
  async function coins(trader: TestTrader, coin = 'USDT'): Promise<string> {
    return (await trader.request(spotAssets, { currency: coin })).list[0]!.availableCurrency;
  }
  async function order(trader: TestTrader, id: string) {
    return (await trader.request(miningOrders)).list.find((candidate) => candidate.id === id)!;
  }

  it('MIN-007 MIN-009 MIN-017 a purchase locks the amount once, at once, and returns its income schedule', async () => {
    const id = await createMiningProduct(exchange, 'locks', { cycle: 2 });
    const { data } = await exchange.call(miningProducts, { currency: 'USDT', pageSize: '100' });
    expect(data.list.find((product) => product.id === id)).toMatchObject({
      cycle: 2,
      dailyRate: '0.001',
      apr: '0.365',
      minAmount: '100',
      maxAmount: '1000',
      feedType: 0,
      limit: '100000',
      remaining: '100000',
      status: 1,
      selling: 1,
      source: 'The house.',
    });
    const startTime = startOfDay(later(exchange.clock.now(), DAY_MS));
    const { schedule } = (await exchange.call(miningDetail, { id, amount: '400' })).data;
    expect(schedule).toMatchObject({ startTime, dailyIncome: '0.4', totalIncome: '0.8' });
    expect(schedule.credits.map(({ time }) => time - startTime)).toEqual([
      DAY_MS + 10 * MINUTE_MS,
      2 * DAY_MS + 10 * MINUTE_MS,
    ]);
    const trader = await createSaver(exchange, { USDT: '1000' });
    const fields = { ...purchase(id, '400'), clientId: 'mine' };
    const answers = await Promise.all(Array.from({ length: 3 }, () => trader.request(buyMining, fields)));
    const [bought] = answers;
    expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1);
    expect(bought).toMatchObject({ startTime, endTime: startTime + 2 * DAY_MS, expectProfit: '0.8' });
    expect(await coins(trader)).toBe('600');
    expect(await trader.request(overview)).toMatchObject({ total: '1000', coin: '600', pool: '400' });
    expect(await order(trader, bought!.orderId)).toMatchObject({
      name: 'Mining locks',
      amount: '400',
      income: '0',
      totalIncome: '0.8',
      redeemAmount: '0',
      status: 1,
      surplusDays: 2,
      nextPayTime: startTime + DAY_MS + 10 * MINUTE_MS,
    });
    expect(await listedMiningProduct(trader, id)).toMatchObject({ remaining: '99600', userRemaining: '600' });
  });

  it('MIN-004 MIN-005 MIN-008 every exceeded limit is refused with its field, the limit and the given value', async () => {
    const now = exchange.clock.now();
    const id = await createMiningProduct(exchange, 'limits', { capacity: d('1500') });
    const soon = await createMiningProduct(exchange, 'limits-soon', { opensAt: later(now, DAY_MS) });
    const ended = await createMiningProduct(exchange, 'limits-ended', { closesAt: now });
    const trader = await createSaver(exchange, { USDT: '2000' });
    const refused = async (fields: Parameters<typeof trader.call<typeof buyMining>>[1]) => {
      const { errKey, data } = await trader.call(buyMining, fields);
      return { errKey, ...(data as object) };
    };
    expect(await refused(purchase(id, '99'))).toMatchObject({
      errKey: 'l.amount_min',
      limit: '100',
      value: '99',
    });
    expect(await refused(purchase(id, '1000.5'))).toMatchObject({
      errKey: 'l.finance_user_max',
      limit: '1000',
      value: '1000.5',
    });
    expect(await refused(purchase(soon, '100'))).toMatchObject({ errKey: 'l.finance_soon' });
    expect(await refused(purchase(ended, '100'))).toMatchObject({ errKey: 'l.finance_ended' });
    expect(await refused({ ...purchase(id, '100'), agreementVersion: '0' })).toMatchObject({
      errKey: 'l.finance_agreement',
      limit: AGREEMENT_VERSIONS.mining,
      value: '0',
    });
    expect((await exchange.call(agreement, { name: 'mining', language: 'zh-CN' })).data.text).toContain(
      '赎回',
    );
    await trader.request(buyMining, purchase(id, '1000'));
    const second = await createSaver(exchange, { USDT: '450' });
    await second.request(buyMining, purchase(id, '450'));
    expect(await second.call(buyMining, purchase(id, '100'))).toMatchObject({
      errKey: 'l.finance_sold_out',
    });
    await exchange.doors.identity.restrict(trader.id, { mayPurchase: false, reason: 'test' });
    expect(await refused(purchase(id, '100'))).toMatchObject({ errKey: 'l.purchase_not_permitted' });
  });

  it('MIN-010 of 60 concurrent purchases a capacity for n sells exactly n', async () => {
    const id = await createMiningProduct(exchange, 'crowd', { capacity: d('1700'), maxAmount: d('10000') });
    const crowd = await Promise.all(Array.from({ length: 3 }, () => exchange.aUser({ USDT: '100000' })));
    const { mining } = exchange.doors.mining;
    const purchaseOfAll = {
      product: id,
      amount: d('100'),
      agreed: true,
      agreementVersion: AGREEMENT_VERSIONS.mining,
    };
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, (_, at) => mining.buy(crowd[at % 3]!.id, purchaseOfAll)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(17);
    expect(await listedMiningProduct(crowd[0]!, id)).toMatchObject({ remaining: '0', status: 2 });
  });

  it('MIN-011 MIN-012 MIN-013 a day is credited once at 00:10; after the cycle the amount is redeemed once', async () => {
    const id = await createMiningProduct(exchange, 'cycles', { cycle: 3 });
    const [trader, other] = [await createSaver(exchange, { USDT: '1000' }), await exchange.aUser()];
    const { orderId, startTime, endTime } = await trader.request(buyMining, purchase(id, '1000'));
    await passTo(startTime + DAY_MS + 9 * MINUTE_MS);
    await settle();
    expect(await coins(trader)).toBe('0');
    await exchange.advanceTime(2 * MINUTE_MS);
    await Promise.all([settle(), settle()]);
    await settle();
    expect(await coins(trader)).toBe('1');
    expect(await trader.call(redeemMining, { id: orderId })).toMatchObject({ errKey: 'l.mining_not_ended' });
    expect(await other.call(redeemMining, { id: orderId })).toMatchObject({ errKey: 'l.not_found' });
    // The income job runs again only after the end of the cycle. The principal can be redeemed at once; the
    // income of the missed days is credited later.
    await passTo(endTime + MINUTE_MS);
    await trader.request(overview);
    expect(await order(trader, orderId)).toMatchObject({ status: 2, redeemAmount: '1000', surplusDays: 0 });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => trader.request(redeemMining, { id: orderId })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await coins(trader)).toBe('1001');
    await exchange.advanceTime(20 * MINUTE_MS);
    await settle();
    expect(await coins(trader)).toBe('1003');
    await sleep(trader, 4);
    await settle();
    expect(await coins(trader)).toBe('1003');
    expect(await order(trader, orderId)).toMatchObject({ status: 3, income: '3', redeemAmount: '0' });
    expect((await trader.request(miningOrders, { status: '2' })).sum).toBe(0);
    expect((await trader.request(miningOrders, { status: '3' })).sum).toBe(1);
    const { list } = await trader.request(miningIncome, { orderId });
    expect(list.map(({ day, amount, cumulative }) => `${day} ${amount} ${cumulative}`)).toEqual([
      '3 1 3',
      '2 1 2',
      '1 1 1',
    ]);
    expect(list.at(-1)).toMatchObject({ date: startTime, principal: '1000', rate: '0.001' });
    expect(await listedMiningProduct(trader, id)).toMatchObject({
      userRemaining: '1000',
      remaining: '99000',
    });
    const titles = (await trader.request(messagePage, { pageSize: '50' })).list.map(({ title }) => title);
    expect(titles.filter((title) => title.includes('Mining order placed')).length).toBe(1);
    expect(titles.filter((title) => title.includes('Mining income received')).length).toBe(0);
    expect(titles.filter((title) => title.includes('Mining order redeemed')).length).toBe(1);
    await exchange.doors.movements.catchUp();
    const kinds = (await trader.request(spotMovements, { pageSize: '50' })).list.map(({ type }) => type);
    expect(kinds.filter((kind) => kind === 'mining.paid').length).toBe(3);
    expect(kinds.filter((kind) => kind === 'mining.redeemed').length).toBe(1);
  });

  it('MIN-012 MIN-013 MIN-014 an order whose cycle has ended waits without limit, and its owner gets one message', async () => {
    const id = await createMiningProduct(exchange, 'waits', { cycle: 1 });
    const trader = await createSaver(exchange, { USDT: '100' });
    const { orderId } = await trader.request(buyMining, purchase(id, '100'));
    await exchange.doors.identity.restrict(trader.id, { mayPurchase: false, reason: 'test' });
    await sleep(trader, 20);
    await settle();
    await settle();
    const titles = (await trader.request(messagePage, { pageSize: '50' })).list.map(({ title }) => title);
    expect(titles.filter((title) => title.includes('ready to redeem')).length).toBe(1);
    expect(await trader.request(redeemMining, { id: orderId })).toMatchObject({ amount: '100' });
    expect(await coins(trader)).toBe('100.1');
  });

  it('MIN-015 orders that the income account cannot cover for seven days are not sold, and income it cannot pay waits', async () => {
    const id = await createMiningProduct(
      exchange,
      'covered',
      { asset: 'LTC', cycle: 10, capacity: d('10000') },
      '7',
    );
    const trader = await createSaver(exchange, { LTC: '3000' });
    const { orderId } = await trader.request(buyMining, purchase(id, '1000'));
    expect(await listedMiningProduct(trader, id)).toMatchObject({ selling: 0 });
    const second = await createSaver(exchange, { LTC: '3000' });
    expect(await second.call(buyMining, purchase(id, '100'))).toMatchObject({
      errKey: 'l.finance_not_selling',
    });
    await sleep(trader, 12);
    await settle();
    expect(await order(trader, orderId)).toMatchObject({ status: 2, income: '7' });
    expect(await exchange.doors.mining.health()).toMatchObject({ isUp: false });
    // The principal is paid back from the owner's locked balance, so it does not depend on the balance of the income
    // account.
    expect(await trader.request(redeemMining, { id: orderId })).toMatchObject({ amount: '1000' });
    await exchange.doors.mining.mining.fund('LTC', d('10'), 'demo');
    await settle();
    expect(await order(trader, orderId)).toMatchObject({ status: 3, income: '10' });
    expect(await exchange.doors.mining.health()).toMatchObject({ isUp: true });
  });

  it('MIN-016 FIN-034 a new version of a product leaves running orders as they are', async () => {
    const id = await createMiningProduct(exchange, 'versions');
    const trader = await createSaver(exchange, { USDT: '3000' });
    const { orderId } = await trader.request(buyMining, purchase(id, '1000'));
    const author = { by: 'test', reason: 'a lower rate' };
    const { mining } = exchange.doors.mining;
    const next = terms(exchange, 'versions', { dailyRate: d('0.0005'), cycle: 3, maxAmount: d('1500') });
    expect(await mining.publish(next, author)).toMatchObject({ id, version: 2 });
    expect(await mining.publish(next, author)).toMatchObject({ id, version: 2 });
    expect(await order(trader, orderId)).toMatchObject({ dailyRate: '0.001', cycle: 7, totalIncome: '7' });
    expect(await listedMiningProduct(trader, id)).toMatchObject({
      dailyRate: '0.0005',
      userRemaining: '500',
    });
    const buyWithVersion = (version: string) => trader.call(buyMining, { ...purchase(id, '100'), version });
    expect(await buyWithVersion('1')).toMatchObject({
      errKey: 'l.terms_changed',
      data: { limit: '2', value: '1' },
    });
    expect(await buyWithVersion('2')).toMatchObject({ code: 1 });
    await expect(mining.publish({ ...next, capacity: d('999') }, author)).rejects.toThrow(
      'l.finance_sold_below',
    );
    expect((await exchange.audit()).problems).toEqual([]);
  });

  it('MIN-980 with 1,998 products the newest is listed and its orders are shown, and of two concurrent publications one is accepted', async () => {
    const { database } = exchange.doors;
    const oldest = await createMiningProduct(exchange, 'many-0');
    const copies = async (code: string, count: string) =>
      sql`insert into mining_product
        select (jsonb_populate_record(p, jsonb_build_object('code', ${code} || n,
          'id', '00000000-0000-7000-8000-' || left(md5(${code} || n), 12)))).*
        from mining_product p, generate_series(1, ${sql.raw(count)}) n where p.id = ${oldest}`.execute(
        database.store,
      );
    await copies('many-', '600');
    const newest = await createMiningProduct(exchange, 'many-newest');
    const trader = await createSaver(exchange, { USDT: '1000' });
    const { orderId } = await trader.request(buyMining, purchase(newest, '100'));
    const first = (await trader.request(miningProducts, { pageSize: '100' })).list;
    expect(first.map(({ id }) => id)).toContain(newest);
    const { list } = await trader.request(miningOrders);
    expect(list[0]).toMatchObject({ id: orderId, productId: newest });
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from mining_product`.execute(
      database.store,
    );
    await copies('more-', String(1_999 - Number(rows[0]!.count)));
    const published = await Promise.allSettled(
      ['last', 'one-more'].map((code) => createMiningProduct(exchange, code)),
    );
    expect(published.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [refused] = published.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    expect(refused).toContain('2000');
  });
});
