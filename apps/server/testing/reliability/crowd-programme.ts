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
import { TRADED } from './order-draws.ts';
import { ServerProcess } from './server-process.ts';

/** The kinds of load that one address puts on the server, as `crowd-load.ts` knows them. */
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
  /** How long each kind of load is put on. */
  readonly forMs: number;
  readonly seed: number;
  readonly kinds?: readonly string[];
  readonly say: (line: string) => void;
}

/** Another trader's orders under one kind of load, in milliseconds. */
export interface CrowdFigures {
  readonly kind: string;
  readonly orders: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  /** What the operators' port took to say how it is, at most. */
  readonly operatorsMostMs: number;
  /** What the exchange's own work left in the log. */
  readonly complaints: readonly string[];
  /** Seconds without a line on the tape. */
  readonly missing: number;
}

const loadProgram = fileURLToPath(new URL('crowd-load.ts', import.meta.url));
/** An address group that the load does not come from. */
const TRADER_ADDRESS = '127.0.0.2';
const ORDER_EVERY_MS = 110;
const BELOW_BEST = 0.98;
const OPERATORS_EVERY_MS = 1_000;
const CANCEL_ALL = 'baseCoin=BTC&quoteCoin=USDT';
const ANSWER_TIMEOUT_MS = 20_000;
const PRICE_EVERY_MS = 1_000;
/** After so long a second is on the tape, or is missing for good. */
const ON_TAPE_MS = 3_000;
const COMPLAINTS = /tape_unwritten|not_settled|snapshot_failed|connection_lost/;

/** Puts each kind of load on a fresh server and measures what another trader and the operators notice. */
export async function runCrowds(options: CrowdOptions): Promise<readonly CrowdFigures[]> {
  const server = await ServerProcess.prepare({ settings: { TRUSTED_PROXY: 'none', LOG_LEVEL: 'warn' } });
  let client: pg.Client | undefined;
  try {
    await server.start();
    client = new pg.Client(clientOptions(server.connection, 'exchange crowd'));
    await client.connect();
    const trader = await Account.open([server.url], options.seed);
    const other = await Account.open([server.url], options.seed + 1);
    // Asked for once: later the loads have used up what this address may ask for in a minute.
    const order = await restingOrder(server.url);
    const figures: CrowdFigures[] = [];
    for (const kind of ['nothing', ...(options.kinds ?? CROWDS)]) {
      const startedAt = Date.now();
      const figuresOfKind = await measured(server, { trader, other, order }, kind, options);
      const endedAt = Date.now();
      // Whoever was limited by the load before is not any more then, either.
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
  const figures = [ms.p50Ms, ms.p99Ms, ms.mostMs, ms.operatorsMostMs].map((one) => one.toFixed(1));
  return `| ${kind} | ${orders} | ${failed} | ${figures.join(' | ')} | ${complaints.length} | ${missing} |`;
}

async function measured(
  server: ServerProcess,
  { trader, other, order }: { trader: Account; other: Account; order: string },
  kind: string,
  { connections, forMs }: CrowdOptions,
): Promise<Omit<CrowdFigures, 'missing'>> {
  const agent = new Agent({ keepAlive: true, localAddress: TRADER_ADDRESS });
  const call = (path: string, body: string) => timed(server.url, path, { body, token: trader.token, agent });
  await call(cancelAllOrders.path, CANCEL_ALL).catch(() => undefined);
  const from = server.output.length;
  const load =
    kind === 'nothing' ? undefined : started(kind, server.url, [String(connections), other.token, order]);
  await sleep(1_000);
  const untilMs = performance.now() + forMs;
  const orderMs: number[] = [];
  const operatorsMs: number[] = [];
  let failed = 0;
  const trading = (async () => {
    for (let n = 0; performance.now() < untilMs; n += 1) {
      const { ms, isAccepted } = await call(createOrder.path, `${order}&clientId=${Date.now()}-${n}`);
      orderMs.push(ms);
      if (!isAccepted) failed += 1;
      await sleep(Math.max(0, ORDER_EVERY_MS - ms));
    }
  })();
  const operating = (async () => {
    while (performance.now() < untilMs) {
      const beganMs = performance.now();
      await (await fetch(`${server.consoleUrl}/health`)).text();
      operatorsMs.push(performance.now() - beganMs);
      await sleep(OPERATORS_EVERY_MS);
    }
  })();
  try {
    await Promise.all([trading, operating]);
    await requireLoad(load);
  } finally {
    agent.destroy();
    await ended(load);
  }
  const sorted = orderMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    kind,
    orders: orderMs.length,
    failed,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    mostMs: at(1),
    operatorsMostMs: Math.max(0, ...operatorsMs),
    complaints: server.output.slice(from).filter((line) => COMPLAINTS.test(line)),
  };
}

/** Below the best price, so that it rests in the book. */
async function restingOrder(url: string): Promise<string> {
  const best = await presentPrice(url);
  const price = (best * BELOW_BEST).toFixed(1);
  return `baseCoin=BTC&quoteCoin=USDT&tradeType=buy&orderType=limit&price=${price}&amount=0.001`;
}

/** The best price, as soon as the demo has one. */
async function presentPrice(url: string): Promise<number> {
  for (;;) {
    const best = await bestPrice(url, TRADED.symbol).catch(() => undefined);
    if (best !== undefined) return best;
    await sleep(PRICE_EVERY_MS);
  }
}

function started(kind: string, url: string, details: readonly string[]): ChildProcess {
  const paths = [spotAssets.path, createOrder.path];
  // Also where whoever runs this needs no loader of its own, as a test runner.
  const execArgv = ['--import', 'tsx'];
  return fork(loadProgram, [kind, new URL(url).port, ...details, ...paths], { execArgv });
}

/** Throws where the load has not even opened its connections: then nothing was shown. */
async function requireLoad(load: ChildProcess | undefined): Promise<void> {
  if (load === undefined) return;
  const counted = once(load, 'message') as Promise<[{ opened: number }]>;
  load.send('count');
  const [{ opened }] = await counted;
  if (opened === 0) throw new Error('the load opened no connection');
}

async function ended(load: ChildProcess | undefined): Promise<void> {
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

/** Makes one call from the trader's own address; a connection that broke counts as the longest wait. */
function timed(url: string, path: string, { body, token, agent }: TimedCall) {
  const beganMs = performance.now();
  return new Promise<{ ms: number; isAccepted: boolean }>((resolve) => {
    const done = (isAccepted: boolean) => resolve({ ms: performance.now() - beganMs, isAccepted });
    const sent = request(
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
        answer.on('end', () => done((JSON.parse(text) as { code: number }).code === 1));
        answer.on('error', () => done(false));
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => done(false));
    sent.end(body);
  });
}
