/**
 * Tests the client library `@binance/connector`: the calls over HTTP, a listen key, streams, and requests on a
 * WebSocket connection.
 */
import assert from 'node:assert/strict';
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { Spot, WebsocketAPI, WebsocketStream } from '@binance/connector';
import { API_URL, eventually, MAKER, refusalAfter, STREAM_URL, TRADER } from './journey.mjs';

const SYMBOL = 'BTCUSDT';
const quiet = new Console(new Writable({ write: (_text, _encoding, done) => done() }));

const trader = new Spot(TRADER.key, TRADER.secret, { baseURL: API_URL });
const maker = new Spot(MAKER.key, MAKER.secret, { baseURL: API_URL });
const limit = (client, side, quantity, price, options = {}) =>
  client
    .newOrder(SYMBOL, side, 'LIMIT', { timeInForce: 'GTC', quantity, price, ...options })
    .then(({ data }) => data);
/** Resolves to the HTTP status and the error code of a refused request; fails if the request is not refused. */
const refusal = async (request) => {
  const { response } = await request.then(
    () => assert.fail('was not refused'),
    (error) => error,
  );
  return [response.status, response.data.code];
};

await marketData();
await orders();
await events();
await requests();
await limits();

async function marketData() {
  await trader.ping();
  assert.ok((await trader.time()).data.serverTime > 0);
  const { data: info } = await trader.exchangeInfo({ symbols: [SYMBOL, 'ETHUSDT'] });
  assert.deepEqual(
    info.symbols.map(({ symbol }) => symbol),
    [SYMBOL, 'ETHUSDT'],
  );
  await limit(maker, 'SELL', '0.01', '50100');
  await limit(maker, 'BUY', '0.01', '49900');
  await trader.newOrder(SYMBOL, 'BUY', 'MARKET', { quantity: '0.001' });
  const { data: book } = await trader.depth(SYMBOL, { limit: 5 });
  assert.deepEqual(book.asks, [['50100.00', '0.00900']]);
  const { data: trades } = await trader.trades(SYMBOL, { limit: 1 });
  assert.deepEqual([trades[0].price, trades[0].isBuyerMaker], ['50100.00', false]);
  assert.equal((await trader.historicalTrades(SYMBOL, { fromId: trades[0].id })).data.length, 1);
  assert.equal((await trader.aggTrades(SYMBOL, { limit: 1 })).data[0].p, '50100.00');
  assert.equal((await trader.klines(SYMBOL, '1m', { limit: 1 })).data[0][4], '50100.00');
  assert.equal((await trader.uiklines(SYMBOL, '1h', { limit: 1 })).data[0][4], '50100.00');
  assert.ok(Number((await trader.avgPrice(SYMBOL)).data.price) > 0);
  assert.equal((await trader.ticker24hr(SYMBOL)).data.lastPrice, '50100.00');
  assert.equal((await trader.tickerPrice(SYMBOL)).data.price, '50100.00');
  assert.equal((await trader.bookTicker(SYMBOL)).data.bidPrice, '49900.00');
  assert.equal((await trader.systemStatus()).data.status, 0);
  assert.ok((await trader.coinInfo()).data.some(({ coin }) => coin === 'USDT'));
  assert.ok((await trader.tradeFee({ symbol: SYMBOL })).data[0].takerCommission);
  assert.equal((await trader.apiPermissions()).data.enableWithdrawals, false);
  assert.ok((await trader.depositAddress('USDT', { network: 'TRX' })).data.address);
  assert.deepEqual((await trader.depositHistory()).data, []);
  assert.deepEqual((await trader.withdrawHistory()).data, []);
  await maker.cancelOpenOrders(SYMBOL);
}

async function orders() {
  await limit(maker, 'SELL', '0.01', '50000');
  const bought = await limit(trader, 'BUY', '0.004', '50000', { newClientOrderId: 'connector-1' });
  assert.deepEqual([bought.status, bought.fills.length, bought.clientOrderId], ['FILLED', 1, 'connector-1']);
  const { data: fills } = await trader.myTrades(SYMBOL, { orderId: bought.orderId });
  assert.deepEqual([fills[0].qty, fills[0].isBuyer, fills[0].commissionAsset], ['0.00400', true, 'BTC']);
  assert.deepEqual((await trader.newOrderTest(SYMBOL, 'BUY', 'MARKET', { quoteOrderQty: '50' })).data, {});
  const resting = await limit(trader, 'BUY', '0.01', '49000');
  const { data: replaced } = await trader.cancelAndReplace(SYMBOL, 'BUY', 'LIMIT', 'STOP_ON_FAILURE', {
    cancelOrderId: resting.orderId,
    timeInForce: 'GTC',
    quantity: '0.02',
    price: '49010',
  });
  const { orderId } = replaced.newOrderResponse;
  assert.equal((await trader.getOrder(SYMBOL, { orderId })).data.status, 'NEW');
  assert.deepEqual(
    (await trader.openOrders()).data.map((order) => order.orderId),
    [orderId],
  );
  assert.equal((await trader.cancelOrder(SYMBOL, { orderId })).data.status, 'CANCELED');
  assert.equal((await trader.allOrders(SYMBOL, { orderId })).data.at(0).status, 'CANCELED');
  const { data: list } = await trader.newOCOOrder(SYMBOL, 'SELL', '0.01', 'LIMIT_MAKER', 'STOP_LOSS_LIMIT', {
    abovePrice: '52000',
    belowPrice: '48000',
    belowStopPrice: '48500',
    belowTimeInForce: 'GTC',
  });
  const { orderListId } = list;
  assert.equal((await trader.getOCOOrder({ orderListId })).data.listOrderStatus, 'EXECUTING');
  assert.equal((await trader.getOpenOCOOrders()).data.length, 1);
  assert.equal((await trader.cancelOCOOrder(SYMBOL, { orderListId })).data.listOrderStatus, 'ALL_DONE');
  const { data: account } = await trader.account({ omitZeroBalances: true });
  assert.deepEqual(account.balances.map(({ asset }) => asset).sort(), ['BTC', 'USDT']);
  assert.equal((await trader.orderCount()).data.length, 2);
  assert.deepEqual(await refusal(trader.cancelOrder(SYMBOL, { orderId })), [400, -2011]);
  assert.deepEqual(await refusal(trader.getOrder(SYMBOL, { orderId: 1 })), [400, -2013]);
  assert.deepEqual(await refusal(limit(trader, 'BUY', '9', '49000')), [400, -2010]);
  assert.deepEqual(await refusal(limit(trader, 'BUY', '0.000001', '49000')), [400, -1013]);
  assert.deepEqual(await refusal(trader.depth('NONE')), [400, -1121]);
  assert.deepEqual(await refusal(trader.account({ recvWindow: 60_001 })), [400, -1131]);
  const other = new Spot(TRADER.key, MAKER.secret, { baseURL: API_URL });
  assert.deepEqual(await refusal(other.account()), [400, -1022]);
  await maker.cancelOpenOrders(SYMBOL);
}

