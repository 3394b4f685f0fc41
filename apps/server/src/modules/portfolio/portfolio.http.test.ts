import { Decimal, sum } from '@exchange/core/decimal.ts';
import { overview } from '@exchange/wire/account.ts';
import { acceptConvert, convertQuote } from '@exchange/wire/convert.ts';
import { accountEvents, coinCosts, holdings, tradeRecords, valueHistory } from '@exchange/wire/portfolio.ts';
import { buyFinance } from '@exchange/wire/finance.ts';
import { secondsTransfer } from '@exchange/wire/seconds.ts';
import { cancelOrder } from '@exchange/wire/spot.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { createProduct, createSaver, purchase } from '../finance/testing/products.ts';
import { createFund, createHolding } from '../fund/testing/funds.ts';
import { limit, place } from '../spot/testing/orders.ts';

describe('the overview of a user’s accounts', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  it('PORT-001 values available and held balances at the index price, in USDT and BTC', async () => {
    const trader = await exchange.aUser({ USDT: '1000', BTC: '0.5', DOGE: '33' });
    await place(trader, limit('sell', '55000', '0.2'));
    // The total: 1000 USDT + 0.5 BTC × 50000 + 33 DOGE × 0.2.
    expect(await trader.request(overview)).toEqual({
      total: '26006.6',
      totalBtc: '0.520132',
      coin: '26006.6',
      contract: '0',
      finance: '0',
      pool: '0',
      fund: '0',
      subscribe: '0',
    });
    await exchange.setPrice('btcusdt', '52000.01');
    expect(await trader.request(overview)).toEqual({
      total: '27006.605',
      coin: '27006.605',
      totalBtc: '0.51935768',
      contract: '0',
      finance: '0',
      pool: '0',
      fund: '0',
      subscribe: '0',
    });
  });

  it('LED-790 a statement contains the latest actions, while it is projected and after projection has stopped', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    const { movements } = exchange.doors;
    const statement = async () => (await trader.request(tradeRecords)).list;
    await place(trader, limit('buy', '45000', '0.001'));
    const projected = await statement();
    expect(projected).toHaveLength(3);
    expect(projected[0]).toMatchObject({ kind: 'spot.held' });
    await movements.stop();
    try {
      await place(trader, limit('buy', '45000', '0.001'));
      const merged = await statement();
      expect(merged).toHaveLength(5);
      expect(merged.slice(2)).toEqual(projected);
      expect(await movements.lag()).toBeGreaterThan(0);
      await movements.catchUp();
      expect(await movements.lag()).toBe(0);
      expect(await statement()).toEqual(merged);
    } finally {
      movements.start();
    }
  });

  it('PORT-003 lists movements with their causes, newest first, and only the user’s own', async () => {
    const saver = await createSaver(exchange, { USDT: '1000', BTC: '0.5' });
    const id = await createProduct(exchange, 'records');
    await saver.request(buyFinance, purchase(id, '200'));
    await place(saver, limit('sell', '55000', '0.2'));
    await exchange.doors.movements.catchUp();
    const kindsOf = async (type: '1' | '2' | '3' | '4') =>
      (await saver.request(tradeRecords, { type })).list.map(({ kind }) => kind);
    expect(await kindsOf('3')).toEqual(['finance.bought']);
    expect(await kindsOf('1')).toEqual(['spot.held', 'spot.held']);
    expect(await kindsOf('2')).toEqual([]);
    const all = await saver.request(tradeRecords);
    expect(all.list.map(({ kind }) => kind)).toEqual([
      'spot.held',
      'spot.held',
      'finance.bought',
      'inventory.funded',
      'inventory.funded',
    ]);
    expect(all.list[2]).toMatchObject({ currency: 'USDT', amount: '-200', balance: '800' });
    const { list } = await saver.request(tradeRecords, { currency: 'BTC', type: '4' });
    expect(new Set(list.map(({ currency }) => currency))).toEqual(new Set(['BTC']));
    expect((await (await exchange.aUser()).request(tradeRecords)).list).toEqual([]);
    expect((await saver.call(tradeRecords, { startTime: '2', endTime: '1' })).code).toBe(-1);
  });

  it('PORT-005 shows every coin of every account, and the movements of a single account', async () => {
    const saver = await createSaver(exchange, { USDT: '1000' });
    const id = await createProduct(exchange, 'holdings');
    await saver.request(buyFinance, purchase(id, '200'));
    await saver.request(secondsTransfer, { amount: '300', currency: 'USDT', type: '1' });
    const { list } = await saver.request(holdings);
    const common = { currency: 'USDT', currencyName: 'Tether', price: '1' };
    expect(list.toSorted((left, right) => left.account.localeCompare(right.account))).toEqual([
      { account: 'finance', available: '0', frozen: '200', total: '200', ...common },
      { account: 'seconds', available: '300', frozen: '0', total: '300', ...common },
      { account: 'spot', available: '500', frozen: '0', total: '500', ...common },
    ]);
    await exchange.doors.movements.catchUp();
    const moved = async (account: 'spot' | 'seconds' | 'products') =>
      (await saver.request(tradeRecords, { account })).list.map((row) => [row.kind, row.amount, row.balance]);
    expect(await moved('seconds')).toEqual([['seconds.deposited', '300', '300']]);
    expect(await moved('products')).toEqual([['finance.bought', '200', '200']]);
    expect(await moved('spot')).toEqual([
      ['seconds.deposited', '-300', '500'],
      ['finance.bought', '-200', '800'],
      ['inventory.funded', '1000', '1000'],
    ]);
    const second = await saver.request(tradeRecords, { account: 'spot', pageNo: '2', pageSize: '2' });
    expect(second.list.map(({ kind }) => kind)).toEqual(['inventory.funded']);
    expect(second.totalRow).toBe(3);
    expect((await saver.request(tradeRecords, { account: 'spot', currency: 'BTC' })).list).toEqual([]);
    expect((await saver.request(tradeRecords, { account: 'seconds', endTime: '1' })).list).toEqual([]);
    expect((await (await exchange.aUser()).request(tradeRecords, { account: 'seconds' })).list).toEqual([]);
  });

  it('PORT-1010 the history has one row per event: none for a cancelled order, one for a trade with both coins and the fee', async () => {
    const saver = await createSaver(exchange, { USDT: '1000', BTC: '0.5' });
    const buyer = await exchange.aUser({ USDT: '1000' });
    const id = await createProduct(exchange, 'events');
    const { orderId } = await saver.request(buyFinance, purchase(id, '200'));
    await saver.request(secondsTransfer, { amount: '300', currency: 'USDT', type: '1' });
    await place(saver, limit('sell', '50000', '0.01'));
    await place(buyer, limit('buy', '50000', '0.01'));
    const { id: restingOrder } = await place(saver, limit('sell', '55000', '0.2'));
    await saver.request(cancelOrder, { id: restingOrder });

    const { list, totalRow } = await saver.request(accountEvents);
    expect(totalRow).toBe(list.length);
    expect(list.map(({ kind, event }) => `${kind} ${event}`)).toEqual([
      'spot.traded trade',
      'seconds.deposited transfer',
      'finance.bought finance',
      'inventory.funded other',
    ]);
    // The maker's fee is 0.1 % of the 500 USDT received.
    expect(list[0]).toMatchObject({
      changes: [
        { account: 'spot', currency: 'USDT', amount: '499.5' },
        { account: 'spot', currency: 'BTC', amount: '-0.01' },
      ],
      fees: [{ currency: 'USDT', amount: '0.5' }],
    });
    expect(list[2]).toMatchObject({
      refId: orderId,
      changes: [
        { account: 'spot', currency: 'USDT', amount: '-200' },
        { account: 'finance', currency: 'USDT', amount: '200' },
      ],
      fees: [],
    });
    const bought = (await buyer.request(accountEvents)).list[0];
    expect(bought?.fees).toEqual([{ currency: 'BTC', amount: '0.00001' }]);
    expect(bought?.changes).toEqual([
      { account: 'spot', currency: 'USDT', amount: '-500' },
      { account: 'spot', currency: 'BTC', amount: '0.00999' },
    ]);
  });

  it('PORT-1011 the history is filtered by event, coin and period, and is the same before projection', async () => {
    const saver = await createSaver(exchange, { USDT: '1000', BTC: '0.5' });
    const id = await createProduct(exchange, 'narrowed');
    await saver.request(buyFinance, purchase(id, '200'));
    await saver.request(secondsTransfer, { amount: '300', currency: 'USDT', type: '1' });
    const kinds = async (fields: Parameters<typeof saver.request<typeof accountEvents>>[1]) =>
      (await saver.request(accountEvents, fields)).list.map(({ kind }) => kind);
    const everything = ['seconds.deposited', 'finance.bought', 'inventory.funded'];
    expect(await kinds({})).toEqual(everything);
    expect(await kinds({ event: 'products' })).toEqual(['finance.bought']);
    expect(await kinds({ event: 'transfer' })).toEqual(['seconds.deposited']);
    expect(await kinds({ event: 'trade' })).toEqual([]);
    expect(await kinds({ currency: 'BTC' })).toEqual(['inventory.funded']);
    expect(await kinds({ endTime: '1' })).toEqual([]);
    expect((await saver.call(accountEvents, { startTime: '2', endTime: '1' })).code).toBe(-1);
    expect((await saver.call(accountEvents, { currency: 'XYZ' })).code).toBe(-1);
    expect((await (await exchange.aUser()).request(accountEvents)).list).toEqual([]);
    const { movements } = exchange.doors;
    await movements.stop();
    try {
      await saver.request(secondsTransfer, { amount: '100', currency: 'USDT', type: '2' });
      expect(await movements.lag()).toBeGreaterThan(0);
      expect(await kinds({})).toEqual(['seconds.withdrawn', ...everything]);
      expect(await kinds({ event: 'transfer', currency: 'USDT' })).toEqual([
        'seconds.withdrawn',
        'seconds.deposited',
      ]);
      expect(await kinds({ event: 'finance' })).toEqual(['finance.bought']);
      await movements.catchUp();
      expect(await kinds({})).toEqual(['seconds.withdrawn', ...everything]);
    } finally {
      movements.start();
    }
  });

  it('PORT-006 stores every user’s value at the end of a day, once', async () => {
    const trader = await exchange.aUser({ USDT: '1000', DOGE: '10' });
    const otherUser = await exchange.aUser();
    expect((await trader.request(valueHistory)).list).toEqual([]);
    const { values } = exchange.doors.portfolio;
    await values.valueDay();
    const time = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const row = { time, total: '1002', netDeposits: '0' };
    expect((await trader.request(valueHistory)).list).toEqual([row]);
    await exchange.setPrice('dogeusdt', '0.3');
    await values.valueDay();
    expect((await trader.request(valueHistory, { days: '7' })).list).toEqual([row]);
    expect((await otherUser.request(valueHistory)).list).toEqual([]);
    expect((await trader.call(valueHistory, { days: '8' as '7' })).code).toBe(-1);
  });

  it('PORT-007 today’s change starts from the value at midnight, with deposits and withdrawals shown separately', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    expect((await trader.request(valueHistory)).today).toBeNull();
    await exchange.doors.portfolio.values.valueDay();
    await exchange.doors.movements.catchUp();
    expect((await trader.request(valueHistory)).today).toEqual({ total: '1000', netDeposits: '0' });
    await exchange.fund(trader, { USDT: '1050', BTC: '0.001' });
    await place(trader, limit('buy', '45000', '0.01'));
    await exchange.doors.movements.catchUp();
    const price = (await trader.request(holdings)).list.find(({ currency }) => currency === 'BTC')!.price;
    expect((await trader.request(valueHistory)).today).toEqual({
      total: '1000',
      netDeposits: String(50 + Number(price) / 1000),
    });
  });

  it('PORT-1000 PORT-1001 fund positions count at their equity in total, list and daily value, all read at one instant', async () => {
    await exchange.setPrice('btcusdt', '50000');
    await exchange.setPrice('ethusdt', '2500');
    const saver = await createSaver(exchange, { USDT: '1000', DOGE: '10' });
    const fund = await createFund(exchange, 'equity');
    const position = await createHolding(exchange, saver.id, fund, { leverage: 3 });
    const unitValue = () => exchange.doors.fund.funds.unitValues().get(fund)?.toString();
    const dogePrice = (await saver.request(holdings)).list.find(({ currency }) => currency === 'DOGE')!.price;
    const fundFigures = async () => {
      const [snapshot, worth] = [await saver.request(holdings), await saver.request(overview)];
      const rows = snapshot.list.map(({ total }) => Decimal.parse(total));
      expect(snapshot.total).toBe(sum(rows).toString());
      expect(snapshot.total).toBe(worth.total);
      expect(snapshot.totalBtc).toBe(worth.totalBtc);
      const fundHolding = snapshot.list.find(({ account }) => account === 'fund');
      expect(fundHolding?.total ?? '0').toBe(worth.fund);
      return { ...snapshot, fund: worth.fund, amount: fundHolding?.frozen };
    };
    const otherValue = Decimal.parse('900').plus(Decimal.parse(dogePrice).timesExact(Decimal.parse('10')));
    expect(await fundFigures()).toMatchObject({ fund: '100', amount: '100', last: null });

    // The fund's new unit value is (0.1 × 60000 + 2 × 2500) / 100 = 110: 3 units have gained 30.
    await exchange.setPrice('btcusdt', '60000');
    await eventually(() => Promise.resolve(expect(unitValue()).toBe('110')));
    const risen = await fundFigures();
    expect(risen).toMatchObject({
      fund: '130',
      amount: '130',
      total: otherValue.plus(Decimal.parse('130')).toString(),
    });
    await exchange.doors.portfolio.values.valueDay();
    const { list, today } = await saver.request(valueHistory);
    expect(list.at(-1)?.total).toBe(risen.total);
    expect(today).toEqual({ total: risen.total, netDeposits: '0' });
    expect((await fundFigures()).last).toEqual({
      time: list.at(-1)?.time,
      total: risen.total,
      netDeposits: '0',
    });

    // Negative equity of fund positions counts as zero: users do not owe the exchange.
    const { pool } = exchange.database;
    await pool.query('update fund_position set buy_price = 300, watch_price = null where id = $1', [
      position,
    ]);
    expect(await fundFigures()).toMatchObject({ fund: '0', amount: undefined, total: otherValue.toString() });
  });

  it('PORT-1002 deposits and withdrawals between two days are stored with the later one, or derived from the statement if missing', async () => {
    // The first value and the deposits around it have the same instant: each deposit is counted once.
    const startClock = exchange.clock.freeze();
    const trader = await exchange.aUser({ USDT: '1000' });
    const otherUser = await exchange.aUser({ USDT: '10' });
    const { values } = exchange.doors.portfolio;
    const day = () => Math.floor(exchange.clock.now() / DAY_MS) * DAY_MS;
    await values.valueDay();
    const first = { time: day(), total: '1000', netDeposits: '0' };
    // Play money counts as a deposit and not as profit, also before its ledger entry is projected into
    // the statement.
    await exchange.doors.movements.stop();
    await exchange.fund(trader, { USDT: '1300' });
    expect((await trader.request(holdings)).last).toEqual({ time: day(), total: '1000', netDeposits: '300' });
    exchange.doors.movements.start();
    await exchange.doors.movements.catchUp();
    expect((await trader.request(holdings)).last).toEqual({ time: day(), total: '1000', netDeposits: '300' });
    startClock();
    await exchange.advanceTime(DAY_MS);
    await values.valueDay();
    const second = { time: day(), total: '1300', netDeposits: '300' };
    const rows = async () => (await trader.request(valueHistory)).list;
    expect(await rows()).toEqual([first, second]);
    expect((await otherUser.request(valueHistory)).list.map(({ netDeposits }) => netDeposits)).toEqual([
      '0',
      '0',
    ]);
    expect((await trader.request(holdings)).last).toEqual({ time: day(), total: '1300', netDeposits: '0' });
    await values.valueDay();
    expect(await rows()).toEqual([first, second]);
    // Values that are stored without net deposits are listed with computed ones.
    const { pool } = exchange.database;
    await pool.query('update portfolio_value set net_deposits = null where owner = $1', [trader.id]);
    expect(await rows()).toEqual([first, second]);
  });

  it('PORT-002 is zero for a new user', async () => {
    const trader = await exchange.aUser();
    expect(await trader.request(overview)).toEqual({
      total: '0',
      totalBtc: '0',
      coin: '0',
      contract: '0',
      finance: '0',
      pool: '0',
      fund: '0',
      subscribe: '0',
    });
  });

  it('PORT-020 PORT-022 costs follow a user’s trades on both sides, each counted once, under concurrent requests', async () => {
    const [buyer, seller] = [
      await exchange.aUser({ USDT: '20000' }),
      await exchange.aUser({ BTC: '1', ETH: '1', USDT: '1000' }),
    ];
    const costs = async () => (await buyer.request(coinCosts)).list;
    expect(await costs()).toEqual([]);
    const trade = async (price: string, amount: string, side: 'buy' | 'sell') => {
      const [maker, taker] = side === 'buy' ? [seller, buyer] : [buyer, seller];
      await place(maker, limit('sell', price, amount));
      await place(taker, limit('buy', price, amount));
    };
    await trade('50000', '0.1', 'buy');
    await trade('52000', '0.1', 'buy');
    // The purchase fee of 0.1 % is taken from the coin.
    const bought = { currency: 'BTC', amount: '0.1998', cost: '10200', realized: '0' };
    const answers = await Promise.all(Array.from({ length: 5 }, costs));
    for (const list of answers) expect(list).toEqual([bought]);
    await trade('54000', '0.0999', 'sell');
    const [sold] = await costs();
    // Profit: 5,394.6 USDT less the fee of 0.1 %, minus half of the total cost.
    expect(sold).toEqual({ currency: 'BTC', amount: '0.0999', cost: '5100', realized: '289.2054' });
    await exchange.restart();
    expect(await costs()).toEqual([sold]);
    // The BTC that the seller sold had no known cost, so the sales have no profit. The BTC bought later have a cost.
    expect((await seller.request(coinCosts)).list).toEqual([
      { ...bought, amount: expect.anything(), cost: expect.anything(), realized: '0' },
    ]);
  });

  it('PORT-023 a trade of two coins is a sale and a purchase at one value, with the fee counted once', async () => {
    const [buyer, seller] = [
      await exchange.aUser({ USDT: '20000' }),
      await exchange.aUser({ BTC: '1', ETH: '10' }),
    ];
    const trade = async (pair: { baseCoin: string; quoteCoin: string }, price: string, amount: string) => {
      await place(seller, { ...limit('sell', price, amount), ...pair });
      await place(buyer, { ...limit('buy', price, amount), ...pair });
    };
    await exchange.setPrice('btcusdt', '50000');
    await trade({ baseCoin: 'BTC', quoteCoin: 'USDT' }, '50000', '0.2');
    await trade({ baseCoin: 'ETH', quoteCoin: 'BTC' }, '0.05', '2');
    const { list } = await buyer.request(coinCosts);
    const costOf = (coin: string) => list.find(({ currency }) => currency === coin)!;
    const [btc, eth] = [costOf('BTC'), costOf('ETH')];
    // 0.1998 BTC cost 10,000 USDT; 0.1 of them were traded for ETH, whose cost is their value including the fee.
    expect([btc.amount, eth.amount]).toEqual(['0.0998', '1.998']);
    expect(Number(btc.realized)).toBeCloseTo(Number(eth.cost) - (10_000 - Number(btc.cost)), 8);
    expect(Number(eth.cost)).toBeCloseTo(5_000, -1);
  });

  it('PORT-1055 an audit compares counted amounts with the balance at that time', async () => {
    const [buyer, seller] = [
      await exchange.aUser({ USDT: '20000' }),
      await exchange.aUser({ BTC: '1', ETH: '3' }),
    ];
    await place(seller, limit('sell', '50000', '0.1'));
    await place(buyer, limit('buy', '50000', '0.1'));
    await Promise.all([buyer.request(coinCosts), seller.request(coinCosts)]);
    // Movements after the last counted ledger entry are not reported as a difference.
    await place(buyer, limit('sell', '50000', '0.05'));
    await place(seller, limit('buy', '50000', '0.05'));
    await exchange.doors.movements.catchUp();
    const { pool } = exchange.database;
    const add = (column: string, amount: string) =>
      pool.query(
        `update portfolio_cost set ${column} = ${column} + ${amount} where asset <> 'ETH' and owner = $1`,
        [buyer.id],
      );
    const differences = async () => (await exchange.audit()).problems;
    expect(await differences()).toEqual([]);
    await add('amount', '0.000000000000000001');
    expect(await differences()).toEqual([
      {
        invariant: 'M22',
        asset: 'BTC',
        detail: `${buyer.id} had 0.0999, the costs of coins count 0.099900000000000001`,
      },
    ]);
    await add('uncosted', '0.5');
    await add('amount', '-0.000000000000000001');
    expect(await differences()).toMatchObject([{ invariant: 'M22', asset: 'BTC' }]);
    await add('uncosted', '-0.5');
    await pool.query(`delete from portfolio_cost where owner = $1 and asset = 'ETH'`, [seller.id]);
    expect(await differences()).toMatchObject([{ invariant: 'M22', asset: 'ETH' }]);
    await pool.query(`delete from portfolio_cost where owner = $1`, [seller.id]);
    await pool.query(`delete from portfolio_cost_position where owner = $1`, [seller.id]);
    expect(await differences()).toEqual([]);
  });

  it('PORT-1056 a user with only USDT is not recounted from the start each time', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    const { pool } = exchange.database;
    const counted = async () =>
      (
        await pool.query<{ entry: string }>(
          'select entry::text from portfolio_cost_position where owner = $1',
          [trader.id],
        )
      ).rows;
    expect((await trader.request(coinCosts)).list).toEqual([]);
    const first = await counted();
    expect(first).not.toEqual([{ entry: '0' }]);
    await place(trader, limit('buy', '45000', '0.001'));
    await trader.request(coinCosts);
    expect(await counted()).not.toEqual(first);
  });

  it('PORT-953 deposits, conversions, products and withdrawals change costs, and a full recount matches', async () => {
    await exchange.setPrice('btcusdt', '50000');
    await exchange.setPrice('ethusdt', '2500');
    await exchange.doors.convert.convert.fund('USDT', Decimal.parse('100000'), 'demo');
    await exchange.doors.convert.convert.fund('ETH', Decimal.parse('100'), 'demo');
    const buyer = await createSaver(exchange, { USDT: '20000', BTC: '0.1' });
    const seller = await exchange.aUser({ BTC: '1' });
    const costs = async () => (await buyer.request(coinCosts)).list;
    const holding = async (coin: string) => {
      const { list } = await buyer.request(holdings);
      const coinHoldings = list.filter(({ currency }) => currency === coin);
      return sum(
        coinHoldings.flatMap(({ available, frozen }) => [Decimal.parse(available), Decimal.parse(frozen)]),
      );
    };
    expect(await costs()).toEqual([]);
    await place(seller, limit('sell', '50000', '0.1'));
    await place(buyer, limit('buy', '50000', '0.1'));
    const bought = { currency: 'BTC', amount: '0.0999', cost: '5000', realized: '0' };
    expect(await costs()).toEqual([bought]);
    // Coins in an open order or on another account of the user still belong to the user's cost
    // basis.
    await place(buyer, limit('sell', '59000', '0.05'));
    await buyer.request(secondsTransfer, { amount: '0.05', currency: 'BTC', type: '1' });
    expect(await costs()).toEqual([bought]);
    const { quoteId } = await buyer.request(convertQuote, { from: 'BTC', to: 'ETH', fromAmount: '0.04' });
    await buyer.request(acceptConvert, { quoteId });
    const [btc, eth] = await costs();
    expect([btc?.currency, btc?.amount, eth?.currency, eth?.realized]).toEqual(['BTC', '0.0599', 'ETH', '0']);
    // The cost of the ETH is the index value of the 0.04 BTC, including spread and fee.
    expect(Number(eth?.cost)).toBeCloseTo(2_000, -1);
    expect(Number(btc?.realized)).toBeCloseTo(Number(eth?.cost) - (5_000 * 0.04) / 0.0999, 6);

    const { pool } = exchange.database;
    const stored = async () =>
      (
        await pool.query<Record<'asset' | 'amount' | 'uncosted', string>>(
          'select asset, amount::text, cost::text, realized::text, uncosted::text from portfolio_cost where owner = $1 order by asset',
          [buyer.id],
        )
      ).rows;
    const counted = await stored();
    for (const { asset, amount, uncosted } of counted)
      expect(
        Decimal.parse(amount)
          .plus(Decimal.parse(uncosted))
          .equals(await holding(asset)),
      ).toBe(true);
    await pool.query('delete from portfolio_cost');
    await pool.query('delete from portfolio_cost_position');
    expect(await costs()).toEqual([btc, eth]);
    expect(await stored()).toEqual(counted);
  });

  it('PORT-1080 TAX-009 a long history is counted by a job, and by no request', async () => {
    const trader = await exchange.aUser();
    const { pool } = exchange.database;
    // Simulates a long history: 4,500 deposits of bitcoin, followed by one purchase.
    await pool.query(
      `insert into ledger_movement (owner, entry, posting, account, asset, bucket, kind, reference, amount, balance, at)
       select $1, n, 0, -1, 'BTC', 'available', 'deposit.credited', null, 0.001, n * 0.001, 0
       from generate_series(1, 4500) n`,
      [trader.id],
    );
    await pool.query(
      `insert into ledger_movement (owner, entry, posting, account, asset, bucket, kind, reference, amount, balance, at)
       values ($1, 4501, 0, -1, 'BTC', 'available', 'spot.traded', null, 0.5, 5, 0),
              ($1, 4501, 1, -2, 'USDT', 'available', 'spot.traded', null, -25000, 0, 0)`,
      [trader.id],
    );
    const counted = async () => {
      const { rows } = await pool.query<{ entry: bigint }>(
        'select entry from portfolio_cost_position where owner = $1',
        [trader.id],
      );
      return Number(rows[0]?.entry ?? 0);
    };
    expect((await trader.request(coinCosts)).list).toEqual([]);
    await eventually(async () => expect(await counted()).toBe(4501));
    expect((await trader.request(coinCosts)).list).toEqual([
      {
        currency: 'BTC',
        amount: '0.5',
        cost: '25000',
        realized: '0',
      },
    ]);
  });
});
