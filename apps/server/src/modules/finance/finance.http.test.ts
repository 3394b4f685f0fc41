import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later, startOfDay } from '@exchange/core/time.ts';
import { overview } from '@exchange/wire/account.ts';
import {
  buyFinance,
  financeDetail,
  financeIncome,
  financeOrderDetail,
  financeOrders,
  financeProducts,
  withdrawFinance,
} from '@exchange/wire/finance.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { spotAssets, spotMovements } from '@exchange/wire/spot.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../../testing/eventually.ts';
import { poisonRows } from '../../../testing/poison.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate, operateAs } from '../../../testing/operators.ts';
import { limit, place } from '../spot/testing/orders.ts';
import { createProduct, createSaver, purchase, listedProduct, terms } from './testing/products.ts';

const d = (text: string): Decimal => Decimal.parse(text);

describe('fixed-term finance', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const settle = () => exchange.doors.finance.jobs.settle();
  /**
   * Advances the clock by an even number of days without running the interest job; requests in between keep the session
   * alive.
   */
  async function sleep(saver: TestTrader, days: number): Promise<void> {
    for (let day = 0; day < days; day += 2) {
      await exchange.advanceTime(2 * DAY_MS);
      await saver.request(overview);
    }
  }
  async function coins(saver: TestTrader, coin = 'USDT'): Promise<string> {
    const { list } = await saver.request(spotAssets, { currency: coin });
    return list[0]!.availableCurrency;
  }
  async function order(saver: TestTrader, id: string) {
    const { list } = await saver.request(financeOrders);
    return list.find((candidate) => candidate.id === id)!;
  }

  it('FIN-007 a purchase locks the principal at once and returns when and how much it earns', async () => {
    const id = await createProduct(exchange, 'locks');
    const saver = await createSaver(exchange, { USDT: '1000' });
    const bought = await saver.request(buyFinance, purchase(id, '400'));
    const startTime = startOfDay(later(exchange.clock.now(), DAY_MS));
    expect(bought).toMatchObject({ startTime, endTime: startTime + 7 * DAY_MS, expectProfit: '2.8' });
    expect(await coins(saver)).toBe('600');
    expect(await saver.request(overview)).toMatchObject({ total: '1000', coin: '600', finance: '400' });
    expect(await order(saver, bought.orderId)).toMatchObject({
      name: 'Fixed locks',
      amount: '400',
      profit: '0',
      totalProfit: '2.8',
      status: 1,
      withdrawable: 0,
    });
    expect(await listedProduct(saver, id)).toMatchObject({
      remaining: '99600',
      userRemaining: '600',
      status: 1,
    });
  });

  it('FIN-004 FIN-005 FIN-008 every exceeded limit is refused with its field, the limit and the given value', async () => {
    const now = exchange.clock.now();
    const id = await createProduct(exchange, 'limits', { capacity: d('1500') });
    const soon = await createProduct(exchange, 'limits-soon', { opensAt: later(now, DAY_MS) });
    const ended = await createProduct(exchange, 'limits-ended', { closesAt: now });
    const [saver, other] = [
      await createSaver(exchange, { USDT: '900' }),
      await createSaver(exchange, { USDT: '2000' }),
    ];
    const refused = async (user: TestTrader, fields: Parameters<typeof user.call<typeof buyFinance>>[1]) => {
      const { code, errKey, data } = await user.call(buyFinance, fields);
      return { code, errKey, ...(data as object) };
    };
    expect(await refused(saver, purchase(id, '99'))).toMatchObject({
      errKey: 'l.amount_min',
      limit: '100',
      value: '99',
    });
    expect(await refused(saver, purchase(id, '1000.5'))).toMatchObject({
      errKey: 'l.finance_user_max',
      limit: '1000',
      value: '1000.5',
    });
    expect(await refused(saver, purchase(id, '900.5'))).toMatchObject({
      errKey: 'l.insufficient_balance',
      limit: '900',
      value: '900.5',
    });
    await other.request(buyFinance, purchase(id, '1000'));
    expect(await refused(other, purchase(id, '100'))).toMatchObject({
      errKey: 'l.finance_user_max',
      limit: '0',
    });
    expect(await refused(saver, purchase(id, '600'))).toMatchObject({
      errKey: 'l.finance_product_max',
      limit: '500',
      value: '600',
    });
    await saver.request(buyFinance, purchase(id, '450'));
    expect(await refused(saver, purchase(id, '100'))).toMatchObject({
      errKey: 'l.finance_sold_out',
      limit: '100',
      value: '50',
    });
    expect(await refused(saver, purchase(soon, '100'))).toMatchObject({ errKey: 'l.finance_soon' });
    expect(await refused(saver, purchase(ended, '100'))).toMatchObject({ errKey: 'l.finance_ended' });
    expect(await refused(saver, { ...purchase(id, '100'), agreementVersion: '0' })).toMatchObject({
      errKey: 'l.finance_agreement',
      limit: AGREEMENT_VERSIONS.finance,
      value: '0',
    });
    expect(await refused(saver, { ...purchase(id, '100'), agree: '0' })).toMatchObject({
      errKey: 'l.finance_agreement',
    });
    const { rows } = await exchange.database.pool.query(
      'select version from finance_agreement where owner = any($1)',
      [[saver.id, other.id]],
    );
    expect(rows).toEqual([{ version: AGREEMENT_VERSIONS.finance }, { version: AGREEMENT_VERSIONS.finance }]);
    await exchange.doors.identity.restrict(saver.id, { mayPurchase: false, reason: 'test' });
    expect(await refused(saver, purchase(id, '100'))).toMatchObject({ errKey: 'l.purchase_not_permitted' });
  });

  it("OPS-1141 a user's page counts open orders and positions of every product", async () => {
    const saver = await createSaver(exchange, { USDT: '1000', BTC: '1' });
    await saver.request(buyFinance, purchase(await createProduct(exchange, 'counted'), '100'));
    await saver.request(buyFinance, purchase(await createProduct(exchange, 'counted2'), '100'));
    await place(saver, limit('sell', '60000', '0.1'));
    const answer = await operate(exchange, `/ops/users/${saver.id}/open`);
    expect(await answer.json()).toEqual({
      open: [
        { product: 'Spot orders', open: 1 },
        { product: 'Seconds positions', open: 0 },
        { product: 'Finance orders', open: 2 },
        { product: 'Mining orders', open: 0 },
        { product: 'Fund positions', open: 0 },
        { product: 'Fund purchases under way', open: 0 },
        { product: 'Commitments to projects on sale', open: 0 },
      ],
    });
  });

  it('FIN-009 a repeated request id buys once', async () => {
    const id = await createProduct(exchange, 'once');
    const saver = await createSaver(exchange, { USDT: '1000' });
    const fields = { ...purchase(id, '100'), clientId: 'mine' };
    const answers = await Promise.all(Array.from({ length: 3 }, () => saver.request(buyFinance, fields)));
    expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1);
    expect(await coins(saver)).toBe('900');
  });

  it('FIN-010 of 200 concurrent purchases a capacity for n sells exactly n', async () => {
    const id = await createProduct(exchange, 'crowd', { capacity: d('3700'), maxAmount: d('10000') });
    const crowd = await Promise.all(Array.from({ length: 4 }, () => exchange.aUser({ USDT: '100000' })));
    // The test calls the service directly, because the HTTP endpoint limits attempts at the trade password.
    const { finance } = exchange.doors.finance;
    const purchaseOfAll = {
      product: id,
      amount: d('100'),
      agreed: true,
      agreementVersion: AGREEMENT_VERSIONS.finance,
    };
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, at) => finance.buy(crowd[at % 4]!.id, purchaseOfAll)),
    );
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [String(answer.reason)] : [],
    );
    expect(refused.length).toBe(163);
    expect(refused.every((reason) => reason.includes('l.finance_sold_out'))).toBe(true);
    expect(await listedProduct(crowd[0]!, id)).toMatchObject({ remaining: '0', status: 2 });
  });

  it('FIN-011 FIN-012 FIN-013 each day is credited once, and a matured order is paid out automatically', async () => {
    const once = await createProduct(exchange, 'matures');
    const daily = await createProduct(exchange, 'daily', { payMode: 'daily', period: 3 });
    const saver = await createSaver(exchange, { USDT: '2000' });
    const first = await saver.request(buyFinance, purchase(once, '1000'));
    const second = await saver.request(buyFinance, purchase(daily, '1000'));
    await exchange.advanceTime(first.startTime + 1_000 - exchange.clock.now());
    await settle();
    expect(await coins(saver)).toBe('0');
    await exchange.advanceTime(DAY_MS);
    await Promise.all([settle(), settle()]);
    await settle();
    expect(await coins(saver)).toBe('1');
    expect(await order(saver, first.orderId)).toMatchObject({ profit: '1', paidProfit: '0', surplusDays: 6 });
    expect(await order(saver, second.orderId)).toMatchObject({ profit: '1', paidProfit: '1' });
    // The interest job does not run for ten days. It then credits every missed day, but none after the maturity of the
    // order.
    await sleep(saver, 10);
    await settle();
    expect(await coins(saver)).toBe('2010');
    expect(await order(saver, first.orderId)).toMatchObject({ profit: '7', paidProfit: '7', status: 2 });
    expect(await order(saver, second.orderId)).toMatchObject({ profit: '3', status: 2, surplusDays: 0 });
    const { list, totalRow } = await saver.request(financeIncome, { orderId: first.orderId, pageSize: '20' });
    expect(totalRow).toBe(7);
    expect(list.map(({ day, cumulative }) => `${day} ${cumulative}`)).toEqual(
      [7, 6, 5, 4, 3, 2, 1].map((day) => `${day} ${day}`),
    );
    expect(list.at(-1)).toMatchObject({ date: first.startTime, principal: '1000', rate: '0.001', paid: 0 });
    expect(await listedProduct(saver, once)).toMatchObject({ userRemaining: '1000', remaining: '99000' });
    const titles = (await saver.request(messagePage, { pageSize: '50' })).list.map(({ title }) => title);
    expect(titles.filter((title) => title.includes('placed')).length).toBe(2);
    expect(titles.filter((title) => title.includes('Interest received')).length).toBe(0);
    expect(titles.filter((title) => title.includes('matured')).length).toBe(2);
    await exchange.doors.movements.catchUp();
    const { list: moved } = await saver.request(spotMovements, { pageSize: '50' });
    expect(new Set(moved.map(({ currency }) => currency))).toEqual(new Set(['USDT']));
    expect(moved.filter(({ type }) => type === 'finance.paid').map(({ amount }) => amount)).toEqual(
      expect.arrayContaining(['7', '1', '1', '1']),
    );
    expect(moved.filter(({ type }) => type === 'finance.matured').length).toBe(2);
  });

  it('FIN-011 one run credits all missed days of orders that are behind by different numbers of days', async () => {
    await createProduct(exchange, 'behind', { period: 30 });
    const saver = await exchange.aUser({ USDT: '1000' });
    const { finance } = exchange.doors.finance;
    for (const days of [20, 5, 12]) {
      const since = later(exchange.clock.now(), -days * DAY_MS);
      await finance.buyForSystem(saver.id, 'behind', d('100'), { origin: `behind:${days}`, since });
    }
    await settle();
    const { list } = await saver.request(financeOrders);
    expect(list.map(({ profit }) => profit).toSorted()).toEqual(['0.4', '1.1', '1.9']);
  });

  it('FIN-014 there is no early exit; a manual order waits for its owner and is paid once', async () => {
    const id = await createProduct(exchange, 'manual', { isManual: true, period: 2 });
    const [saver, other] = [await createSaver(exchange, { USDT: '1000' }), await exchange.aUser()];
    const { orderId, endTime } = await saver.request(buyFinance, purchase(id, '1000'));
    await exchange.advanceTime(endTime - DAY_MS / 2 - exchange.clock.now());
    expect(await saver.call(withdrawFinance, { id: orderId })).toMatchObject({
      errKey: 'l.finance_not_matured',
    });
    expect(await other.call(withdrawFinance, { id: orderId })).toMatchObject({ errKey: 'l.not_found' });
    await exchange.advanceTime(DAY_MS);
    expect(await order(saver, orderId)).toMatchObject({ withdrawable: 1, profit: '0' });
    // The interest job has not run, so the withdrawal itself credits the missing days.
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => saver.request(withdrawFinance, { id: orderId })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ amount: '1000', profit: '2' })]),
    );
    await settle();
    expect(await coins(saver)).toBe('1002');
  });

  it('FIN-015 FIN-690 FIN-691 principal is paid at maturity; interest that cannot be paid is owed, shown, and paid once funded', async () => {
    const id = await createProduct(
      exchange,
      'covered',
      { asset: 'LTC', period: 10, capacity: d('10000') },
      '7',
    );
    const saver = await createSaver(exchange, { LTC: '3000' });
    const { orderId } = await saver.request(buyFinance, purchase(id, '900'));
    expect(await listedProduct(saver, id)).toMatchObject({ selling: 1 });
    const later2 = await createSaver(exchange, { LTC: '3000' });
    expect(await later2.call(buyFinance, purchase(id, '101'))).toMatchObject({
      errKey: 'l.finance_not_selling',
    });
    await later2.request(buyFinance, purchase(id, '100'));
    expect(await listedProduct(saver, id)).toMatchObject({ selling: 0, status: 1 });
    await sleep(saver, 12);
    await settle();
    const balance = async (user: TestTrader) =>
      (await user.request(spotAssets, { currency: 'LTC' })).list[0]!.availableCurrency;
    expect(await order(saver, orderId)).toMatchObject({
      status: 2,
      profit: '6.3',
      paidProfit: '6.3',
      owedProfit: '2.7',
      totalProfit: '9',
    });
    expect(await balance(saver)).toBe('3006.3');
    expect(await exchange.doors.finance.health()).toMatchObject({ isUp: false });
    expect(await saver.request(withdrawFinance, { id: orderId })).toEqual({ amount: '900', profit: '6.3' });
    expect((await exchange.audit()).problems).toEqual([]);
    await exchange.doors.finance.finance.fund('LTC', d('10'), 'demo');
    await settle();
    await settle();
    expect(await order(saver, orderId)).toMatchObject({ status: 2, profit: '9', owedProfit: '0' });
    expect(await balance(saver)).toBe('3009');
    expect(await exchange.doors.finance.health()).toMatchObject({ isUp: true });
  });

  it('FIN-690 FIN-691 a daily and a manual order return their principal too, and owed interest is paid before other interest', async () => {
    const daily = await createProduct(
      exchange,
      'owed-daily',
      { asset: 'DOGE', period: 8, payMode: 'daily', capacity: d('100000') },
      '7',
    );
    const manual = await createProduct(
      exchange,
      'owed-manual',
      { asset: 'DOGE', period: 8, isManual: true },
      '14',
    );
    const running = await createProduct(exchange, 'owed-running', { asset: 'DOGE', period: 60 }, '21');
    const saver = await createSaver(exchange, { DOGE: '3000' });
    const [first, second, third] = [
      await saver.request(buyFinance, purchase(daily, '1000')),
      await saver.request(buyFinance, purchase(manual, '1000')),
      await saver.request(buyFinance, purchase(running, '1000')),
    ];
    await sleep(saver, 12);
    await settle();
    const owed = async (id: string) => (await order(saver, id)).owedProfit;
    expect(await order(saver, first.orderId)).toMatchObject({ status: 2, owedProfit: '1' });
    expect(await saver.request(withdrawFinance, { id: second.orderId })).toMatchObject({ amount: '1000' });
    expect(await owed(second.orderId)).toBe('1');
    await exchange.doors.finance.finance.fund('DOGE', d('2'), 'demo');
    const before = (await order(saver, third.orderId)).profit;
    await settle();
    expect([await owed(first.orderId), await owed(second.orderId)]).toEqual(['0', '0']);
    expect((await order(saver, third.orderId)).profit).toBe(before);
    expect((await exchange.audit()).problems).toEqual([]);
  });

  it('JOB-692 a failing order does not block the orders after it, and is paid once it is repaired', async () => {
    const id = await createProduct(exchange, 'poisoned', { period: 1, payMode: 'daily' });
    const saver = await createSaver(exchange, { USDT: '3000' });
    const [bad, good] = [
      await saver.request(buyFinance, purchase(id, '100')),
      await saver.request(buyFinance, purchase(id, '200')),
    ];
    const mend = await poisonRows(exchange, 'finance_order', 'update', `old.id = '${bad.orderId}'`);
    await exchange.advanceTime(good.endTime + 60_000 - exchange.clock.now());
    await eventually(async () => {
      await settle();
      expect(await order(saver, good.orderId)).toMatchObject({ status: 2, profit: '0.2' });
    });
    expect(await order(saver, bad.orderId)).toMatchObject({ status: 1 });
    const { bulkheads } = exchange.doors;
    expect(bulkheads.failing().map(({ key }) => key)).toContain(bad.orderId);
    await mend();
    await exchange.advanceTime(3_600_000);
    await eventually(async () => {
      await settle();
      expect(await order(saver, bad.orderId)).toMatchObject({ status: 2, profit: '0.1' });
    });
    expect(bulkheads.failing()).toEqual([]);
  });

  it('FIN-016 FIN-034 a new version of a product leaves running orders as they are', async () => {
    const id = await createProduct(exchange, 'versions');
    const saver = await createSaver(exchange, { USDT: '3000' });
    const { orderId } = await saver.request(buyFinance, purchase(id, '1000'));
    const author = { by: 'test', reason: 'a lower rate' };
    const { finance } = exchange.doors.finance;
    const next = terms(exchange, 'versions', { dailyRate: d('0.0005'), period: 3, maxAmount: d('1500') });
    expect(await finance.publish(next, author)).toMatchObject({ id, version: 2 });
    expect(await finance.publish(next, author)).toMatchObject({ id, version: 2 });
    expect(await order(saver, orderId)).toMatchObject({ dailyRate: '0.001', period: 7, totalProfit: '7' });
    expect(await listedProduct(saver, id)).toMatchObject({
      dailyRate: '0.0005',
      userRemaining: '500',
      version: 2,
    });
    expect(await saver.call(buyFinance, { ...purchase(id, '500'), version: '1' })).toMatchObject({
      errKey: 'l.terms_changed',
      data: { limit: '2', value: '1' },
    });
    const again = await saver.request(buyFinance, { ...purchase(id, '500'), version: '2' });
    expect(again.expectProfit).toBe('0.75');
    await expect(finance.publish({ ...next, capacity: d('1499') }, author)).rejects.toThrow(
      'l.finance_sold_below',
    );
    expect(await finance.publish({ ...next, capacity: d('1500') }, author)).toMatchObject({ version: 3 });
    expect(await listedProduct(saver, id)).toMatchObject({ remaining: '0', status: 2 });
  });

  it('FIN-017 a visitor sees the products and the earnings of an amount', async () => {
    const id = await createProduct(exchange, 'shown', { payMode: 'daily', period: 2 });
    const { data } = await exchange.call(financeProducts, { currency: 'USDT', pageSize: '100' });
    expect(data.list.find((product) => product.id === id)).toMatchObject({
      apr: '0.365',
      startAmount: '100',
      maxAmount: '1000',
      limit: '100000',
      payMode: 2,
      status: 1,
    });
    const detail = await exchange.call(financeDetail, { id, amount: '250' });
    expect(detail.data.schedule).toMatchObject({ amount: '250', dailyProfit: '0.25', totalProfit: '0.5' });
    expect(detail.data.schedule.payments.map(({ profit, principal }) => `${profit} ${principal}`)).toEqual([
      '0.25 0',
      '0.25 250',
    ]);
  });

  it('FIN-016 operators publish terms with a reason and a second approver', async () => {
    const saver = await createSaver(exchange, { ETH: '10' });
    const form = {
      asset: 'eth',
      nameEn: 'Desk',
      nameZh: '柜台',
      sourceEn: 'The house.',
      sourceZh: '平台。',
      period: '5',
      dailyRate: '0.001',
      payMode: 'daily',
      startAmount: '1',
      maxAmount: '5',
      capacity: '50',
      opensAt: String(later(exchange.clock.now(), -1_000)),
      reason: 'a new product',
    };
    const path = '/ops/finance/products/desk-eth';
    const typed = async (fields: Readonly<Record<string, string>>) =>
      (await (await operate(exchange, path, fields)).json()) as Record<string, unknown>;
    expect(await typed({ ...form, payMode: 'weekly' })).toMatchObject({ key: 'l.field_choice' });
    expect((await operateAs(exchange, 'owner', path, form)).status).toBe(202);
    const sees = async () => {
      const { list } = await saver.request(financeProducts, { pageSize: '100' });
      return list.find(({ name }) => name === 'Desk');
    };
    expect(await sees()).toBeUndefined();
    expect(await typed(form)).toMatchObject({ version: 1 });
    expect(await sees()).toMatchObject({ currency: 'ETH', payMode: 2, remaining: '50' });
  });

  it('FIN-015 operators fund interest from collected fees, and no further', async () => {
    const [maker, taker] = [await exchange.aUser({ BTC: '1' }), await exchange.aUser({ USDT: '60000' })];
    await place(maker, limit('sell', '50000', '1'));
    await place(taker, limit('buy', '50000', '1'));
    const fund = async (amount: string) => {
      const answer = await operate(exchange, '/ops/finance/interest/btc', {
        amount,
        reason: 'the first month',
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    expect(await fund('0.0004')).toMatchObject({ asset: 'BTC', funded: '0.0004' });
    expect(await fund('0.0004')).toMatchObject({ funded: '0.0004' });
    expect(await fund('5')).toMatchObject({ key: 'l.insufficient_balance' });
  });

  it('FIN-212 a purchase is published on the owner’s private topic only', async () => {
    const id = await createProduct(exchange, 'told');
    const [saver, other] = [await createSaver(exchange, { USDT: '1000' }), await exchange.aUser()];
    const [ownTopic, otherTopic] = await Promise.all([subscribe(saver), subscribe(other)]);
    const { orderId } = await saver.request(buyFinance, purchase(id, '200'));
    await eventually(() => expect(ownTopic.received).toEqual([[], [{ orderId, productId: id, status: 1 }]]));
    expect(otherTopic.received).toEqual([[]]);
    for (const { socket } of [ownTopic, otherTopic]) socket.close();
  });

  it('FIN-840 FIN-841 with 600 products the newest is listed, its orders are shown, and one request returns one order', async () => {
    const { database } = exchange.doors;
    const oldest = await createProduct(exchange, 'many-0');
    await sql`insert into finance_product
      select (jsonb_populate_record(p, jsonb_build_object('id', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'), 'code', 'many-' || n,
        'opens_at', 0, 'closes_at', 1))).*
      from finance_product p, generate_series(1, 600) n where p.id = ${oldest}`.execute(database.store);
    const saver = await createSaver(exchange, { USDT: '1000' });
    const newest = await createProduct(exchange, 'many-newest');
    const first = (await saver.request(financeProducts, { pageSize: '100' })).list;
    expect(first.map(({ id }) => id)).toContain(newest);
    const { orderId } = await saver.request(buyFinance, purchase(newest, '100'));
    const { list } = await saver.request(financeOrders);
    expect(list[0]).toMatchObject({ id: orderId, productId: newest });
    expect(await saver.request(financeOrderDetail, { id: orderId })).toEqual(list[0]);
    const other = await createSaver(exchange, { USDT: '1000' });
    expect(await other.call(financeOrderDetail, { id: orderId })).toMatchObject({ errKey: 'l.not_found' });
    await sql`insert into finance_product
      select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'code', 'more-' || n))).*
      from finance_product p, generate_series(1, 1400) n where p.id = ${oldest}`.execute(database.store);
    await expect(createProduct(exchange, 'one-more')).rejects.toThrow('2000');
  });
});

/**
 * Subscribes a user to the private feed topic of finance; `received` collects the messages of the topic, first the
 * snapshot.
 */
async function subscribe(person: TestTrader) {
  const socket = new WebSocket(`${person.url.replace('http', 'ws')}/bb/app/ws`);
  const received: unknown[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { topic?: string; data?: unknown };
    if (message.topic === 'finance') received.push(message.data);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ op: 'auth', token: person.token }));
  socket.send(JSON.stringify({ op: 'subscribe', topics: ['finance'] }));
  await eventually(() => expect(received).toHaveLength(1));
  return { socket, received };
}
