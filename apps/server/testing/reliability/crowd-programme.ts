import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelAllOrders, createOrder, spotAssets } from '@exchange/wire/spot.ts';
import pg from 'pg';
import { clientOptions } from '../../src/platform/database/pool.ts';
import { Account } from './account.ts';
import { missingSeconds } from './floods-programme.ts';
import { bestPrice } from './market-price.ts';
import { TRADED_PAIR } from './order-draws.ts';
import { ServerProcess } from './server-process.ts';

/** The kinds of load, as defined in `crowd-load.ts`. */
export const CROWDS: readonly string[] = [
  'pipelined openapi.json',
  'pages and files',
  'k-lines',
  'an hour of the tape',
  'logins',
  'slow readers',
  'slow heads and bodies',
  'websocket connects',
  'malformed requests',
  'signed-in reads and orders',
];

export interface CrowdOptions {
  readonly connections: number;
  /** Milliseconds for which each kind of load is applied. */
  readonly forMs: number;
  readonly seed: number;
  readonly kinds?: readonly string[];
  readonly say: (line: string) => void;
}

/**
 * Measurements during one kind of load. Except for `operatorsMostMs`, the times are response times of another
 * trader's orders, in milliseconds.
 */
export interface CrowdFigures {
  readonly kind: string;
  readonly orders: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  /** The longest measured response time, in milliseconds, of the health check on the operators' port. */
  readonly operatorsMostMs: number;
  /**
   * Log lines about seconds that could not be written to the index tape, positions that could not be settled, failed
   * snapshots or lost database connections.
   */
  readonly complaints: readonly string[];
  /** Number of seconds during the load for which the index tape has no line. */
  readonly missing: number;
}

const loadProgram = fileURLToPath(new URL('crowd-load.ts', import.meta.url));
/**
 * The trader's IP address. It differs from the load's, so that the trader's requests do not count towards the rate
 * limits of the load.
 */
const TRADER_ADDRESS = '127.0.0.2';
const ORDER_EVERY_MS = 110;
const BELOW_BEST = 0.98;
const OPERATORS_EVERY_MS = 1_000;
const CANCEL_ALL = 'baseCoin=BTC&quoteCoin=USDT';
const ANSWER_TIMEOUT_MS = 20_000;
const PRICE_EVERY_MS = 1_000;
/**
 * Milliseconds to wait after a load before the missing lines of the index tape are counted. On a server that is not
 * delayed, the line of a second is written earlier.
 */
const ON_TAPE_MS = 3_000;
const COMPLAINTS = /tape_unwritten|not_settled|snapshot_failed|connection_lost/;

/**
 * Applies the kinds of load to one server, one after another, after a measurement without load. Measures the
 * response times of another trader's orders and of the operators' health check. Returns the figures of each
 * measurement in this order.
 */
export async function runCrowds(options: CrowdOptions): Promise<readonly CrowdFigures[]> {
  const server = await ServerProcess.prepare({ settings: { TRUSTED_PROXY: 'none', LOG_LEVEL: 'warn' } });
  let client: pg.Client | undefined;
  try {
    await server.start();
    client = new pg.Client(clientOptions(server.connection, 'exchange crowd'));
    await client.connect();
    const trader = await Account.open([server.url], options.seed);
    const loadAccount = await Account.open([server.url], options.seed + 1);
    // The body of the order request is built before the load: this reads the best price over HTTP, and the load exhausts
    // the rate limits of this IP address.
    const order = await restingOrder(server.url);
    const figures: CrowdFigures[] = [];
    for (const kind of ['nothing', ...(options.kinds ?? CROWDS)]) {
      const startedAt = Date.now();
      const figuresOfKind = await measure(server, { trader, other: loadAccount, order }, kind, options);
      const endedAt = Date.now();
      // The tape gets the line of a second some time after the second, so the program waits before it counts the
      // missing ones.
      await sleep(ON_TAPE_MS);
      figures.push({ ...figuresOfKind, missing: await missingSeconds(client, startedAt, endedAt) });
      options.say(lineOf(figures.at(-1)!));
    }
    return figures;
  } finally {
    await client?.end();
    await server.close();
  }
}

export function lineOf({ kind, orders, failed, complaints, missing, ...ms }: CrowdFigures): string {
  const figures = [ms.p50Ms, ms.p99Ms, ms.mostMs, ms.operatorsMostMs].map((figure) => figure.toFixed(1));
  return `| ${kind} | ${orders} | ${failed} | ${figures.join(' | ')} | ${complaints.length} | ${missing} |`;
}

