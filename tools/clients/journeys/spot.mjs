/** Tests the client library `@binance/spot`: REST, the WebSocket API with a log-on, and streams. */
import assert from 'node:assert/strict';
import { BadRequestError, Spot, TooManyRequestsError, UnauthorizedError } from '@binance/spot';
import { actUntil, API_URL, eventually, MAKER, refusalAfter, STREAM_URL, TRADER } from './journey.mjs';

const symbol = 'BTCUSDT';

/** @param {{ key: string, secret: string }} account */
function connect({ key: apiKey, secret: apiSecret }) {
  return new Spot({
    configurationRestAPI: { apiKey, apiSecret, basePath: API_URL, timeout: 30_000 },
    configurationWebsocketAPI: { apiKey, apiSecret, wsURL: `${STREAM_URL}/ws-api/v3`, timeout: 30_000 },
    configurationWebsocketStreams: { wsURL: STREAM_URL },
  });
}

const client = connect(TRADER);
const trader = client.restAPI;
const maker = connect(MAKER).restAPI;
const data = async (request) => (await request).data();
const limit = (rest, side, quantity, price, more = {}) =>
  data(rest.newOrder({ symbol, side, type: 'LIMIT', timeInForce: 'GTC', quantity, price, ...more }));

await marketData();
await orders();
await errors();
await streams();
await requests();
await limits();

async function marketData() {
  await data(trader.ping());
  assert.ok((await data(trader.time())).serverTime > 0);
  const info = await data(trader.exchangeInfo({ symbol }));
  assert.equal(info.symbols[0].filters[0].filterType, 'PRICE_FILTER');
  await limit(maker, 'SELL', 0.01, 50_100);
  await limit(maker, 'BUY', 0.01, 49_900);
  await data(trader.newOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: 0.001 }));
  assert.deepEqual((await data(trader.depth({ symbol, limit: 5 }))).asks, [['50100.00', '0.00900']]);
  const [trade] = await data(trader.getTrades({ symbol, limit: 1 }));
  assert.equal(trade.price, '50100.00');
  assert.equal((await data(trader.historicalTrades({ symbol, fromId: trade.id })))[0].id, trade.id);
  assert.equal((await data(trader.aggTrades({ symbol, limit: 1 })))[0].p, '50100.00');
  assert.equal((await data(trader.klines({ symbol, interval: '1m', limit: 1 })))[0][4], '50100.00');
  assert.equal((await data(trader.uiKlines({ symbol, interval: '1d', limit: 1 })))[0][4], '50100.00');
  assert.ok(Number((await data(trader.avgPrice({ symbol }))).price) > 0);
  assert.equal((await data(trader.ticker24hr({ symbol }))).lastPrice, '50100.00');
  assert.equal((await data(trader.ticker24hr({ symbols: [symbol, 'ETHUSDT'] }))).length, 2);
  assert.equal((await data(trader.tickerPrice({ symbol }))).price, '50100.00');
  assert.equal((await data(trader.tickerBookTicker({ symbol }))).askPrice, '50100.00');
  await data(maker.deleteOpenOrders({ symbol }));
}

async function orders() {
  await limit(maker, 'SELL', 0.01, 50_000);
  const bought = await limit(trader, 'BUY', 0.004, 50_000, { newClientOrderId: 'spot-1' });
  assert.deepEqual([bought.status, bought.clientOrderId, bought.fills.length], ['FILLED', 'spot-1', 1]);
  const [fill] = await data(trader.myTrades({ symbol, orderId: bought.orderId }));
  assert.deepEqual([fill.qty, fill.commissionAsset, fill.isMaker], ['0.00400', 'BTC', false]);
  const { orderId } = await limit(trader, 'BUY', 0.02, 49_000);
  const amended = await data(trader.orderAmendKeepPriority({ symbol, orderId, newQty: 0.01 }));
  assert.deepEqual([amended.amendedOrder.qty, amended.amendedOrder.status], ['0.01000', 'NEW']);
  assert.equal((await data(trader.orderAmendments({ symbol, orderId }))).length, 1);
  const replaced = await data(
    trader.orderCancelReplace({
      symbol,
      side: 'BUY',
      type: 'LIMIT',
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: orderId,
      timeInForce: 'GTC',
      quantity: 0.01,
      price: 49_010,
    }),
  );
  assert.deepEqual([replaced.cancelResult, replaced.newOrderResult], ['SUCCESS', 'SUCCESS']);
  const { orderId: openId } = replaced.newOrderResponse;
  assert.deepEqual(
    (await data(trader.getOpenOrders({ symbol }))).map((order) => order.orderId),
    [openId],
  );
  assert.equal((await data(trader.getOrder({ symbol, orderId: openId }))).price, '49010.00');
  assert.equal((await data(trader.deleteOrder({ symbol, orderId: openId }))).status, 'CANCELED');
  assert.equal((await data(trader.allOrders({ symbol }))).at(-1).status, 'CANCELED');
  const list = await data(
    trader.orderListOco({
      symbol,
      side: 'SELL',
      quantity: 0.01,
      aboveType: 'LIMIT_MAKER',
      abovePrice: 52_000,
      belowType: 'STOP_LOSS',
      belowStopPrice: 48_000,
    }),
  );
  assert.equal((await data(trader.openOrderList())).length, 1);
  assert.equal(
    (await data(trader.getOrderList({ orderListId: list.orderListId }))).listStatusType,
    'EXEC_STARTED',
  );
  await data(trader.deleteOrderList({ symbol, orderListId: list.orderListId }));
  const account = await data(trader.getAccount({ omitZeroBalances: true }));
  assert.deepEqual(account.balances.map(({ asset }) => asset).sort(), ['BTC', 'USDT']);
  assert.ok((await data(trader.accountCommission({ symbol }))).standardCommission.taker);
  assert.equal((await data(trader.rateLimitOrder())).length, 2);
  await data(trader.orderTest({ symbol, side: 'BUY', type: 'MARKET', quoteOrderQty: 50 }));
  await data(maker.deleteOpenOrders({ symbol }));
}

