/**
 * Measures the trading screens in Chromium while the order book changes ten times a second: long tasks and their
 * causes, frames and memory. The processor is slowed down to a quarter of its speed, and the desktop screens are also
 * measured at full speed. The apps must be built. Writes `bench/results/trading-screen.json`, or a file of its own for
 * a part of the screens. Run: npx tsx bench/trading-screen.ts [part of a screen's name]
 */
import { setPriority } from 'node:os';
import { launchBrowser } from '../e2e/fixtures/browser.ts';
import { createSampleOrders } from '../e2e/fixtures/trading.ts';
import { monotonicMs, watchMachine } from './measuring/machine.ts';
import {
  INDEX_WORKER,
  buildPrograms,
  repositoryRoot,
  startProgram,
  temporaryFolder,
} from './measuring/programs.ts';
import { writeResults } from './measuring/results.ts';
import { median, percentile, round } from './measuring/statistics.ts';
import { startFlow } from './trading-screen/flow.ts';
import {
  EMPTY_PAGE,
  LONG_MS,
  SCREENS,
  watchScreen,
  type Tracing,
  type Visit,
  type WatchLimits,
} from './trading-screen/screens.ts';
import type { Cause } from './trading-screen/trace.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
/**
 * Maximum number of minutes to wait for times in which other virtual machines on the host do not disturb the
 * measurement.
 */
const PATIENCE = Number(process.env['PATIENCE'] ?? 15);
const WATCHING: WatchLimits = { stealMax: 0.01, deadlineMs: monotonicMs() + PATIENCE * 60_000 };
/** Nice value of a process priority close to the lowest. */
const LOW_PRIORITY = 15;
const FRAME_MS = 1_000 / 60;
/**
 * Duration in milliseconds above which a frame is late. It is then shown at least half a frame after the time at which
 * it was due, so the display was refreshed once without it.
 */
const LATE_MS = 1.5 * FRAME_MS;
/**
 * Causes of tasks that do not count as work for the feed. All other tasks count as caused by the feed, because no user
 * operates the page during the measurement.
 */
const NO_TICKS: ReadonlySet<Cause> = new Set(['bench', 'timer', 'answer', 'input']);

/**
 * Folder for traces, and whether they contain profiles (PROFILE_DIR is set). The profiler slows down every task, so the
 * figures of a profiled run must not be published.
 */
const tracing: Tracing = {
  directory: process.env['TRACE_DIR'] ?? process.env['PROFILE_DIR'],
  isProfiled: process.env['PROFILE_DIR'] !== undefined,
};
const nameFilter = process.argv[2] ?? '';
const screens = SCREENS.filter(({ name }) => name.includes(nameFilter));
const disturbanceSoFar = watchMachine();
const browser = await launchBrowser();
// Processes started from here on run with a lower priority than the browser, because in production they run on other
// machines. If they used processor time that the page needs, the browser's throttling would count four times that time
// as the page's own.
setPriority(LOW_PRIORITY);
const folder = await temporaryFolder();
const programs = await buildPrograms('trading-screen', {
  server: 'measuring/server.ts',
  'index-worker': INDEX_WORKER,
});
const environment = {
  DATA_DIR: folder.path,
  HOST: '127.0.0.1',
  PORT: '0',
  CONSOLE_PORT: '0',
  LOG_LEVEL: 'error',
  MODE: 'demo',
  // The server reads client addresses from the header `X-Real-IP`, because each trader signs up from a
  // different IP address.
  TRUSTED_PROXY: 'x-real-ip',
};
const server = await startProgram<{ app: string }>(programs.server, [repositoryRoot], { environment });
const origin = server.ready.app.replace('localhost', '127.0.0.1');
const visits = new Map<string, Visit[]>(screens.map(({ name }) => [name, []]));
try {
  await watchAll();
} finally {
  await browser.close();
  await server.stop();
  await folder.remove();
}
await report();

async function watchAll(): Promise<void> {
  await createSampleOrders(origin);
  const flow = await startFlow(origin);
  try {
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      for (const screen of screens) {
        const visit = await watchScreen(browser, origin, screen, { tracing, watching: WATCHING });
        visits.get(screen.name)?.push(visit);
        const { framesPerSecond, steal } = figuresOf([visit]);
        console.log(
          `${repeat + 1}/${REPEATS} ${screen.name}: ${visit.stretches} stretches, ${framesPerSecond} frames per second, steal ${steal}`,
        );
      }
    }
  } finally {
    await flow.stop();
  }
}

