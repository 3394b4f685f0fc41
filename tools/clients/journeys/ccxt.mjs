/**
 * Tests the client library ccxt over HTTP: markets, orders, fills, balances, and the error classes that trading
 * programs distinguish.
 */
import assert from 'node:assert/strict';
import ccxt from 'ccxt';
import { API_URL, MAKER, refusalAfter, TRADER } from './journey.mjs';

const SYMBOL = 'BTC/USDT';

/** @param {{ key: string, secret: string }} account */
function connect({ key, secret }) {
  const exchange = new ccxt.binance({ apiKey: key, secret, enableRateLimit: false });
  for (const [name, url] of Object.entries(exchange.urls.api))
    if (typeof url === 'string') exchange.urls.api[name] = url.replace(/^https:\/\/[^/]+/, API_URL);
  return exchange;
}

const trader = connect(TRADER);
const maker = connect(MAKER);

await markets();
await marketData();
await orders();
await stopsAndLists();
await errors();
await clocks();
await limits();

async function markets() {
  const listed = await trader.loadMarkets();
  const market = listed[SYMBOL];
  assert.deepEqual([market.base, market.quote, market.spot, market.active], ['BTC', 'USDT', true, true]);
  assert.deepEqual(market.precision, { ...market.precision, amount: 0.00001, price: 0.01 });
  assert.ok(market.limits.amount.min > 0 && market.limits.cost.min > 0);
  assert.ok(Math.abs((await trader.fetchTime()) - Date.now()) < 60_000);
  assert.equal((await trader.fetchStatus()).status, 'ok');
  const currencies = await trader.fetchCurrencies();
  assert.ok(Object.keys(currencies.USDT.networks).includes('TRC20'), Object.keys(currencies.USDT.networks));
  assert.ok(currencies.USDT.networks.TRC20.fee >= 0);
}

async function marketData() {
  await maker.createOrder(SYMBOL, 'limit', 'sell', 0.01, 50_100);
  await maker.createOrder(SYMBOL, 'limit', 'buy', 0.01, 49_900);
  await trader.createOrder(SYMBOL, 'market', 'buy', 0.002);
  const book = await trader.fetchOrderBook(SYMBOL, 5);
  assert.deepEqual(
    [book.asks[0], book.bids[0]],
    [
      [50_100, 0.008],
      [49_900, 0.01],
    ],
  );
  assert.ok(book.nonce > 0);
  const [trade] = (await trader.fetchTrades(SYMBOL)).slice(-1);
  assert.deepEqual([trade.price, trade.amount, trade.side], [50_100, 0.002, 'buy']);
  const ticker = await trader.fetchTicker(SYMBOL);
  assert.deepEqual([ticker.last, ticker.bid, ticker.ask], [50_100, 49_900, 50_100]);
  const tickers = await trader.fetchTickers([SYMBOL, 'ETH/USDT']);
  assert.deepEqual(Object.keys(tickers).sort(), ['BTC/USDT', 'ETH/USDT']);
  assert.ok(Object.keys(await trader.fetchTickers()).length > 5);
  assert.equal((await trader.fetchBidsAsks([SYMBOL]))[SYMBOL].ask, 50_100);
  assert.equal((await trader.fetchLastPrices([SYMBOL]))[SYMBOL].price, 50_100);
  const candles = await trader.fetchOHLCV(SYMBOL, '1m', undefined, 2);
  const [, , , , close] = candles.at(-1);
  assert.equal(close, 50_100);
  const fee = await trader.fetchTradingFee(SYMBOL);
  assert.ok(fee.maker >= 0 && fee.taker >= fee.maker);
  assert.equal((await trader.fetchTradingFees())[SYMBOL].taker, fee.taker);
  await maker.cancelAllOrders(SYMBOL);
}

async function orders() {
  const before = await trader.fetchBalance();
  await maker.createOrder(SYMBOL, 'limit', 'sell', 0.01, 50_000);
  const bought = await trader.createOrder(SYMBOL, 'limit', 'buy', 0.004, 50_050, { clientOrderId: 'mine-1' });
  assert.deepEqual(
    [bought.status, bought.filled, bought.average, bought.clientOrderId, bought.trades.length],
    ['closed', 0.004, 50_000, 'mine-1', 1],
  );
  const [fill] = await trader.fetchOrderTrades(bought.id, SYMBOL);
  assert.deepEqual(
    [fill.price, fill.amount, fill.takerOrMaker, fill.fee.currency],
    [50_000, 0.004, 'taker', 'BTC'],
  );
  const after = await trader.fetchBalance();
  assert.equal(trader.sum(before.USDT.free, -200), after.USDT.free);
  assert.equal(trader.sum(before.BTC.free, 0.004, 0 - fill.fee.cost), after.BTC.free);
  assert.equal((await trader.fetchMyTrades(SYMBOL)).at(-1).id, fill.id);

  const resting = await trader.createOrder(SYMBOL, 'limit', 'buy', 0.01, 49_000);
  assert.equal(resting.status, 'open');
  assert.equal((await trader.fetchBalance()).USDT.used, 490);
  const edited = await trader.editOrder(resting.id, SYMBOL, 'limit', 'buy', 0.02, 49_010);
  assert.deepEqual([edited.status, edited.price, edited.amount], ['open', 49_010, 0.02]);
  assert.deepEqual(
    (await trader.fetchOpenOrders(SYMBOL)).map(({ id }) => id),
    [edited.id],
  );
  assert.equal((await trader.fetchOrder(resting.id, SYMBOL)).status, 'canceled');
  assert.equal((await trader.cancelOrder(edited.id, SYMBOL)).status, 'canceled');
  assert.equal((await trader.fetchBalance()).USDT.used, 0);
  const statuses = (await trader.fetchOrders(SYMBOL)).map(({ status }) => status);
  assert.deepEqual(statuses, ['closed', 'closed', 'canceled', 'canceled']);
  assert.equal((await trader.fetchClosedOrders(SYMBOL)).length, 2);
  assert.equal((await trader.fetchCanceledOrders(SYMBOL)).length, 2);

  const spent = await trader.createMarketBuyOrderWithCost(SYMBOL, 50);
  assert.deepEqual([spent.status, spent.cost, spent.filled], ['closed', 50, 0.001]);
  await trader.createOrder(SYMBOL, 'limit', 'buy', 0.01, 49_000, { timeInForce: 'IOC' });
  assert.equal((await trader.fetchOrders(SYMBOL)).at(-1).status, 'expired');
  await maker.cancelAllOrders(SYMBOL);
}