/** Opens a connection for market data streams and stores the messages that arrive on it. */
async function openStream(streams, isCombined) {
  const received = [];
  let opened;
  const isOpen = new Promise((resolve) => {
    opened = resolve;
  });
  const callbacks = { open: opened, message: (text) => received.push(JSON.parse(text)) };
  const stream = new WebsocketStream({
    logger: quiet,
    callbacks,
    wsURL: STREAM_URL,
    combinedStreams: isCombined,
  });
  stream.subscribe(streams);
  await isOpen;
  return { stream, received };
}

async function events() {
  const { listenKey } = (await trader.createListenKey()).data;
  await trader.renewListenKey(listenKey);
  const own = await openStream(listenKey, false);
  const market = await openStream(['btcusdt@trade', 'btcusdt@bookTicker'], true);
  await limit(maker, 'SELL', '0.01', '50000');
  const bought = await limit(trader, 'BUY', '0.01', '50000');
  const reports = () => own.received.filter(({ e, i }) => e === 'executionReport' && i === bought.orderId);
  await eventually(() =>
    assert.deepEqual(
      reports().map(({ x, X }) => [x, X]),
      [
        ['NEW', 'NEW'],
        ['TRADE', 'FILLED'],
      ],
    ),
  );
  await eventually(() => assert.ok(own.received.some(({ e }) => e === 'outboundAccountPosition')));
  await eventually(() =>
    assert.ok(
      market.received.some(({ stream, data }) => stream === 'btcusdt@trade' && data.p === '50000.00'),
    ),
  );
  await trader.closeListenKey(listenKey);
  assert.deepEqual(await refusal(trader.renewListenKey(listenKey)), [400, -1125]);
  own.stream.disconnect();
  market.stream.disconnect();
}

async function requests() {
  const received = [];
  let socket;
  await new Promise((resolve) => {
    const callbacks = { open: resolve, message: (text) => received.push(JSON.parse(text)) };
    const options = { logger: quiet, callbacks, wsURL: `${STREAM_URL}/ws-api/v3` };
    socket = new WebsocketAPI(TRADER.key, TRADER.secret, options);
  });
  /**
   * Calls `send(id)`, which sends a request with this ID; resolves to its response, or fails if there is
   * none.
   */
  const request = async (id, send) => {
    send(id);
    return eventually(() => {
      const answer = received.find((message) => message.id === id);
      return answer ?? assert.fail(`no answer to ${id}`);
    });
  };
  assert.equal((await request('ping', (id) => socket.ping({ id }))).status, 200);
  const order = { timeInForce: 'GTC', quantity: '0.01', price: '49000' };
  const placed = await request('place', (id) => socket.newOrder(SYMBOL, 'BUY', 'LIMIT', { id, ...order }));
  const { orderId } = placed.result;
  assert.equal((await request('open', (id) => socket.openOrders(SYMBOL, { id }))).result.length, 1);
  assert.equal((await request('get', (id) => socket.getOrder(SYMBOL, { id, orderId }))).result.status, 'NEW');
  const cancelled = await request('cancel', (id) => socket.cancelOrder(SYMBOL, { id, orderId }));
  assert.equal(cancelled.result.status, 'CANCELED');
  const again = await request('again', (id) => socket.cancelOrder(SYMBOL, { id, orderId }));
  assert.deepEqual([again.status, again.error.code], [400, -2011]);
  assert.ok((await request('account', (id) => socket.account({ id }))).result.balances.length > 0);
  assert.ok((await request('fills', (id) => socket.myTrades(SYMBOL, { id }))).result.length > 0);
  assert.ok((await request('orders', (id) => socket.orderHistory(SYMBOL, { id }))).result.length > 0);
  assert.ok((await request('book', (id) => socket.orderbook(SYMBOL, { id }))).result.lastUpdateId > 0);
  socket.disconnect();
}

async function limits() {
  const { response } = await refusalAfter(async () => {
    const { orderId } = await limit(trader, 'BUY', '0.01', '49000');
    await trader.cancelOrder(SYMBOL, { orderId });
  });
  assert.deepEqual([response.status, response.data.code], [429, -1015]);
  assert.ok(Number(response.headers['retry-after']) > 0);
}
