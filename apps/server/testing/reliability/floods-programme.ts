import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@exchange/core/time.ts';
import { API_BASE } from '@exchange/wire/endpoint.ts';
import * as wire from '@exchange/wire/seconds.ts';
import { demoLogin } from '@exchange/wire/user.ts';
import pg from 'pg';
import { RISK_VERSION } from '../../src/modules/seconds/domain.ts';
import { clientOptions } from '../../src/platform/database/pool.ts';
import { callOver } from '../calling.ts';
import { ServerProcess } from './server-process.ts';

export interface FloodsOptions {
  /** Duration in milliseconds of each kind of flood of requests. */
  readonly forMs: number;
  readonly say: (line: string) => void;
}

export interface FloodsReport {
  readonly kinds: number;
  /** Number of requests written to sockets. */
  readonly requests: number;
  /**
   * Number of settled seconds positions that opened and expired during a flood. `voids` counts those among them that
   * became void.
   */
  readonly settled: number;
  readonly voids: number;
  readonly problems: readonly string[];
}

/**
 * A flood of HTTP requests: the request, the number of pipelined requests per burst, and the number
 * of connections.
 */
interface Flood {
  readonly name: string;
  readonly request: string;
  readonly pipelined: number;
  readonly connections: number;
}

interface TimedFlood {
  readonly flood: Flood;
  readonly forMs: number;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

const FLOODS: readonly Flood[] = [
  {
    name: 'the description of the API',
    request: get(`${API_BASE}/openapi.json`),
    pipelined: 1_100,
    connections: 1,
  },
  { name: 'the pages of the API', request: get('/docs'), pipelined: 1_100, connections: 1 },
  { name: 'a page', request: get('/pc/'), pipelined: 1_100, connections: 4 },
  { name: 'what is not there', request: get('/nothing'), pipelined: 1_100, connections: 4 },
  {
    name: 'sources of a pair',
    request: get(`${API_BASE}/index/getSources?symbol=btcusdt`),
    pipelined: 200,
    connections: 20,
  },
  {
    name: 'an hour of the tape',
    request: get(`${API_BASE}/proof/tape?symbol=btcusdt`),
    pipelined: 20,
    connections: 20,
  },
  { name: 'many connections', request: get(`${API_BASE}/openapi.json`), pipelined: 3, connections: 500 },
];

const OPEN_EVERY_MS = 5_000;
const DURATION = '30';
const QUIET_MS = 1_000;
const SETTLED_WITHIN_MS = 120_000;

/**
 * Floods the built server with several kinds of requests, one after another. During each flood the index tape must have
 * a line for every second, and no position may become void.
 */
export async function runFloods({ forMs, say }: FloodsOptions): Promise<FloodsReport> {
  const server = await ServerProcess.prepare();
  const totals = { kinds: 0, requests: 0, settled: 0, voids: 0, problems: [] as string[] };
  try {
    await server.start();
    const token = await aTrader(server.url);
    const client = new pg.Client(clientOptions(server.connection, 'exchange floods'));
    await client.connect();
    try {
      for (const flood of FLOODS) {
        const { requests, settled, voids, missing } = await underFlood(server.url, token, client, {
          flood,
          forMs,
        });
        totals.kinds += 1;
        totals.requests += requests;
        totals.settled += settled;
        totals.voids += voids;
        if (missing > 0) totals.problems.push(`${flood.name}: ${missing} seconds are missing on the tape`);
        if (voids > 0) totals.problems.push(`${flood.name}: ${voids} of ${settled} positions are void`);
        say(`${flood.name}: ${requests} requests, ${missing} seconds missing, ${voids} of ${settled} void`);
      }
    } finally {
      await client.end();
    }
    return totals;
  } finally {
    await server.close();
  }
}

async function underFlood(url: string, token: string, client: pg.Client, { flood, forMs }: TimedFlood) {
  const startedAt = Date.now();
  const until = startedAt + forMs;
  const stopped = { isStopped: false };
  const sockets = Array.from({ length: flood.connections }, () => send(url, flood, until));
  const openingLoop = openPositions(url, token, stopped);
  const counts = await Promise.all(sockets);
  stopped.isStopped = true;
  await openingLoop;
  const endedAt = Date.now();
  await waitForSettlement(client, endedAt);
  return {
    requests: counts.reduce((all, count) => all + count, 0),
    missing: await missingSeconds(client, startedAt, endedAt),
    ...(await outcomes(client, startedAt, endedAt)),
  };
}

/**
 * Signs in the demo's trader, accepts the risk agreement and funds the seconds account, before any flood
 * starts. Returns the session's token.
 */
async function aTrader(url: string): Promise<string> {
  const { token } = (await callOver(url, demoLogin, {})).data;
  await callOver(url, wire.acceptSecondsRisk, { agreementVersion: RISK_VERSION }, { token });
  await callOver(url, wire.secondsTransfer, { amount: '500', currency: 'USDT' }, { token });
  return token;
}

/**
 * Writes bursts of requests until the time `until` (milliseconds UTC), each when no more response data to the
 * previous one arrive, and reopens broken connections. Returns the number of written requests.
 */
async function send(url: string, { request, pipelined }: Flood, until: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const burst = Buffer.from(request.repeat(pipelined));
  let count = 0;
  while (Date.now() < until) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const timer = setTimeout(() => socket.destroy(), Math.max(0, until - Date.now()));
    count += pipelined * (await sendOver(socket, burst));
    clearTimeout(timer);
    await sleep(10);
  }
  return count;
}

