/**
 * Measures one side of the order benchmark in its own process, or prepares its data. The arguments are
 * `prepare`, `capture` or the side (`groups`, `callers`, `transactions` or `engine`), the database as JSON
 * and the parameters of the `switch` below. The last line of the output is JSON.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Journal } from '../../apps/server/src/platform/sequencer/journal.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { percentile } from '../measuring/statistics.ts';
import { Callers } from './callers.ts';
import { captureBatches, loadBatches, writeBatches } from './capture.ts';
import { runEngine } from './engine.ts';
import { benchLog, openExchange } from './exchange.ts';
import { prepareDatabase } from './fixtures.ts';
import { runTransactions } from './transactions.ts';

export interface SideOutcome {
  readonly perSecond: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** Share (0 to 1) of the commands that were refused. They do not count as orders. */
  readonly refused?: number;
  /**
   * Processor time of the exchange's process in microseconds. It is per order if the engine is called in the same
   * process, and per answered command over a network connection.
   */
  readonly cpuMicroseconds?: number;
  /** Processor time in microseconds per answered command that the program with the callers used over a connection. */
  readonly callerMicroseconds?: number;
}

const WARM_MS = 4_000;
/**
 * Milliseconds for which batches are recorded. This is as long as the warm-up and the measurement of the engine in the
 * same process together.
 */
const CAPTURE_MS = 8_000;
const WARM_SHARE = 0.5;

const [side, databaseText = '{}', first = '', second = ''] = process.argv.slice(2);
const database = JSON.parse(databaseText) as BenchDatabase;

switch (side) {
  case 'prepare':
    await prepareDatabase(database);
    await print({});
    break;
  case 'capture':
    await print(await capture(first, Number(second)));
    break;
  case 'groups':
    await print(await runGroups(first));
    break;
  case 'callers':
    await print(await runCallers(Number(first), Number(second)));
    break;
  case 'transactions':
    await print(await runTransactions(database, await loadBatches(first), Number(second)));
    break;
  case 'engine':
    await print(await runEngine(Number(first)));
    break;
  default:
    throw new Error(`no side called ${side}`);
}
process.exit(0);

/**
 * Lets traders send commands, writes the resulting batches of steps to a file, and returns the numbers of
 * batches and steps.
 */
async function capture(file: string, callers: number): Promise<object> {
  const exchange = await openExchange(database);
  const batches = captureBatches();
  const trading = new Callers(exchange.spot, callers);
  await sleep(CAPTURE_MS);
  await trading.end();
  await exchange.stop();
  await writeBatches(file, batches);
  const steps = batches.reduce((sum, batch) => sum + batch.steps, 0);
  return { batches: batches.length, steps };
}

/** Measures the limit of the database: stores the recorded batches as fast as possible, without running the engine. */
async function runGroups(file: string): Promise<SideOutcome> {
  const batches = await loadBatches(file);
  const journal = new Journal(database, benchLog);
  let { sequence } = await journal.takeOver();
  const warmUpCount = Math.floor(batches.length * WARM_SHARE);
  let steps = 0;
  let startMs = 0;
  for (const [at, batch] of batches.entries()) {
    if (at === warmUpCount) startMs = performance.now();
    if (at >= warmUpCount) steps += batch.steps;
    await journal.commit(batch.rows, sequence, sequence + batch.steps, false);
    sequence += batch.steps;
  }
  const seconds = (performance.now() - startMs) / 1_000;
  await journal.close();
  return { perSecond: steps / seconds };
}

async function runCallers(callers: number, durationMs: number): Promise<SideOutcome> {
  const exchange = await openExchange(database);
  const trading = new Callers(exchange.spot, callers);
  await sleep(WARM_MS);
  const usageBefore = process.cpuUsage();
  const startMs = performance.now();
  const tally = (trading.tally = { accepted: 0, refused: 0, latenciesMs: [] });
  await sleep(durationMs);
  const { accepted, refused, latenciesMs } = tally;
  const seconds = (performance.now() - startMs) / 1_000;
  const { user, system } = process.cpuUsage(usageBefore);
  await trading.end();
  await exchange.stop();
  return {
    perSecond: accepted / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    refused: refused / (accepted + refused),
    cpuMicroseconds: (user + system) / accepted,
  };
}

async function print(result: object): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(result)}\n`)) await once(process.stdout, 'drain');
}
