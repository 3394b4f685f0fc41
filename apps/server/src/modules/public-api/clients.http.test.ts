import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { orderRecords } from '@exchange/wire/spot.ts';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { byForm, commitSeed, isSelectedByCommit } from '../../../../../tools/test-form.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { LIMITS, NO_LIMITS } from '../../platform/limits/limits.ts';
import { BothWays, randomCommand, type Account, type View, type Way } from './testing/both-ways.ts';
import { addKey } from './testing/programs.ts';

const CLIENTS = fileURLToPath(new URL('../../../../../tools/clients', import.meta.url));
const ASSISTANTS = fileURLToPath(new URL('../../../../../packages/mcp', import.meta.url));

/** The client library whose test journey runs with every commit. */
const FIRST = 'ccxt';
/**
 * The other client libraries with a journey in `tools/clients/journeys`. In the short form of the tests each commit
 * runs a third of them; the long form runs all.
 */
const OTHERS = ['ccxt-pro', 'spot', 'connector', 'binance', 'node-binance-api', 'binance-api-node'];

/** The code blocks of the trading API guide in a programming language. */
function examplesIn(language: string): string[] {
  const guide = readFileSync(join(CLIENTS, '../../docs/guides/trading-api.md'), 'utf8');
  const blocks = guide.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'));
  return [...blocks].map(([, code]) => code!);
}

/**
 * The scripts of the guide that import a client library. The first script that places an order runs with
 * every commit; in the short form of the tests each commit runs only one of the others.
 */
const SCRIPTS = examplesIn('js').filter((code) => code.includes('import '));
const TRADING = SCRIPTS.find((code) => code.includes('createOrder'))!;
const OTHER_SCRIPTS = SCRIPTS.filter((code) => code !== TRADING);
const FREQTRADE = `import ccxt from 'ccxt';
const { exchange } = ${examplesIn('json')[0]};
const { key: apiKey, secret, ccxt_config: config } = exchange;
const client = new ccxt.binance({ apiKey, secret, ...config });
for (const pair of exchange.pair_whitelist) await client.fetchTicker(pair);
await client.fetchBalance();`;

const SUCCEEDED: { readonly exitCode: unknown; readonly errors: string } = { exitCode: 0, errors: '' };
/**
 * Errors by which client libraries report that a request or its answer was late. Their signatures are
 * valid for five seconds, and they wait one or ten seconds for an answer.
 */
