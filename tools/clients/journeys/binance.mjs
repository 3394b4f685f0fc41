/** Tests the client library `binance`: REST, market streams, the account's events, and orders over WebSocket. */
import assert from 'node:assert/strict';
import { MainClient, WebsocketAPIClient, WebsocketClient, WS_KEY_MAP } from 'binance';
import { actUntil, API_URL, MAKER, refusalAfter, STREAM_URL, TRADER } from './journey.mjs';

const symbol = 'BTCUSDT';
const silent = { trace: () => {}, info: () => {}, error: () => {} };

/** Returns a client of our API for the account. @param {{ key: string, secret: string }} account */
function connect({ key, secret }) {
  return new MainClient({
    api_key: key,
    api_secret: secret,
    baseUrl: API_URL,
    // The time synchronization is switched off, because this client library would read the time from its default URL
    // instead of `baseUrl`.
    disableTimeSync: true,
  });
}

const trader = connect(TRADER);
const maker = connect(MAKER);
const limit = (client, side, quantity, price, more = {}) =>
  client.submitNewOrder({ symbol, side, type: 'LIMIT', timeInForce: 'GTC', quantity, price, ...more });

await marketData();
await orders();
await errors();
await events();
await requests();
await limits();
// Exits explicitly, because the client library renews its listen key with a timer that it never stops and that would
// keep the process running.
process.exit(0);

async function marketData() {
  await trader.testConnectivity();
  const info = await trader.getExchangeInfo({ symbols: [symbol, 'ETHUSDT'] });
  assert.equal(info.symbols.length, 2);
  await limit(maker, 'SELL', '0.01', '50100');
  await limit(maker, 'BUY', '0.01', '49900');
  await trader.submitNewOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.001' });
  assert.deepEqual((await trader.getOrderBook({ symbol, limit: 5 })).asks, [['50100.00', '0.00900']]);
  assert.equal((await trader.getRecentTrades({ symbol, limit: 1 }))[0].price, '50100.00');
  assert.equal((await trader.getHistoricalTrades({ symbol, limit: 1 }))[0].price, '50100.00');
  assert.equal((await trader.getAggregateTrades({ symbol, limit: 1 }))[0].p, '50100.00');
  assert.equal((await trader.getKlines({ symbol, interval: '1m', limit: 1 }))[0][4], '50100.00');
  assert.equal((await trader.getUIKlines({ symbol, interval: '1w', limit: 1 }))[0][4], '50100.00');
  assert.ok(Number((await trader.getAvgPrice({ symbol })).price) > 0);
  assert.equal((await trader.get24hrChangeStatistics({ symbol })).lastPrice, '50100.00');
  assert.equal((await trader.getSymbolPriceTicker({ symbol })).price, '50100.00');
  assert.equal((await trader.getSymbolOrderBookTicker({ symbol })).bidPrice, '49900.00');
  assert.equal((await trader.getSystemStatus()).status, 0);
  assert.ok((await trader.getBalances()).some(({ coin }) => coin === 'USDT'));
  assert.ok((await trader.getTradeFee({ symbol }))[0].takerCommission);
  assert.equal((await trader.getApiKeyPermissions()).enableSpotAndMarginTrading, true);
  assert.ok((await trader.getDepositAddress({ coin: 'USDT', network: 'TRX' })).address);
  assert.deepEqual(await trader.getDepositHistory(), []);
  assert.deepEqual(await trader.getWithdrawHistory(), []);
  await maker.cancelAllSymbolOrders({ symbol });
}