async function report(): Promise<void> {
  const figures = [...visits].map(([screen, screenVisits]) => ({ screen, ...figuresOf(screenVisits) }));
  const limit = figures.find(({ screen }) => screen === EMPTY_PAGE)?.framesPerSecond;
  const rows = figures.map((row) => ({
    ...row,
    framesOfEmptyPage: limit && round(row.framesPerSecond / limit, 3),
  }));
  console.table(rows);
  const longTasks = [...visits].flatMap(([screen, screenVisits]) =>
    screenVisits
      .flatMap(({ seen }) => seen)
      .flatMap(({ tasks, steal }) =>
        tasks.long.map((task) => ({ screen, ...task, steal, isTick: !NO_TICKS.has(task.cause) })),
      ),
  );
  for (const { screen, atMs, ms, processorMs, isDisturbed, cause, parts } of longTasks) {
    const partTexts = parts.map((part) => `${part.name} ${part.ms}`).join(', ');
    const runningText = `${round(processorMs, 0)} running${isDisturbed ? ', disturbed by the host' : ''}`;
    console.log(`${screen}: ${round(ms, 0)} ms (${runningText}) at ${atMs}, ${cause}: ${partTexts}`);
  }
  const byTicks = longTasks.filter(({ isTick }) => isTick);
  const running = byTicks.filter(({ processorMs }) => processorMs > LONG_MS);
  const undisturbed = running.filter((task) => !task.isDisturbed && isQuiet(task));
  const verdict = undisturbed.length === 0 ? 'held' : 'NOT HELD';
  console.log(
    `no task over ${LONG_MS} ms caused by a tick: ${verdict} (${undisturbed.length}; ${running.length} with those that the host disturbed, ${byTicks.length} with what they waited for a processor)`,
  );
  const disturbance = disturbanceSoFar();
  console.log(`load before ${disturbance.loadBefore}, steal ${disturbance.steal ?? 'unknown'}`);
  await writeResults(nameFilter === '' ? 'trading-screen' : `trading-screen-${nameFilter}`, {
    disturbance,
    repeats: REPEATS,
    rows,
    claim: {
      longerThanMs: LONG_MS,
      byTicks: byTicks.length,
      byTicksRunning: running.length,
      byTicksUndisturbed: undisturbed.length,
    },
    longTasks,
  });
}

/**
 * Returns whether the hypervisor used at most 1 % (`stealMax`) of the processor time for other virtual
 * machines during an interval of the measurement. Only whole intervals are checked, because times within a
 * single task may be too short for the kernel's counter.
 */
function isQuiet({ steal }: { readonly steal: number }): boolean {
  return steal <= WATCHING.stealMax;
}

function figuresOf(visits: readonly Visit[]) {
  const seen = visits.flatMap((visit) => visit.seen);
  const seconds = sum(seen.map((one) => one.seconds));
  const each = (count: number) => round(count / seconds, 1);
  const intervals = seen.flatMap(({ framesMs }) =>
    framesMs.slice(1).map((at, index) => at - (framesMs[index] ?? at)),
  );
  const ticks = seen.flatMap(({ tickToScreenMs }) => tickToScreenMs);
  const tasks = seen.flatMap(({ tasks: { long } }) => long);
  const heap = (of: (visit: Visit) => number, digits: number) => round(median(visits.map(of)), digits);
  return {
    seconds: round(seconds, 0),
    secondsQuiet: round(sum(seen.filter(isQuiet).map((one) => one.seconds)), 0),
    secondsWatched: round((seconds / seen.length) * sum(visits.map(({ stretches }) => stretches)), 0),
    bookUpdatesPerSecond: each(sum(seen.map(({ messages }) => messages['depth'] ?? 0))),
    messagesPerSecond: each(sum(seen.flatMap(({ messages }) => Object.values(messages)))),
    framesPerSecond: each(sum(seen.map(({ framesMs }) => framesMs.length))),
    frameP50Ms: round(percentile(intervals, 0.5), 1),
    frameP95Ms: round(percentile(intervals, 0.95), 1),
    frameP99Ms: round(percentile(intervals, 0.99), 1),
    lateFrames: round(intervals.filter((ms) => ms > LATE_MS).length / intervals.length, 4),
    busy: round(sum(seen.map((one) => one.tasks.busyMs)) / 1_000 / seconds, 3),
    longTasks: tasks.length,
    longTasksByTick: tasks.filter(({ cause }) => !NO_TICKS.has(cause)).length,
    longestTaskMs: round(Math.max(0, ...tasks.map(({ ms }) => ms)), 0),
    longFrames: sum(seen.map(({ longFrames }) => longFrames.length)),
    tickToScreenP50Ms: round(percentile(ticks, 0.5), 1),
    tickToScreenP99Ms: round(percentile(ticks, 0.99), 1),
    steal: round(Math.max(...seen.map(({ steal }) => steal)), 4),
    heapMegabytes: heap(({ heapBytes: [, after] }) => after / 1e6, 1),
    heapGrowthKilobytes: heap(({ heapBytes: [before, after] }) => (after - before) / 1_000, 0),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