async function stopsAndLists() {
  const stop = await trader.createOrder(SYMBOL, 'limit', 'sell', 0.01, 48_000, { stopLossPrice: 48_500 });
  const profit = await trader.createOrder(SYMBOL, 'limit', 'sell', 0.01, 52_000, { takeProfitPrice: 51_900 });
  const open = await trader.fetchOpenOrders(SYMBOL);
  assert.deepEqual(
    open.map(({ id, type, triggerPrice }) => [id, type, triggerPrice]),
    [
      [stop.id, 'limit', 48_500],
      [profit.id, 'limit', 51_900],
    ],
  );
  assert.equal((await trader.cancelAllOrders(SYMBOL)).length, 2);
  const postOnly = await trader.createOrder(SYMBOL, 'limit', 'buy', 0.01, 49_000, { postOnly: true });
  assert.equal((await trader.fetchOrder(postOnly.id, SYMBOL)).postOnly, true);
  await trader.cancelOrder(postOnly.id, SYMBOL);
}

async function errors() {
  const buy = (amount, price, params = {}) =>
    trader.createOrder(SYMBOL, 'limit', 'buy', amount, price, params);
  await maker.createOrder(SYMBOL, 'limit', 'sell', 0.01, 50_000);
  await assert.rejects(buy(8, 49_000), ccxt.InsufficientFunds);
  await assert.rejects(trader.cancelOrder('123456', SYMBOL), ccxt.OrderNotFound);
  await assert.rejects(trader.fetchOrder('123456', SYMBOL), ccxt.OrderNotFound);
  await assert.rejects(buy(0.01, 50_000, { postOnly: true }), ccxt.OrderImmediatelyFillable);
  await assert.rejects(buy(0.01, 100), ccxt.InvalidOrder);
  await assert.rejects(trader.publicGetDepth({ symbol: 'NONEUSDT' }), ccxt.BadSymbol);
  await assert.rejects(
    trader.privatePostOrder({
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '0.000001',
      price: '49000',
    }),
    ccxt.InvalidOrder,
  );
  await assert.rejects(
    trader.privatePostOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'NONE' }),
    ccxt.BadRequest,
  );
  await buy(0.01, 49_000, { clientOrderId: 'twice' });
  await assert.rejects(buy(0.01, 49_000, { clientOrderId: 'twice' }), ccxt.InvalidOrder);
  await trader.cancelAllOrders(SYMBOL);
  const { key, secret } = TRADER;
  const wrongSecret = connect({ key, secret: 'x'.repeat(64) });
  await assert.rejects(wrongSecret.fetchBalance(), ccxt.AuthenticationError);
  const wrongKey = connect({ key: 'x'.repeat(64), secret });
  await assert.rejects(wrongKey.fetchBalance(), ccxt.AuthenticationError);
  await maker.cancelAllOrders(SYMBOL);
}

/** Tests a program whose clock is wrong: its requests are refused until it has fetched the exchange's time. */
async function clocks() {
  const late = connect(TRADER);
  late.options.timeDifference = 120_000;
  await assert.rejects(late.privateGetAccount(), ccxt.InvalidNonce);
  late.options.timeDifference = -120_000;
  await assert.rejects(late.privateGetAccount(), ccxt.InvalidNonce);
  await late.loadTimeDifference();
  assert.ok((await late.fetchBalance()).BTC.free > 0);
}

async function limits() {
  const refusal = await refusalAfter(async () => {
    const { id } = await trader.createOrder(SYMBOL, 'limit', 'buy', 0.01, 49_000);
    await trader.cancelOrder(id, SYMBOL);
  });
  assert.ok(refusal instanceof ccxt.DDoSProtection, String(refusal));
  assert.ok(
    Number(trader.last_response_headers['Retry-After'] ?? trader.last_response_headers['retry-after']) > 0,
  );
}
