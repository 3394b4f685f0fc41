import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { LIMITS, NO_LIMITS } from '../../platform/limits/limits.ts';

const CLIENTS = fileURLToPath(new URL('../../../../../tools/clients', import.meta.url));

/** The journeys of `tools/clients/journeys`, each with what it proves. */
const JOURNEYS = [
  ['ccxt', 'PAPI-119 ccxt'],
  ['ccxt-pro', 'PAPI-119 PAPI-120 ccxt over WebSocket'],
  ['spot', 'PAPI-119 PAPI-120 @binance/spot'],
  ['connector', 'PAPI-119 PAPI-120 @binance/connector'],
  ['binance', 'PAPI-119 PAPI-120 binance'],
  ['node-binance-api', 'PAPI-119 PAPI-120 node-binance-api'],
  ['binance-api-node', 'PAPI-119 PAPI-120 binance-api-node'],
] as const;

describe('unmodified clients of the dialect', () => {
  let exchange: TestExchange;
  const owners: TestTrader['id'][] = [];

  beforeAll(async () => {
    if (!existsSync(join(CLIENTS, 'node_modules')))
      throw new Error('The clients are not installed: run "node tools/clients/install.mjs".');
    exchange = await anExchange({
      // Orders are limited as usual, but the used number decreases slowly, so that slow clients reach the limit as well.
      limits: { ...NO_LIMITS, apiOrder: { ...LIMITS.apiOrder, perSecond: 0.1 } },
    });
  });
  afterAll(() => exchange?.close());
  afterEach(async () => {
    // What a failed journey has left would disturb the next one.
    for (const owner of owners.splice(0))
      await exchange.doors.spot.cancelAll(owner, { baseCoin: 'BTC', quoteCoin: 'USDT' });
  });

  /** Creates an account with funds and a key that may trade. */
  async function makeAccount(): Promise<{ readonly key: string; readonly secret: string }> {
    const owner = await exchange.aUser({ USDT: '100000', BTC: '5' });
    owners.push(owner.id);
    const { apiKey, secret } = await exchange.doors.apiKeys.keys.create(
      owner.id,
      { name: 'Client', mayTrade: true, addresses: [], expiresAt: undefined, publicKey: undefined },
      { caller: { address: '', userAgent: '' }, submission: undefined },
    );
    return { key: apiKey.key, secret };
  }

  /** Runs a journey in a process of its own and returns how it ended. */
  async function run(journey: string) {
    const [trader, maker] = [await makeAccount(), await makeAccount()];
    const child = spawn(process.execPath, [join(CLIENTS, 'journeys', `${journey}.mjs`)], {
      env: {
        PATH: process.env['PATH'],
        API_URL: exchange.url,
        TRADER_KEY: trader.key,
        TRADER_SECRET: trader.secret,
        MAKER_KEY: maker.key,
        MAKER_SECRET: maker.secret,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { exitCode: exitCode as unknown, errors: exitCode === 0 ? '' : errors };
  }

  it.each(JOURNEYS)('%s: %s', async (journey) => {
    expect(await run(journey)).toEqual({ exitCode: 0, errors: '' });
    expect(exchange.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