async function errors() {
  await assert.rejects(limit(trader, 'BUY', 9, 49_000), isRefused(BadRequestError, -2010));
  await assert.rejects(data(trader.deleteOrder({ symbol, orderId: 1 })), isRefused(BadRequestError, -2011));
  await assert.rejects(data(trader.getOrder({ symbol, orderId: 1 })), isRefused(BadRequestError, -2013));
  await assert.rejects(data(trader.depth({ symbol: 'NONE' })), isRefused(BadRequestError, -1121));
  await assert.rejects(limit(trader, 'BUY', 0.01, 100), isRefused(BadRequestError, -1013));
  const { restAPI: unknown } = connect({ key: 'x'.repeat(64), secret: TRADER.secret });
  await assert.rejects(data(unknown.getAccount()), isRefused(UnauthorizedError, -2015));
  const { restAPI: wrong } = connect({ key: TRADER.key, secret: MAKER.secret });
  await assert.rejects(data(wrong.getAccount()), isRefused(BadRequestError, -1022));
}

/** Returns a function that checks that an error has the given class and, if the error has a code, the given code. */
function isRefused(ErrorClass, code) {
  return (error) => {
    assert.ok(error instanceof ErrorClass, `${error?.name}: ${error?.message}`);
    if (error.code !== undefined) assert.equal(error.code, code);
    return true;
  };
}

async function streams() {
  const connection = await client.websocketStreams.connect();
  const received = [];
  const record = (stream) => stream.on('message', (message) => received.push(message));
  record(connection.trade({ symbol: 'btcusdt' }));
  record(connection.diffBookDepth({ symbol: 'btcusdt', updateSpeed: '100ms' }));
  record(connection.kline({ symbol: 'btcusdt', interval: '1m' }));
  const trade = async () => {
    await limit(maker, 'SELL', 0.001, 50_000);
    await data(trader.newOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: 0.001 }));
  };
  await actUntil(trade, () => {
    const types = new Set(received.map(({ e }) => e));
    for (const type of ['trade', 'depthUpdate', 'kline']) assert.ok(types.has(type), `${type} is missing`);
  });
  await connection.disconnect();
}

async function requests() {
  const connection = await client.websocketAPI.connect();
  const events = [];
  const subscribed = await connection.userDataStreamSubscribeSignature();
  subscribed.stream.on('message', (event) => events.push(event));
  const order = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 0.01, price: 49_000 };
  const placed = await connection.orderPlace(order);
  const { orderId } = placed.data;
  assert.equal((await connection.orderStatus({ symbol, orderId })).data.status, 'NEW');
  assert.equal((await connection.openOrdersStatus({ symbol })).data.length, 1);
  assert.equal((await connection.orderCancel({ symbol, orderId })).data.status, 'CANCELED');
  await assert.rejects(connection.orderCancel({ symbol, orderId }), (error) => error.code === -2011);
  assert.ok((await connection.accountStatus()).data.balances.length > 0);
  assert.ok((await connection.depth({ symbol })).data.lastUpdateId > 0);
  assert.ok((await connection.myTrades({ symbol })).data.length > 0);
  await eventually(() =>
    assert.deepEqual(
      events.filter(({ e, i }) => e === 'executionReport' && i === orderId).map(({ x }) => x),
      ['NEW', 'CANCELED'],
    ),
  );
  await eventually(() => assert.ok(events.some(({ e }) => e === 'outboundAccountPosition')));
  await connection.disconnect();
}

async function limits() {
  const refusal = await refusalAfter(async () => {
    const { orderId } = await limit(trader, 'BUY', 0.01, 49_000);
    await data(trader.deleteOrder({ symbol, orderId }));
  });
  isRefused(TooManyRequestsError, -1015)(refusal);
}
