/** Tests the tools of `packages/mcp` with the client of MCP's official library. */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { API_URL, TRADER } from './journey.mjs';

const SERVER = process.env.MCP_SERVER ?? '';
const KEY = { EXCHANGE_API_KEY: TRADER.key, EXCHANGE_API_SECRET: TRADER.secret };

/**
 * Starts the MCP server with the given command-line parameters and environment variables; returns its client.
 *
 * @param {string[]} parameters
 * @param {Record<string, string>} settings
 */
async function connect(parameters, settings) {
  const client = new Client({ name: 'journey', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [SERVER, ...parameters],
      env: { EXCHANGE_URL: API_URL, ...settings },
    }),
  );
  return client;
}

/**
 * Calls a tool and returns its answer. Throws an error with the text of the refusal if the tool refuses the call.
 * @param {Client} client @param {string} name @param {Record<string, unknown>} [input] @returns {Promise<any>}
 */
async function use(client, name, input = {}) {
  const { content, isError } = /** @type {any} */ (await client.callTool({ name, arguments: input }));
  if (isError) throw new Error(content[0].text);
  return JSON.parse(content[0].text);
}

// Without an API key, the tools can read market data, refuse to read account data, and change nothing.
const reader = await connect([], {});
const { tools } = await reader.listTools();
assert.ok(tools.length > 15);
assert.deepEqual(
  tools.filter(({ annotations }) => !annotations?.readOnlyHint),
  [],
);
assert.match(String(reader.getInstructions()), /after they have agreed/);
assert.equal((await use(reader, 'get_price', { symbol: 'BTCUSDT' })).symbol, 'BTCUSDT');
assert.equal((await use(reader, 'get_order_book', { symbol: 'BTCUSDT', limit: 5 })).bids.length <= 5, true);
await assert.rejects(use(reader, 'get_price', { symbol: 'NOPEUSDT' }), /-1121: Invalid symbol/);
await assert.rejects(use(reader, 'get_account'), /needs a key/);
await assert.rejects(use(reader, 'get_price', { pair: 'BTCUSDT' }), /no argument "pair"/);
await assert.rejects(use(reader, 'place_order', { planId: 'x' }), /No tool has this name/);
await reader.close();

// With an API key but without the flag `--trade`, the tools can read account data, but there is no tool that trades.
const watcher = await connect([], KEY);
const { balances } = await use(watcher, 'get_account', { omitZeroBalances: 'true' });
assert.deepEqual(balances.map(({ asset }) => asset).toSorted(), ['BTC', 'USDT']);
await assert.rejects(use(watcher, 'plan_order', {}), /No tool has this name/);
await watcher.close();

// With the flag `--trade`, an order is planned, placed once, fetched and cancelled.
const trader = await connect(['--trade', '--max-order=60', '--max-total=100'], KEY);
const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.001',
  price: '50000',
};
const plan = await use(trader, 'plan_order', order);
assert.equal(plan.locks, '50 USDT');
assert.equal(plan.freeAfterwards, '99950 USDT');
assert.match(plan.greatestFee, /^0\.0000\d+ BTC \(/);
assert.deepEqual(await use(trader, 'get_open_orders', { symbol: 'BTCUSDT' }), []);
const [placed, again] = await Promise.all([
  use(trader, 'place_order', { planId: plan.planId }),
  use(trader, 'place_order', { planId: plan.planId }),
]);
assert.deepEqual(again, placed);
assert.equal(placed.clientOrderId, `mcp-${plan.planId}`);
const open = await use(trader, 'get_open_orders', { symbol: 'BTCUSDT' });
assert.deepEqual(
  open.map(({ orderId, price, origQty }) => [orderId, Number(price), Number(origQty)]),
  [[placed.orderId, 50_000, 0.001]],
);
// Orders for 50 USDT have been placed in this run of the MCP server, which is limited to 100 USDT in total, so an order
// for another 55 USDT is refused.
await assert.rejects(use(trader, 'plan_order', { ...order, quantity: '0.0011' }), /--max-total/);
await assert.rejects(use(trader, 'plan_order', { ...order, quantity: '0.002' }), /--max-order/);
await assert.rejects(use(trader, 'plan_order', { ...order, quantity: 0.001 }), /has to be text/);
await assert.rejects(
  use(trader, 'plan_order', { ...order, quantity: '0.0005', price: '50000.001' }),
  /-1013: Filter failure: PRICE_FILTER/,
);
await use(trader, 'cancel_order', { symbol: 'BTCUSDT', orderId: placed.orderId });
assert.deepEqual(await use(trader, 'get_open_orders', { symbol: 'BTCUSDT' }), []);
assert.deepEqual(await use(trader, 'place_order', { planId: plan.planId }), placed);
await trader.close();
