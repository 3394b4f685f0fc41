import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { byForm, commitSeed, isSelectedByCommit } from '../../../../../tools/test-form.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { LIMITS, NO_LIMITS } from '../../platform/limits/limits.ts';
import { BothWays, randomCommand, type Account, type View, type Way } from './testing/both-ways.ts';

const CLIENTS = fileURLToPath(new URL('../../../../../tools/clients', import.meta.url));

/** The journey that every commit makes. */
const FIRST = ['ccxt', 'PAPI-119 ccxt'] as const;
/** The other journeys of `tools/clients/journeys`. A commit makes a third of them, the long form all. */
const OTHERS = [
  ['ccxt-pro', 'PAPI-119 PAPI-120 ccxt over WebSocket'],
  ['spot', 'PAPI-119 PAPI-120 @binance/spot'],
  ['connector', 'PAPI-119 PAPI-120 @binance/connector'],
  ['binance', 'PAPI-119 PAPI-120 binance'],
  ['node-binance-api', 'PAPI-119 PAPI-120 node-binance-api'],
  ['binance-api-node', 'PAPI-119 PAPI-120 binance-api-node'],
] as const;
const GROUPS = 3;
/** Random commands that are executed twice, and the accounts that send them. */
const COMMANDS = byForm(60, 1_000);
const ACCOUNTS = byForm(3, 16);
const selected = [FIRST, ...OTHERS.filter((_journey, place) => isSelectedByCommit(place % GROUPS, GROUPS))];

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
  async function makeAccount() {
    const trader = await exchange.aUser({ USDT: '100000', BTC: '5' });
    owners.push(trader.id);
    const { apiKey, secret } = await exchange.doors.apiKeys.keys.create(
      trader.id,
      {
        name: 'Client',
        mayTrade: true,
        mayTransfer: false,
        addresses: [],
        expiresAt: undefined,
        publicKey: undefined,
      },
      { caller: { address: '', userAgent: '' }, submission: undefined },
    );
    return { trader, key: apiKey.key, secret };
  }

  /** Runs a journey in a process of its own and returns how it ended. */
  async function run(journey: string, signal: AbortSignal) {
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
      signal,
    });
    const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { exitCode: exitCode as unknown, errors: exitCode === 0 ? '' : errors };
  }

  it('PAPI-121 random commands through keys and the app in turn give the same orders, fills and balances', async () => {
    const random = seededRandom(commitSeed);
    const commands = Array.from({ length: COMMANDS }, () => ({
      command: randomCommand(random, ACCOUNTS),
      way: random.pick(['app', 'api'] as const),
    }));
    /** Executes all commands with new accounts and returns what was accepted and what both ways show at the end. */
    const runAll = async (wayOf: (way: Way) => Way) => {
      const accounts: Account[] = [];
      while (accounts.length < ACCOUNTS) {
        const { trader, key, secret } = await makeAccount();
        const sign = (message: string) => createHmac('sha256', secret).update(message).digest('hex');
        accounts.push({ trader, key: { key, sign } });
      }
      const both = new BothWays(exchange, accounts);
      const accepted: boolean[] = [];
      for (const { command, way } of commands) accepted.push(await both.execute(command, wayOf(way)));
      const views: View[] = [];
      for (const account of accounts.keys()) {
        const view = await both.view(account, 'app');
        expect(await both.view(account, 'api')).toEqual(view);
        views.push(view);
      }
      for (const { trader } of accounts)
        await exchange.doors.spot.cancelAll(trader.id, { baseCoin: 'BTC', quoteCoin: 'USDT' });
      return { accepted, views };
    };
    const first = await runAll((way) => way);
    const second = await runAll((way) => (way === 'app' ? 'api' : 'app'));
    expect(second).toEqual(first);
    expect(first.views.flatMap(({ fills }) => fills).length).toBeGreaterThan(COMMANDS / 20);
    expect(new Set(first.accepted).size).toBe(2);
  });

  it.for(selected)('%s: %s', async ([journey], { signal }) => {
    expect(await run(journey, signal)).toEqual({ exitCode: 0, errors: '' });
    expect(exchange.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