async function measure(
  server: ServerProcess,
  { trader, other, order }: { trader: Account; other: Account; order: string },
  kind: string,
  { connections, forMs }: CrowdOptions,
): Promise<Omit<CrowdFigures, 'missing'>> {
  const agent = new Agent({ keepAlive: true, localAddress: TRADER_ADDRESS });
  const call = (path: string, body: string) =>
    timedCall(server.url, path, { body, token: trader.token, agent });
  await call(cancelAllOrders.path, CANCEL_ALL).catch(() => undefined);
  const firstLine = server.output.length;
  const load =
    kind === 'nothing' ? undefined : startLoad(kind, server.url, [String(connections), other.token, order]);
  await sleep(1_000);
  const untilMs = performance.now() + forMs;
  const orderMs: number[] = [];
  const operatorsMs: number[] = [];
  let failed = 0;
  const tradingLoop = (async () => {
    for (let n = 0; performance.now() < untilMs; n += 1) {
      const { ms, isAccepted } = await call(createOrder.path, `${order}&clientId=${Date.now()}-${n}`);
      orderMs.push(ms);
      if (!isAccepted) failed += 1;
      await sleep(Math.max(0, ORDER_EVERY_MS - ms));
    }
  })();
  const operatingLoop = (async () => {
    while (performance.now() < untilMs) {
      const startMs = performance.now();
      await (await fetch(`${server.consoleUrl}/health`)).text();
      operatorsMs.push(performance.now() - startMs);
      await sleep(OPERATORS_EVERY_MS);
    }
  })();
  try {
    await Promise.all([tradingLoop, operatingLoop]);
    await requireLoad(load);
  } finally {
    agent.destroy();
    await endLoad(load);
  }
  const sorted = orderMs.toSorted((a, b) => a - b);
  const percentile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    kind,
    orders: orderMs.length,
    failed,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    mostMs: percentile(1),
    operatorsMostMs: Math.max(0, ...operatorsMs),
    complaints: server.output.slice(firstLine).filter((line) => COMPLAINTS.test(line)),
  };
}

/** Returns form fields of a buy order below the best price, so that it rests in the book. */
async function restingOrder(url: string): Promise<string> {
  const best = await waitForPrice(url);
  const price = (best * BELOW_BEST).toFixed(1);
  return `baseCoin=BTC&quoteCoin=USDT&tradeType=buy&orderType=limit&price=${price}&amount=0.001`;
}

/**
 * Returns the price of the best bid of the traded pair, or of the best ask if there are no bids. Waits while
 * the server does not respond or the book is empty.
 */
async function waitForPrice(url: string): Promise<number> {
  for (;;) {
    const best = await bestPrice(url, TRADED_PAIR.symbol).catch(() => undefined);
    if (best !== undefined) return best;
    await sleep(PRICE_EVERY_MS);
  }
}

function startLoad(kind: string, url: string, details: readonly string[]): ChildProcess {
  const paths = [spotAssets.path, createOrder.path];
  // `tsx` is named as the loader of the child process. A process that vitest started has no loader that a child
  // inherits.
  const execArgv = ['--import', 'tsx'];
  return fork(loadProgram, [kind, new URL(url).port, ...details, ...paths], { execArgv });
}

/** Throws if the load has opened no connection, because the measurement would prove nothing. */
async function requireLoad(load: ChildProcess | undefined): Promise<void> {
  if (load === undefined) return;
  const counted = once(load, 'message') as Promise<[{ opened: number }]>;
  load.send('count');
  const [{ opened }] = await counted;
  if (opened === 0) throw new Error('the load opened no connection');
}

async function endLoad(load: ChildProcess | undefined): Promise<void> {
  if (load === undefined || load.exitCode !== null) return;
  const exit = once(load, 'exit');
  load.kill('SIGKILL');
  await exit;
}

interface TimedCall {
  readonly body: string;
  readonly token: string;
  readonly agent: Agent;
}

/**
 * Sends a request from the trader's network address. Returns its duration in milliseconds and whether the
 * server accepted it. For a broken connection, or without an answer within `ANSWER_TIMEOUT_MS`, the duration
 * ends when the connection ends, and the request counts as not accepted.
 */
function timedCall(url: string, path: string, { body, token, agent }: TimedCall) {
  const startMs = performance.now();
  return new Promise<{ ms: number; isAccepted: boolean }>((resolve) => {
    const finish = (isAccepted: boolean) => resolve({ ms: performance.now() - startMs, isAccepted });
    const outgoing = request(
      `${url}/bb/app${path}`,
      {
        method: 'POST',
        agent,
        timeout: ANSWER_TIMEOUT_MS,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-access-token': token },
      },
      (answer) => {
        let text = '';
        answer.on('data', (part: Buffer) => (text += part.toString('utf8')));
        answer.on('end', () => finish((JSON.parse(text) as { code: number }).code === 1));
        answer.on('error', () => finish(false));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => finish(false));
    outgoing.end(body);
  });
}
