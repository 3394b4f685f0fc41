/** Tests the client library `node-binance-api`: REST, market streams and the account's events. */
import assert from 'node:assert/strict';
import Binance from 'node-binance-api';
import { actUntil, API_URL, MAKER, refusalAfter, STREAM_URL, TRADER } from './journey.mjs';

const symbol = 'BTCUSDT';

/** @param {{ key: string, secret: string }} account */
function connect({ key, secret }) {
  const client = new Binance({
    APIKEY: key,
    APISECRET: secret,
    log: () => {},
    urls: {
      base: `${API_URL}/api/`,
      sapi: `${API_URL}/sapi/`,
      stream: `${STREAM_URL}/ws/`,
      combineStream: `${STREAM_URL}/stream?streams=`,
    },
  });
  // The constructor of this version of the library has no option for the URL of the WebSocket API, so the test sets the
  // client's field directly.
  client.wsApi = `${STREAM_URL}/ws-api/v3`;
  return client;
}

const trader = connect(TRADER);
const maker = connect(MAKER);

await marketData();
await orders();
await errors();
await events();
await limits();

async function marketData() {
  await trader.ping();
  assert.ok((await trader.time()).serverTime > 0);
  assert.ok((await trader.exchangeInfo()).symbols.length > 5);
  await maker.order('LIMIT', 'SELL', symbol, 0.01, 50_100);
  await maker.order('LIMIT', 'BUY', symbol, 0.01, 49_900);
  await trader.marketBuy(symbol, 0.001);
  assert.deepEqual((await trader.depth(symbol, 5)).asks, [{ price: '50100.00', quantity: '0.00900' }]);
  assert.equal((await trader.recentTrades(symbol, 1))[0].price, '50100.00');
  assert.equal((await trader.aggTrades(symbol, { limit: 1 }))[0].price, '50100.00');
  assert.equal((await trader.candlesticks(symbol, '1m', { limit: 1 }))[0].close, '50100.00');
  assert.ok((await trader.avgPrice(symbol)).price > 0);
  assert.equal((await trader.prevDay(symbol)).lastPrice, '50100.00');
  assert.equal((await trader.prices(symbol)).BTCUSDT, 50_100);
  assert.equal((await trader.bookTickers(symbol))[symbol].bidPrice, '49900.00');
  assert.equal((await trader.systemStatus()).status, 0);
  assert.ok((await trader.tradeFee(symbol))[0].takerCommission);
  await maker.cancelAll(symbol);
}

async function orders() {
  await maker.sell(symbol, 0.01, 50_000);
  const bought = await trader.buy(symbol, 0.004, 50_000);
  assert.deepEqual([bought.status, bought.fills.length], ['FILLED', 1]);
  const [fill] = await trader.myTrades(symbol, { orderId: bought.orderId });
  assert.deepEqual([fill.qty, fill.commissionAsset], ['0.00400', 'BTC']);
  const spent = await trader.marketBuyWithCost(symbol, 50);
  assert.deepEqual([spent.status, spent.executedQty], ['FILLED', '0.00100']);
  const { orderId } = await trader.order('LIMIT', 'BUY', symbol, 0.02, 49_000);
  assert.deepEqual(
    (await trader.openOrders(symbol)).map((order) => order.orderId),
    [orderId],
  );
  assert.equal((await trader.orderStatus(symbol, orderId)).status, 'NEW');
  assert.equal((await trader.cancel(symbol, orderId)).status, 'CANCELED');
  assert.equal((await trader.allOrders(symbol)).at(-1).status, 'CANCELED');
  const list = await trader.ocoOrder('SELL', symbol, 0.01, {
    aboveType: 'LIMIT_MAKER',
    abovePrice: 52_000,
    belowType: 'STOP_LOSS',
    belowStopPrice: 48_000,
  });
  assert.equal(list.orders.length, 2);
  await trader.cancelAll(symbol);
  assert.ok(Number((await trader.balance()).BTC.available) > 5);
  await maker.cancelAll(symbol);
}

async function errors() {
  const codeOf = async (request) => {
    const error = await request.then(
      () => assert.fail('was not refused'),
      (refusal) => refusal,
    );
    return Number(/"code":\s*(-\d+)/.exec(error.message)?.[1] ?? error.code);
  };
  assert.equal(await codeOf(trader.buy(symbol, 9, 49_000)), -2010);
  assert.equal(await codeOf(trader.cancel(symbol, 1)), -2011);
  assert.equal(await codeOf(trader.orderStatus(symbol, 1)), -2013);
  assert.equal(await codeOf(trader.depth('NONE')), -1121);
  assert.equal(await codeOf(trader.buy(symbol, 0.000001, 49_000)), -1013);
  assert.equal(await codeOf(connect({ ...TRADER, secret: MAKER.secret }).account()), -1022);
  const late = connect(TRADER);
  late.timeOffset = -120_000;
  assert.equal(await codeOf(late.account()), -1021);
  await late.useServerTime();
  assert.ok((await late.account()).balances.length > 0);
}

async function events() {
  const received = new Set();
  const record = (type) => received.add(type);
  const endpoints = [
    trader.tradesStream(symbol, () => record('trade')),
    trader.depthStream(symbol, () => record('depth')),
    trader.candlesticksStream(symbol, '1m', () => record('kline')),
    trader.bookTickersStream(symbol, () => record('bookTicker')),
    trader.prevDayStream(symbol, () => record('ticker')),
  ];
  trader.userData(
    () => {},
    () => record('balances'),
    () => record('execution'),
  );
  const wanted = ['trade', 'depth', 'kline', 'bookTicker', 'ticker', 'balances', 'execution'];
  const trade = async () => {
    await maker.sell(symbol, 0.001, 50_000);
    await trader.marketBuy(symbol, 0.001);
  };
  await actUntil(trade, () => {
    assert.deepEqual(
      wanted.filter((type) => !received.has(type)),
      [],
    );
  });
  for (const endpoint of endpoints) trader.terminate(endpoint);
  trader.terminateWsApi('userData');
}

async function limits() {
  const refusal = await refusalAfter(async () => {
    const { orderId } = await trader.buy(symbol, 0.01, 49_000);
    await trader.cancel(symbol, orderId);
  });
  assert.match(refusal.message, /-1015/);
}
