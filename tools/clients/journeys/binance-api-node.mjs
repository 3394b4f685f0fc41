/** Tests the client library `binance-api-node`: REST, market streams and the account's events. */
import assert from 'node:assert/strict';
import binanceApiNode from 'binance-api-node';
import { actUntil, API_URL, MAKER, refusalAfter, STREAM_URL, TRADER } from './journey.mjs';

const symbol = 'BTCUSDT';

/** Returns a client of our API for the account. @param {{ key: string, secret: string }} account */
function connect({ key, secret }, more = {}) {
  return binanceApiNode.default({
    apiKey: key,
    apiSecret: secret,
    httpBase: API_URL,
    wsBase: `${STREAM_URL}/ws`,
    wsApi: `${STREAM_URL}/ws-api/v3`,
    ...more,
  });
}

const trader = connect(TRADER);
const maker = connect(MAKER);
const limit = (client, side, quantity, price, more = {}) =>
  client.order({ symbol, side, type: 'LIMIT', quantity, price, ...more });

await marketData();
await orders();
await errors();
await events();
await limits();

async function marketData() {
  assert.equal(await trader.ping(), true);
  assert.ok((await trader.time()) > 0);
  assert.equal((await trader.exchangeInfo({ symbol })).symbols.length, 1);
  await limit(maker, 'SELL', '0.01', '50100');
  await limit(maker, 'BUY', '0.01', '49900');
  await trader.order({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.001' });
  const book = await trader.book({ symbol, limit: 5 });
  assert.deepEqual(book.asks, [{ price: '50100.00', quantity: '0.00900' }]);
  assert.equal((await trader.trades({ symbol, limit: 1 }))[0].price, '50100.00');
  assert.equal((await trader.tradesHistory({ symbol, limit: 1 }))[0].price, '50100.00');
  assert.equal((await trader.aggTrades({ symbol, limit: 1 }))[0].price, '50100.00');
  assert.equal((await trader.candles({ symbol, interval: '1m', limit: 1 }))[0].close, '50100.00');
  assert.ok(Number((await trader.avgPrice({ symbol })).price) > 0);
  assert.equal((await trader.dailyStats({ symbol })).lastPrice, '50100.00');
  assert.equal((await trader.prices())[symbol], '50100.00');
  assert.equal((await trader.allBookTickers())[symbol].bidPrice, '49900.00');
  assert.ok((await trader.accountCoins()).some(({ coin }) => coin === 'USDT'));
  assert.ok((await trader.tradeFee({ symbol }))[0].takerCommission);
  assert.equal((await trader.apiRestrictions()).enableWithdrawals, false);
  assert.ok((await trader.depositAddress({ coin: 'USDT', network: 'TRX' })).address);
  assert.deepEqual(await trader.depositHistory(), []);
  assert.deepEqual(await trader.withdrawHistory(), []);
  await maker.cancelOpenOrders({ symbol });
}

async function orders() {
  await limit(maker, 'SELL', '0.01', '50000');
  const bought = await limit(trader, 'BUY', '0.004', '50000');
  assert.deepEqual([bought.status, bought.fills.length], ['FILLED', 1]);
  const [fill] = await trader.myTrades({ symbol, orderId: bought.orderId });
  assert.deepEqual([fill.qty, fill.commissionAsset], ['0.00400', 'BTC']);
  await trader.orderTest({ symbol, side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '49000' });
  const { orderId } = await limit(trader, 'BUY', '0.02', '49000');
  assert.deepEqual(
    (await trader.openOrders({ symbol })).map((order) => order.orderId),
    [orderId],
  );
  assert.equal((await trader.getOrder({ symbol, orderId })).status, 'NEW');
  assert.equal((await trader.cancelOrder({ symbol, orderId })).status, 'CANCELED');
  assert.equal((await trader.allOrders({ symbol })).at(-1).status, 'CANCELED');
  const list = await trader.orderOco({
    symbol,
    side: 'SELL',
    quantity: '0.01',
    price: '52000',
    stopPrice: '48500',
    stopLimitPrice: '48000',
    stopLimitTimeInForce: 'GTC',
  });
  assert.equal(list.orders.length, 2);
  assert.equal((await trader.getOrderOco({ orderListId: list.orderListId })).listOrderStatus, 'EXECUTING');
  await trader.cancelOrderOco({ symbol, orderListId: list.orderListId });
  const { balances } = await trader.accountInfo();
  assert.ok(Number(balances.find(({ asset }) => asset === 'BTC').free) > 5);
  await maker.cancelOpenOrders({ symbol });
}

async function errors() {
  const codeOf = (request) =>
    request.then(
      () => assert.fail('was not refused'),
      ({ code }) => code,
    );
  assert.equal(await codeOf(limit(trader, 'BUY', '9', '49000')), -2010);
  assert.equal(await codeOf(trader.cancelOrder({ symbol, orderId: 1 })), -2011);
  assert.equal(await codeOf(trader.getOrder({ symbol, orderId: 1 })), -2013);
  assert.equal(await codeOf(trader.book({ symbol: 'NONE' })), -1121);
  assert.equal(await codeOf(limit(trader, 'BUY', '0.000001', '49000')), -1013);
  assert.equal(await codeOf(connect({ ...TRADER, secret: MAKER.secret }).accountInfo()), -1022);
  const late = connect(TRADER, { getTime: () => Date.now() - 120_000 });
  assert.equal(await codeOf(late.accountInfo()), -1021);
}

async function events() {
  const received = [];
  const record = (event) => received.push(event.eventType ?? 'bookTicker');
  const ends = [
    trader.ws.trades(symbol, record),
    trader.ws.depth(`${symbol}@100ms`, record),
    trader.ws.candles(symbol, '1m', record),
    trader.ws.ticker(symbol, record),
    trader.ws.bookTicker(symbol, record),
    await trader.ws.user(record),
  ];
  const wanted = [
    'trade',
    'depthUpdate',
    'kline',
    '24hrTicker',
    'bookTicker',
    'executionReport',
    'outboundAccountPosition',
  ];
  const trade = async () => {
    await limit(maker, 'SELL', '0.001', '50000');
    await trader.order({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.001' });
  };
  await actUntil(trade, () => {
    const missing = wanted.filter((type) => !received.includes(type));
    assert.deepEqual(missing, []);
  });
  for (const end of ends) end();
}

async function limits() {
  const refusal = await refusalAfter(async () => {
    const { orderId } = await limit(trader, 'BUY', '0.01', '49000');
    await trader.cancelOrder({ symbol, orderId });
  });
  assert.equal(refusal.code, -1015);
}
