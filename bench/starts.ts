/**
 * Measures the time from the start of the server's process to its first successful response: with an empty data folder,
 * with the data of an earlier run, and after a kill. Writes `bench/results/starts.json`. Run: npx tsx bench/starts.ts
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../apps/server/testing/free-port.ts';
import { untilAnswered } from './measuring/first-answer.ts';
import { watchMachine } from './measuring/machine.ts';
import { buildPrograms, temporaryFolder } from './measuring/programs.ts';
import { writeResults, printRatios } from './measuring/results.ts';
import { median, round } from './measuring/statistics.ts';

const REPEATS = 3;
const START_TIMEOUT_MS = 60_000;
/**
 * Milliseconds for which the demo's market makers and takers trade before the server is stopped, so that it starts
 * again with data.
 */
const TRADING_MS = 3_000;

const disturbanceSoFar = watchMachine();
const programs = await buildPrograms('starts', { main: '../apps/server/src/main.ts' });
const timesMs = { cold: [] as number[], warm: [] as number[], afterKill: [] as number[] };
for (let repeat = 0; repeat < REPEATS; repeat += 1) {
  const folder = await temporaryFolder();
  const cold = await startServer(folder.path);
  timesMs.cold.push(cold.ms);
  await sleep(TRADING_MS);
  await stopServer(cold.child, 'SIGTERM');
  const warm = await startServer(folder.path);
  timesMs.warm.push(warm.ms);
  await sleep(TRADING_MS);
  await stopServer(warm.child, 'SIGKILL');
  const afterKill = await startServer(folder.path);
  timesMs.afterKill.push(afterKill.ms);
  await stopServer(afterKill.child, 'SIGTERM');
  await folder.remove();
}
await report();

async function startServer(dataDirectory: string): Promise<{ child: ChildProcess; ms: number }> {
  const port = await freePort();
  const settings = { PORT: String(port), CONSOLE_PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDirectory };
  const environment = { ...process.env, ...settings, MODE: 'demo', LOG_LEVEL: 'error' };
  const startMs = performance.now();
  const child = spawn(process.execPath, [programs.main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  });
  await untilAnswered(child, port, START_TIMEOUT_MS);
  return { child, ms: performance.now() - startMs };
}

async function stopServer(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function report(): Promise<void> {
  const rows = Object.entries(timesMs).map(([start, values]) => ({
    start,
    seconds: round(median(values) / 1_000),
    repeats: values.map((ms) => round(ms / 1_000)).join(' '),
  }));
  console.table(rows);
  const medianOf = (start: keyof typeof timesMs) => median(timesMs[start]) / 1_000;
  const restart = Math.max(medianOf('warm'), medianOf('afterKill'));
  const ratios = [
    { name: 'P12', what: 'cold start, seconds', value: medianOf('cold'), floor: 5, better: 'lower' as const },
    {
      name: 'P13',
      what: 'restart with data, the slower of two, seconds',
      value: restart,
      floor: 2,
      better: 'lower' as const,
    },
  ];
  printRatios(ratios);
  const disturbance = disturbanceSoFar();
  console.log(`load before ${disturbance.loadBefore}, steal ${disturbance.steal ?? 'unknown'}`);
  await writeResults('starts', { disturbance, repeats: REPEATS, rows, ratios });
}