/** Writes bursts until the connection ends. Returns their number. */
async function sendOver(socket: Socket, burst: Buffer): Promise<number> {
  let bursts = 0;
  let lastReadMs = performance.now();
  socket.on('data', () => (lastReadMs = performance.now()));
  const closed = once(socket, 'close').then(
    () => true,
    () => true,
  );
  for (;;) {
    socket.write(burst);
    bursts += 1;
    // Sends the next burst when no response data have arrived for a quarter of `QUIET_MS`.
    do {
      if (await Promise.race([closed, sleep(QUIET_MS / 4).then(() => false)])) return bursts;
    } while (performance.now() - lastReadMs < QUIET_MS / 4);
  }
}

/** Opens seconds positions of the demo's trader regularly, until stopped. Refusals are expected. */
async function openPositions(url: string, token: string, stopped: { isStopped: boolean }): Promise<void> {
  for (let count = 0; !stopped.isStopped; count += 1) {
    const tradeType = count % 2 === 0 ? 'up' : 'down';
    const ticket = {
      openAmount: '5',
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      tradeType,
      ...wire.durationField(DURATION),
    } as const;
    // Errors are ignored, because the server may not respond during the flood.
    await callOver(url, wire.openSeconds, ticket, { token }).catch(() => undefined);
    await sleep(OPEN_EVERY_MS);
  }
}

/**
 * Resolves when every seconds position that expires at `at` (in milliseconds) or earlier is settled. Throws after
 * `SETTLED_WITHIN_MS`.
 */
async function waitForSettlement(client: pg.Client, at: number): Promise<void> {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const { rowCount } = await client.query(
      'select from seconds_order where status = 0 and expire_at <= $1 limit 1',
      [at],
    );
    if (rowCount === 0) return;
    if (performance.now() > deadline) throw new Error('positions were not settled in time');
    await sleep(500);
  }
}

/**
 * Returns the number of whole seconds from `from` (inclusive) to `to` (exclusive), both in milliseconds UTC,
 * for which the index tape has no line of BTC/USDT.
 */
export async function missingSeconds(client: pg.Client, from: number, to: number): Promise<number> {
  const first = Math.ceil(from / SECOND_MS) * SECOND_MS;
  const last = Math.floor(to / SECOND_MS) * SECOND_MS - SECOND_MS;
  // A second whose tape line has no price is not missing: the line records that the sources were silent.
  const { rows } = await client.query<{ missing: bigint }>(
    `select count(*) as missing from generate_series($1::bigint, $2::bigint, 1000) as s(t)
     where not exists (select from market_tape m where m.symbol = 'btcusdt' and m.t = s.t)`,
    [first, last],
  );
  return Number(rows[0]!.missing);
}

async function outcomes(client: pg.Client, from: number, to: number) {
  const { rows } = await client.query<{ settled: bigint; voids: bigint }>(
    `select count(*) as settled, count(*) filter (where result = 'void') as voids
     from seconds_order where entry_at >= $1 and expire_at <= $2 and status > 0`,
    [from, to],
  );
  return { settled: Number(rows[0]!.settled), voids: Number(rows[0]!.voids) };
}
