/**
 * Measures the cost of the exchange's HTTP layer for an authenticated POST request: checks of session, rate
 * limits and idempotency key, metrics, and the response envelope. It is compared with Node's bare HTTP server
 * with the same form decoding and the same field checks. Prints the figures and writes
 * `bench/results/http-edge.json`. Run: npx tsx bench/http-edge.ts
 */
import autocannon from 'autocannon';
import { watchMachine } from './measuring/machine.ts';
import { buildPrograms, startProgram, type RunningProgram } from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median, round } from './measuring/statistics.ts';

const REPEATS = 3;
const SECONDS = 4;
const CONNECTIONS = 64;
const PATH = '/bb/app/bench/echo';
const BODY =
  'baseCoin=BTC&quoteCoin=USDT&tradeType=1&price=60000.10&amount=0.00125&clientId=8f14e45f-ceea-467f-a8d2';
const KINDS = ['bare', 'edge'] as const;

type Kind = (typeof KINDS)[number];

interface Figures {
  readonly perSecond: number;
  /**
   * Microseconds of processor time that the server used per request. Other programs on the machine disturb this figure
   * less than the requests per second.
   */
  readonly microseconds: number;
}

const disturbance = watchMachine();
const { server } = await buildPrograms('http-edge', { server: 'http-edge/server.ts' });
const servers = {
  bare: await startProgram<number>(server, ['bare']),
  edge: await startProgram<number>(server, ['edge']),
};
const figures: Record<Kind, Figures[]> = { bare: [], edge: [] };
for (const kind of KINDS) await measure(servers[kind], 1);
for (let repeat = 0; repeat < REPEATS; repeat += 1) {
  for (const kind of KINDS) figures[kind].push(await measure(servers[kind], SECONDS));
}
for (const kind of KINDS) await servers[kind].stop();
await report();

async function measure(running: RunningProgram<number>, seconds: number): Promise<Figures> {
  const before = await running.request<number>('processor time');
  const result = await autocannon({
    url: `http://127.0.0.1:${running.ready}${PATH}`,
    connections: CONNECTIONS,
    duration: seconds,
    method: 'POST',
    body: BODY,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-access-token': 'bench-token' },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  const usedMicroseconds = (await running.request<number>('processor time')) - before;
  return { perSecond: result.requests.average, microseconds: usedMicroseconds / result.requests.total };
}

async function report(): Promise<void> {
  const rows = KINDS.map((kind) => ({
    side: kind,
    perSecond: Math.round(median(figures[kind].map(({ perSecond }) => perSecond))),
    cpuMicroseconds: round(median(figures[kind].map(({ microseconds }) => microseconds)), 1),
  }));
  console.table(rows);
  const [bare, edge] = rows.map(({ perSecond }) => perSecond);
  const value = (edge ?? 0) / (bare ?? 1);
  const ratios: Ratio[] = [
    { name: 'P11', what: 'the edge ÷ bare http with the same checks', value, floor: 0.6, better: 'higher' },
  ];
  printRatios(ratios);
  await writeResults('http-edge', { disturbance: disturbance(), repeats: REPEATS, figures: rows, ratios });
}