async function orders() {
  await limit(maker, 'SELL', '0.01', '50000');
  const bought = await limit(trader, 'BUY', '0.004', '50000');
  assert.deepEqual([bought.status, bought.fills.length], ['FILLED', 1]);
  const [fill] = await trader.getAccountTradeList({ symbol, orderId: bought.orderId });
  assert.deepEqual([fill.qty, fill.commissionAsset], ['0.00400', 'BTC']);
  const { orderId } = await limit(trader, 'BUY', '0.02', '49000');
  const replaced = await trader.replaceOrder({
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    cancelReplaceMode: 'STOP_ON_FAILURE',
    cancelOrderId: orderId,
    timeInForce: 'GTC',
    quantity: '0.01',
    price: '49010',
  });
  const { orderId: openId } = replaced.newOrderResponse;
  assert.deepEqual(
    (await trader.getOpenOrders({ symbol })).map((order) => order.orderId),
    [openId],
  );
  assert.equal((await trader.getOrder({ symbol, orderId: openId })).status, 'NEW');
  assert.equal((await trader.cancelOrder({ symbol, orderId: openId })).status, 'CANCELED');
  assert.equal((await trader.getAllOrders({ symbol })).at(-1).status, 'CANCELED');
  const list = await trader.submitNewOrderList({
    symbol,
    side: 'SELL',
    quantity: '0.01',
    aboveType: 'LIMIT_MAKER',
    abovePrice: '52000',
    belowType: 'STOP_LOSS',
    belowStopPrice: '48000',
  });
  assert.equal(list.orders.length, 2);
  await trader.cancelAllSymbolOrders({ symbol });
  const account = await trader.getAccountInformation({ omitZeroBalances: true });
  assert.deepEqual(account.balances.map(({ asset }) => asset).sort(), ['BTC', 'USDT']);
  assert.equal((await trader.getOrderRateLimit()).length, 2);
  await maker.cancelAllSymbolOrders({ symbol });
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
  assert.equal(await codeOf(trader.getOrderBook({ symbol: 'NONE' })), -1121);
  assert.equal(await codeOf(limit(trader, 'BUY', '0.000001', '49000')), -1013);
  assert.equal(await codeOf(connect({ ...TRADER, secret: MAKER.secret }).getAccountInformation()), -1022);
  const slow = connect(TRADER);
  slow.setTimeOffset(-120_000);
  assert.equal(await codeOf(slow.getAccountInformation()), -1021);
}

async function events() {
  const received = [];
  const record = (data) => received.push(data.event ?? data);
  const market = new WebsocketClient({ beautify: false, wsUrl: STREAM_URL }, silent);
  market.on('message', record);
  await market.subscribe(['btcusdt@trade', 'btcusdt@depth@100ms'], WS_KEY_MAP.main);
  const own = new WebsocketClient(
    {
      api_key: TRADER.key,
      api_secret: TRADER.secret,
      beautify: false,
      wsUrl: STREAM_URL,
      restOptions: { baseUrl: API_URL, disableTimeSync: true },
    },
    silent,
  );
  own.on('message', record);
  await own.subscribeSpotUserDataStream();
  const trade = async () => {
    await limit(maker, 'SELL', '0.001', '50000');
    await trader.submitNewOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.001' });
  };
  await actUntil(trade, () => {
    const types = new Set(received.map(({ e, data }) => e ?? data?.e));
    for (const type of ['trade', 'depthUpdate', 'executionReport', 'outboundAccountPosition'])
      assert.ok(types.has(type), `${type} is missing`);
  });
  market.closeAll(true);
  own.closeAll(true);
}

async function requests() {
  const client = new WebsocketAPIClient(
    {
      api_key: TRADER.key,
      api_secret: TRADER.secret,
      beautify: false,
      wsUrl: STREAM_URL,
      attachEventListeners: false,
    },
    silent,
  );
  const order = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '49000' };
  const { result } = await client.submitNewSpotOrder({ ...order, timestamp: Date.now() });
  const { orderId } = result;
  const status = await client.getSpotOrderStatus({ symbol, orderId, timestamp: Date.now() });
  assert.equal(status.result.status, 'NEW');
  const cancelled = await client.cancelSpotOrder({ symbol, orderId, timestamp: Date.now() });
  assert.equal(cancelled.result.status, 'CANCELED');
  // This client library sends a new client order ID with every amendment. The test sets it to the ID that the order
  // already has, so that the amendment does not change it.
  const newClientOrderId = 'x-U5D79M5Bamended';
  await client.submitNewSpotOrder({ ...order, newClientOrderId, timestamp: Date.now() });
  const change = {
    symbol,
    origClientOrderId: newClientOrderId,
    newClientOrderId,
    newQty: '0.005',
    timestamp: Date.now(),
  };
  assert.equal((await client.amendSpotOrderKeepPriority(change)).result.amendedOrder.qty, '0.00500');
  await client.cancelAllSpotOpenOrders({ symbol, timestamp: Date.now() });
  const account = await client.getSpotAccountInformation({ timestamp: Date.now() });
  assert.ok(account.result.balances.length > 0);
  assert.ok((await client.getSpotOrderBook({ symbol })).result.lastUpdateId > 0);
  void client.disconnectAll();
}

async function limits() {
  const refusal = await refusalAfter(async () => {
    const { orderId } = await limit(trader, 'BUY', '0.01', '49000');
    await trader.cancelOrder({ symbol, orderId });
  });
  assert.equal(refusal.code, -1015);
}