const STALLED = /-1021|InvalidNonce|RequestTimeout|ETIMEDOUT|ECONNABORTED|timed out/;
const ATTEMPTS = 3;
const GROUPS = 3;
/**
 * Total number of random commands, and number of accounts among which they are divided at random. All commands are
 * executed twice: once through the app's calls and once through the API.
 */
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
      // The clients sign with the time of their own processes, so the exchange uses the system's clock and
      // not that of the tests.
      hasSystemClock: true,
      // The order limit has the usual maximum, but recovers at only 0.1 orders per second, so that slow clients also
      // reach it.
      limits: { ...NO_LIMITS, apiOrder: { ...LIMITS.apiOrder, perSecond: 0.1 } },
    });
  });
  afterAll(() => exchange?.close());
  afterEach(async () => {
    // Cancels open orders of a failed journey, which would disturb the next one.
    for (const owner of owners.splice(0))
      await exchange.doors.spot.cancelAll(owner, { baseCoin: 'BTC', quoteCoin: 'USDT' });
  });

  /** Creates an account with funds and an API key that may trade. */
  async function makeAccount() {
    const trader = await exchange.aUser({ USDT: '100000', BTC: '5' });
    owners.push(trader.id);
    const { apiKey, secret } = await addKey(exchange, trader.id, { name: 'Client', mayTrade: true });
    return { trader, key: apiKey.key, secret };
  }

  /** Runs Node in the folder of the client libraries; returns its exit code and, if it failed, the errors. */
  async function runNode(
    parameters: readonly string[],
    signal: AbortSignal,
    environment: Readonly<Record<string, string>> = {},
  ) {
    const child = spawn(process.execPath, parameters, {
      cwd: CLIENTS,
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { exitCode: exitCode as unknown, errors: exitCode === 0 ? '' : errors };
  }

  /**
   * Runs a script, with new accounts for each of at most `ATTEMPTS` attempts, until it succeeds or fails with another
   * error than that of a late request. A slow machine can cause such an error; a real defect fails every time.
   */
  async function withoutStall<T>(
    attempt: () => Promise<T>,
    endOf: (result: T) => typeof SUCCEEDED,
  ): Promise<T> {
    for (let count = 1; ; count += 1) {
      const result = await attempt();
      if (count === ATTEMPTS || !STALLED.test(endOf(result).errors)) return result;
    }
  }

  async function runJourney(
    journey: string,
    signal: AbortSignal,
    environment: Readonly<Record<string, string>> = {},
  ) {
    const [trader, maker] = [await makeAccount(), await makeAccount()];
    return runNode([join('journeys', `${journey}.mjs`)], signal, {
      ...environment,
      API_URL: exchange.url,
      TRADER_KEY: trader.key,
      TRADER_SECRET: trader.secret,
      MAKER_KEY: maker.key,
      MAKER_SECRET: maker.secret,
    });
  }

  /** Runs a script of the guide against the test exchange, with a new account. */
  function runScript(code: string, signal: AbortSignal) {
    return withoutStall(
      () => runScriptOnce(code, signal),
      ({ ended }) => ended,
    );
  }

  async function runScriptOnce(code: string, signal: AbortSignal) {
    const { trader, key, secret } = await makeAccount();
    const script = code
      .replaceAll('http://localhost:3000', exchange.url)
      .replaceAll('ws://localhost:3000', exchange.url.replace('http', 'ws'))
      .replaceAll('your key', key)
      .replaceAll('your secret', secret);
    return { trader, ended: await runNode(['--input-type=module', '--eval', script], signal) };
  }

  it('PAPI-121 random commands through keys and the app in turn give the same orders, fills and balances', async () => {
    const random = seededRandom(commitSeed);
    const commands = Array.from({ length: COMMANDS }, () => ({
      command: randomCommand(random, ACCOUNTS),
      way: random.pick(['app', 'api'] as const),
    }));
    /**
     * Executes all commands with new accounts. Returns which commands were accepted, and the final state
     * that the app and the API show.
     */
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

  it.for(selected)('PAPI-119 PAPI-120 %s runs unmodified', async (journey, { signal }) => {
    const ended = await withoutStall(
      () => runJourney(journey, signal),
      (end) => end,
    );
    expect(ended).toEqual(SUCCEEDED);
    expect(exchange.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('PAPI-126 PAPI-127 PAPI-128 PAPI-129 assistants read, plan and trade through the client of the protocol', async ({
    signal,
  }) => {
    const outDir = await mkdtemp(join(tmpdir(), 'exchange-mcp-'));
    try {
      await build({ configFile: join(ASSISTANTS, 'vite.config.ts'), build: { outDir } });
      const ended = await withoutStall(
        () => runJourney('mcp', signal, { MCP_SERVER: join(outDir, 'exchange-mcp.mjs') }),
        (end) => end,
      );
      expect(ended).toEqual(SUCCEEDED);
    } finally {
      await rm(outDir, { recursive: true, force: true });
    }
  });

  it('PAPI-124 the script of the guide trades, and the app shows its order', async ({ signal }) => {
    const { trader, ended } = await runScript(TRADING, signal);
    expect(ended).toEqual(SUCCEEDED);
    const { list } = await trader.request(orderRecords, {});
    expect(list).toMatchObject([{ symbol: 'btcusdt', price: '50000.00', amount: '0.001', reason: 'user' }]);
    // The guide promises a script of at most ten lines; empty lines do not count.
    expect(
      TRADING.trim()
        .split('\n')
        .filter((line) => line !== '').length,
    ).toBeLessThanOrEqual(10);
  });

  it('PAPI-124 the other scripts and configurations of the guide work', async ({ signal }) => {
    const scripts = [...OTHER_SCRIPTS, FREQTRADE];
    expect(scripts.length).toBeGreaterThan(6);
    for (const script of scripts.filter((_script, place) => isSelectedByCommit(place, scripts.length)))
      expect([script, (await runScript(script, signal)).ended]).toEqual([script, SUCCEEDED]);
    const [constants] = examplesIn('ini');
    const addressOf = (name: string) =>
      new RegExp(`^${name} = "(.*)"$`, 'm')
        .exec(constants!)![1]!
        .replace('//localhost:3000', exchange.url.slice('http:'.length));
    expect((await fetch(`${addressOf('REST_URL')}v3/exchangeInfo`)).status).toBe(200);
    const socket = new WebSocket(addressOf('WSS_URL'));
    await once(socket, 'open');
    socket.close();
  });

  it('PAPI-124 the examples in other languages are well formed and call what the script calls', () => {
    const parsers = [
      ['python', 'python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())']],
      ['php', 'php', ['-l']],
    ] as const;
    for (const [language, program, parameters] of parsers) {
      const [code] = examplesIn(language);
      const calls = [...code!.matchAll(/exchange(?:\.|->)(\w+)\(/g)].map(([, name]) => name!);
      const names = calls.map((name) =>
        name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
      );
      expect(names.length).toBeGreaterThan(1);
      for (const name of names) expect(TRADING).toContain(`exchange.${name}(`);
      const { error, status, stderr } = spawnSync(program, parameters, { input: code, encoding: 'utf8' });
      // An example is checked only on machines that have its language installed.
      const problems = error === undefined && status !== 0 ? stderr : '';
      expect([language, problems]).toEqual([language, '']);
    }
  });
});
