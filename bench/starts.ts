/**
 * How long the server takes from the start of its process to its first answered call: on an empty folder, on
 * the data of a run before, and after a kill. Writes `bench/results/starts.json`. Run: npx tsx bench/starts.ts
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchMachine } from './measuring/machine.ts';
import { builtPrograms, temporaryFolder } from './measuring/programs.ts';
import { keepResults, printRatios } from './measuring/results.ts';
import { median, rounded } from './measuring/statistics.ts';

const REPEATS = 3;
const LOOK_EVERY_MS = 5;
const PATIENCE_MS = 60_000;
/** What the house's market makers and takers do in this time is the data that a restart finds. */
const TRADING_MS = 3_000;
const CALL = '/bb/app/huobi/getDetails';
const FORM = new URLSearchParams({ symbol: 'btcusdt' });
const LOOK_PATIENCE_MS = 2_000;

const seen = watchMachine();
const programs = await builtPrograms('starts', { main: '../apps/server/src/main.ts' });
const timesMs = { cold: [] as number[], warm: [] as number[], afterKill: [] as number[] };
for (let repeat = 0; repeat < REPEATS; repeat += 1) {
  const folder = await temporaryFolder();
  const cold = await started(folder.path);
  timesMs.cold.push(cold.ms);
  await sleep(TRADING_MS);
  await stopped(cold.child, 'SIGTERM');
  const warm = await started(folder.path);
  timesMs.warm.push(warm.ms);
  await sleep(TRADING_MS);
  await stopped(warm.child, 'SIGKILL');
  const again = await started(folder.path);
  timesMs.afterKill.push(again.ms);
  await stopped(again.child, 'SIGTERM');
  await folder.remove();
}
await report();

async function started(dataDirectory: string): Promise<{ child: ChildProcess; ms: number }> {
  const port = await freePort();
  const settings = { PORT: String(port), CONSOLE_PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDirectory };
  const environment = { ...process.env, ...settings, MODE: 'demo', LOG_LEVEL: 'error' };
  const beganMs = performance.now();
  const child = spawn(process.execPath, [programs.main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  });
  while (!(await answers(`http://127.0.0.1:${port}${CALL}`))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (performance.now() - beganMs > PATIENCE_MS) throw new Error('the server does not answer');
    await sleep(LOOK_EVERY_MS);
  }
  return { child, ms: performance.now() - beganMs };
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function answers(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(LOOK_PATIENCE_MS);
    const response = await fetch(url, { method: 'POST', body: FORM, signal });
    const { status } = (await response.json()) as { status?: unknown };
    return status === 'ok';
  } catch {
    // Nobody listens yet.
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function report(): Promise<void> {
  const rows = Object.entries(timesMs).map(([start, values]) => ({
    start,
    seconds: rounded(median(values) / 1_000),
    repeats: values.map((ms) => rounded(ms / 1_000)).join(' '),
  }));
  console.table(rows);
  const middle = (start: keyof typeof timesMs) => median(timesMs[start]) / 1_000;
  const restart = Math.max(middle('warm'), middle('afterKill'));
  const ratios = [
    { name: 'P12', what: 'cold start, seconds', value: middle('cold'), floor: 5, better: 'lower' as const },
    {
      name: 'P13',
      what: 'restart with data, the slower of two, seconds',
      value: restart,
      floor: 2,
      better: 'lower' as const,
    },
  ];
  printRatios(ratios);
  const disturbance = seen();
  console.log(`load before ${disturbance.loadBefore}, steal ${disturbance.steal ?? 'unknown'}`);
  await keepResults('starts', { disturbance, repeats: REPEATS, rows, ratios });
}
