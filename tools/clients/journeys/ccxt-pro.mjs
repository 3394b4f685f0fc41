/** Tests the client library ccxt over WebSocket: market streams, orders on a connection, and the account's events. */
import assert from 'node:assert/strict';
import ccxt from 'ccxt';
import { actUntil, API_URL, eventually, MAKER, STREAM_URL, TRADER } from './journey.mjs';

const SYMBOL = 'BTC/USDT';

/** Returns a ccxt client of our API for the account. @param {{ key: string, secret: string }} account */
function connect({ key, secret }) {
  const exchange = new ccxt.pro.binance({ apiKey: key, secret, enableRateLimit: false });
  const { api } = exchange.urls;
  for (const [name, url] of Object.entries(api))
    if (typeof url === 'string') api[name] = url.replace(/^https:\/\/[^/]+/, API_URL);
  api.ws.spot = `${STREAM_URL}/ws`;
  api.ws['ws-api'].spot = `${STREAM_URL}/ws-api/v3`;
  return exchange;
}

const trader = connect(TRADER);
const maker = connect(MAKER);
// ccxt opens connections without TLS only after a call of `loadHttpProxyAgent`; for a wss:// URL the call
// would not be needed.
await trader.loadHttpProxyAgent();
await trader.loadMarkets();
await maker.loadMarkets();
await marketStreams();
await ownEvents();
await requests();
await trader.close();
await maker.close();

async function marketStreams() {
  await maker.createOrder(SYMBOL, 'limit', 'sell', 0.01, 50_100);
  await maker.createOrder(SYMBOL, 'limit', 'buy', 0.01, 49_900);
  await maker.createOrder(SYMBOL, 'market', 'sell', 0.001);
  let book = await trader.watchOrderBook(SYMBOL);
  assert.deepEqual(book.asks[0], [50_100, 0.01]);
  // The first event of a stream can be older than the purchases, so each stream is followed until it shows them.
  const awaited = new Set(['trades', 'ticker', 'candles', 'best levels']);
  const follow = async (name, watch, isShown) => {
    while (!isShown(await watch()));
    awaited.delete(name);
  };
  const followers = Promise.all([
    follow(
      'trades',
      () => trader.watchTrades(SYMBOL),
      (trades) => trades.at(-1).price === 50_100 && trades.at(-1).side === 'buy',
    ),
    follow(
      'ticker',
      () => trader.watchTicker(SYMBOL),
      ({ last }) => last === 50_100,
    ),
    follow(
      'candles',
      () => trader.watchOHLCV(SYMBOL, '1m'),
      (candles) => candles.at(-1)[4] === 50_100,
    ),
    follow(
      'best levels',
      () => trader.watchBidsAsks([SYMBOL]),
      (levels) => levels[SYMBOL].bid === 49_900,
    ),
  ]);
  await actUntil(
    () => trader.createOrder(SYMBOL, 'market', 'buy', 0.0001),
    () => assert.deepEqual([...awaited], [], 'a stream does not show the purchases'),
  );
  await followers;
  await maker.createOrder(SYMBOL, 'limit', 'buy', 0.02, 49_800);
  // The client library's order book, which it builds from a snapshot and events, must equal the order book that the
  // exchange returns.
  while (!book.bids.some(([price, amount]) => price === 49_800 && amount === 0.02))
    book = await trader.watchOrderBook(SYMBOL);
  const snapshot = await trader.fetchOrderBook(SYMBOL);
  assert.deepEqual(
    [...book.bids].map(([...level]) => level),
    snapshot.bids,
  );
  await maker.cancelAllOrders(SYMBOL);
}

async function ownEvents() {
  await trader.fetchBalance();
  const orders = [];
  const fills = [];
  const balances = [];
  const follow = async (watch, list) => {
    for (;;) list.push(await watch());
  };
  // Each call of `follow` waits for events of the account in an endless loop until the client is closed. The
  // call then rejects with an error of the class `ExchangeClosedByUser`.
  const followers = [
    follow(() => trader.watchOrders(SYMBOL), orders),
    follow(() => trader.watchMyTrades(SYMBOL), fills),
    follow(() => trader.watchBalance(), balances),
  ];
  for (const follower of followers)
    follower.catch((/** @type {unknown} */ error) =>
      assert.ok(error instanceof ccxt.ExchangeClosedByUser, error),
    );
  // This client library does not report when a subscription has become active. An order is therefore placed and
  // cancelled repeatedly until its first event has arrived.
  await actUntil(
    async () => {
      const { id } = await trader.createOrder(SYMBOL, 'limit', 'buy', 0.01, 49_000);
      await trader.cancelOrder(id, SYMBOL);
    },
    () => assert.ok(orders.length > 0 && balances.length > 0),
  );
  await maker.createOrder(SYMBOL, 'limit', 'sell', 0.01, 50_000);
  const bought = await trader.createOrder(SYMBOL, 'limit', 'buy', 0.02, 50_000);
  await trader.cancelOrder(bought.id, SYMBOL);
  const seen = () =>
    orders
      .flat()
      .filter(({ id }) => id === bought.id)
      .map(({ status, filled }) => [status, filled]);
  await eventually(() => assert.deepEqual(seen().at(-1), ['canceled', 0.01]));
  await eventually(() => {
    const fill = fills.flat().find(({ order }) => order === bought.id);
    assert.deepEqual([fill.price, fill.amount, fill.side, fill.fee.currency], [50_000, 0.01, 'buy', 'BTC']);
  });
  const { USDT } = await trader.fetchBalance();
  await eventually(() => assert.equal(balances.at(-1).USDT.free, USDT.free));
}

async function requests() {
  const placed = await trader.createOrderWs(SYMBOL, 'limit', 'buy', 0.01, 49_000);
  assert.equal(placed.status, 'open');
  assert.equal((await trader.fetchOrderWs(placed.id, SYMBOL)).id, placed.id);
  assert.equal((await trader.fetchOpenOrdersWs(SYMBOL)).length, 1);
  const edited = await trader.editOrderWs(placed.id, SYMBOL, 'limit', 'buy', 0.02, 49_010);
  assert.deepEqual([edited.status, edited.amount], ['open', 0.02]);
  assert.equal((await trader.cancelOrderWs(edited.id, SYMBOL)).status, 'canceled');
  // This version of ccxt does not parse the balances in the response for a spot account, so the raw response is
  // checked.
  assert.ok(
    (await trader.fetchBalanceWs()).info.balances.some(({ asset, free }) => asset === 'USDT' && free > 0),
  );
  assert.ok((await trader.fetchMyTradesWs(SYMBOL)).length > 0);
  assert.ok((await trader.fetchOrdersWs(SYMBOL)).length > 0);
  assert.ok((await trader.fetchOHLCVWs(SYMBOL, '1m')).length > 0);
  assert.ok((await trader.fetchTradesWs(SYMBOL)).length > 0);
  await assert.rejects(trader.cancelOrderWs('123456', SYMBOL), ccxt.OrderNotFound);
  await assert.rejects(trader.createOrderWs(SYMBOL, 'limit', 'buy', 9, 49_000), ccxt.InsufficientFunds);
}
